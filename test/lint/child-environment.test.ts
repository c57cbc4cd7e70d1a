import { expect, test } from 'vitest'
import { withoutSettings } from '#schemas/settings.ts'
import { isNode, lineOf, readSource, type SyntaxNode, sourceFiles, walkFile } from './source-graph.ts'

const STARTS = new Set(['Worker', 'fork', 'spawn', 'execFile', 'exec', 'spawnSync', 'execFileSync', 'execSync'])
const MODULES = /from 'node:(child_process|worker_threads)'/

/** Environments without a setting. */
const ENVIRONMENTS = ['env: {}', 'env: isolatedEnv()', 'env: withoutSettings(process.env)']

const files = ['commands', 'projections', 'realtime', 'runtime', 'gateway']
  .flatMap(folder => sourceFiles(`${folder}/**/*.ts`))
  .filter(file => !/\.test\.ts$|fixture/.test(file) && MODULES.test(readSource(file)))

const isStart = (node: SyntaxNode): boolean =>
  (node.type === 'NewExpression' || node.type === 'CallExpression') &&
  isNode(node.callee) &&
  STARTS.has(String(node.callee.name))

test('a thread or process that the gateway starts gets no setting in its environment [P-2427]', () => {
  const starts = files.flatMap(file => {
    const found: { place: string; isIsolated: boolean }[] = []
    walkFile(file, node => {
      if (!isStart(node)) return
      const text = readSource(file).slice(node.start, node.end)
      found.push({
        place: `${file}:${lineOf(file, node.start)}`,
        isIsolated: ENVIRONMENTS.some(each => text.includes(each)),
      })
    })
    return found
  })
  expect(starts.length).toBeGreaterThanOrEqual(8)
  expect(starts.filter(({ isIsolated }) => !isIsolated)).toEqual([])
})

test('the environment of workers has neither settings nor paths of their files [P-2427]', () => {
  const given = { PARLEY_KEY: 'k', METABASE_SECRET_FILE: '/run/secret', NATS_URL: 'nats://a', HTTPS_PROXY: 'http://p' }
  expect(withoutSettings(given)).toEqual({ HTTPS_PROXY: 'http://p' })
})
