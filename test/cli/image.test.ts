import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settingsSchema } from '#schemas/settings.ts'
import { readSource, sourceFiles } from '#test/lint/source-graph.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const text = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const dockerfile = text('Dockerfile').replaceAll('\\\n', ' ').split('\n')
const compose = text('compose.yaml')

/** Arguments of the instructions of one kind. */
const given = (instruction: string) =>
  dockerfile.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1))

/** Sources that come from here, not from another stage. */
const sources = given('COPY')
  .filter(line => !line.startsWith('--from='))
  .flatMap(line => line.split(' ').slice(0, -1))

test('builds an image from existing sources that .dockerignore allows', () => {
  const taken = text('.dockerignore')
    .split('\n')
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1))
  expect(sources).toContain('gateway')
  for (const source of sources) {
    expect(existsSync(join(ROOT, source)), source).toBe(true)
    expect(taken).toContain(source)
  }
})

test('an image has the bundle and no package for development, and every folder that the gateway imports from builds it', () => {
  const folders = [...text('biome.json').matchAll(/"includes": \["(\w+)\/\*\*"/g)].map(([, folder = '']) => folder)
  expect(folders).toContain('commands')
  const [build = '', , last = ''] = text('Dockerfile')
    .split(/^FROM /m)
    .slice(1)
  const taken = [...build.matchAll(/^COPY (\w+) \w+$/gm)].map(([, folder]) => folder)
  for (const folder of folders) if (folder !== 'test') expect(taken).toContain(folder)
  expect(build).toContain('RUN node scripts/bundle-gateway.mjs gateway/dist/image\n')
  expect(last).toContain('/app/gateway/dist/image gateway/dist/image')
  expect(text('bin/parley.mjs')).toContain("join('dist', 'image', 'cli.js')")
  expect(last).toContain('/app/web/dist web/dist')
  expect(last).toContain('--from=packages')
  expect(given('RUN').find(line => line.includes('--omit=dev'))).toBeDefined()
  const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> }
  expect(Object.keys(dependencies)).toContain('fastify')
})

test('runs the container without privileges, with the options of `npm start`, its stop signal and a health check [P-2965]', () => {
  const [, options = ''] = /GATEWAY_OPTIONS = \[(.*)\]/.exec(text('scripts/build.mjs')) ?? []
  const named = [...options.matchAll(/'(.*?)'/g)].map(([, option]) => option)
  expect(JSON.parse(given('CMD').at(-1) ?? '')).toEqual(['node', ...named, 'gateway/dist/image/main.js'])
  expect(named.length).toBeGreaterThan(0)
  expect(given('USER')).toEqual(['node'])
  expect(given('STOPSIGNAL')).toEqual(['SIGTERM'])
  expect(given('HEALTHCHECK')[0]).toContain('/botadmin/api/health/live')
  expect(text('deploy/Caddyfile')).toContain('health_uri /botadmin/api/health/ready')
})

test('the alerts for Prometheus ask for figures that gateways have, late waits included [P-1507, P-2230] [P-2601]', () => {
  const asked = (text('deploy/prometheus-alerts.yaml').match(/parley_\w+/g) ?? []).map(name =>
    name.replace(/_(bucket|count)$/, ''),
  )
  const sources = sourceFiles('gateway/**/*.ts').map(readSource).join('\n')
  expect(asked.length).toBeGreaterThan(4)
  expect(asked).toEqual(expect.arrayContaining(['parley_read_model_late_waits', 'parley_turn_seconds']))
  for (const figure of asked) expect(sources).toContain(`'${figure}'`)
})

test('sets only known settings in compose.yaml and its example, and no secret', () => {
  const settings = Object.keys(settingsSchema.shape)
  const [, block = ''] = /&settings\n((?: {4}.*\n)+)/.exec(compose) ?? []
  const named = [...block.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name)
  expect(named).toEqual(expect.arrayContaining(['EVENTSTORE_URL', 'NATS_URL', 'PUBLIC_URL', 'TRUSTED_PROXIES']))
  const example = [...text('deploy/parley.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)]
  for (const name of [...named, ...example.map(([, name]) => name)]) expect(settings).toContain(name)
  for (const [, name, value] of example) if (/KEY|PASSWORD/.test(name ?? '')) expect(value).toBe('')
})
