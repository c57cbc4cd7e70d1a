// `npm test`: everything, in the order in which a failure is cheapest to find. Extra arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tell = line => process.stdout.write(`${line}\n`)
const node = installPackages(root, tell)
const bin = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

const found = program =>
  env.PATH.split(':').some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Debian packages that the tests drive Parley with; where they cannot be installed the tests that need them say so. */
const NEEDS = ['chromium', 'strace', 'nats-server']
const missing = NEEDS.filter(program => !found(program))
if (missing.length > 0 && process.getuid?.() === 0 && found('apt-get')) {
  tell(`Installing ${missing.join(', ')} …`)
  const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'ignore', 'inherit'] }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], quiet)
}

const step = (name, program, args) => {
  tell(`\n── ${name}`)
  const run = spawnSync(program, args, { cwd: root, env, stdio: 'inherit' })
  if (run.status !== 0) {
    tell(`\n${name} failed`)
    process.exit(run.status ?? 1)
  }
}

const rest = process.argv.slice(2)
if (rest.length === 0) {
  step('Lint', join(bin, 'biome'), ['check', '--error-on-warnings', '.'])
  step('Types', node, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', '.'])
  step('Web build', node, [
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--config',
    'web/vite.config.ts',
  ])
}
const report = join(root, '.cache', 'tests.json')
rmSync(report, { force: true })
tell('\n── Tests')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const tests = spawnSync(node, [vitest, 'run', ...reporters, ...rest], { cwd: root, env, stdio: 'inherit' })
const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
tell(
  `\n${counted?.numPassedTests ?? 0} passed, ${counted?.numFailedTests ?? 0} failed, ${counted?.numPendingTests ?? 0} skipped`,
)
process.exit(tests.status ?? 1)
