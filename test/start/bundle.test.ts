import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, failToStart, NODE, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { buildGateway } from '#test/fixture/bundle.ts'
import { ROOT } from '#test/lint/source-graph.ts'

let folder = ''
let parley: ParleyProcess
let admin: Client
beforeAll(async () => {
  folder = buildGateway().folder
  parley = await startParley({ main: join(folder, 'main.js') })
  admin = await parley.signIn()
}, 180_000)
afterAll(() => discard(parley))

const entries = () => globSync('*.*.js', { cwd: folder }).map(name => join(folder, name))

test('serves the console and a description of the API that equals that of the sources [P-2895]', async () => {
  const page = await fetch(`${parley.origin}/botadmin/`)
  expect(await page.text()).toContain('<div id="root"')
  const docs = await fetch(`${parley.origin}/botadmin/api/docs/`)
  expect(await docs.text()).toContain('swagger-ui')
  expect((await fetch(`${parley.origin}/botadmin/api/docs/static/swagger-ui-bundle.js`)).status).toBe(200)
  const sources = await openParley()
  const [bundled, described] = await Promise.all([parley, sources].map(({ anyone }) => anyone.get('/openapi.json')))
  await sources.close()
  expect(bundled?.body).toEqual(described?.body)
})

test('writes, lists, works on a large flow, runs a script and verifies the log in its threads [P-2895]', async () => {
  const bot = await admin.create('bot', { name: 'Clinic' })
  expect((await admin.get('/bot')).body.items).toContainEqual(expect.objectContaining({ id: bot, name: 'Clinic' }))
  const dialogtask = await admin.create('dialogtask', { name: 'Visits', bot })
  const dialog = await admin.create('dialog', { name: 'Booking', dialogtask })
  const operators = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [
      `n${n}`,
      { type: 'text', title: `Block ${n}`, top: n, left: 0, properties: { text: 'x'.repeat(200) } },
    ]),
  )
  const put = await admin.put(`/dialog/${dialog}/flow`, { operators, links: {} })
  expect(put.status, put.text).toBe(200)
  const script = await admin.post(`/dialog/${dialog}/try/script`, { properties: { js: '({ a: [1] })' } })
  expect(script.text).toContain('"a":[1]')
  expect((await admin.post('/audit/chain/verify', {})).status).toBe(202)
  await expect
    .poll(async () => (await admin.get('/audit/chain')).body.verification)
    .toMatchObject({ amiss: 0, findings: [] })
})

test('has each thread, process and job as an entry that starts [P-2895]', async () => {
  const jobs = entries().filter(file => /-job\.js$|preview\.js$/.test(file))
  expect(jobs.length).toBeGreaterThan(10)
  const load = `for (const file of process.argv.slice(1))
    if (!Object.values(await import(file)).some(one => typeof one === 'function')) throw new Error(file)`
  execFileSync(NODE, ['--input-type=module', '--eval', load, ...jobs.map(file => pathToFileURL(file).href)])
  const tests = fork(join(folder, 'runtime.simulation.kept-test.process.js'), { execPath: NODE })
  expect(await once(tests, 'message')).toEqual(['ready', undefined])
  tests.kill()
  // No flow is left to read.
  const file = join(parley.folder, 'late.sqlite')
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE flow (key, entity, id, revision); CREATE TABLE late (kind, id)')
  database.close()
  const script = join(folder, 'projections.write.flow-derivation-worker.js')
  const derivation = new Worker(script, { workerData: { file } })
  expect(await once(derivation, 'message')).toEqual([null])
})

test('names the file and line of the source in a stack trace [P-2896]', async () => {
  const { errors } = await failToStart(
    { PARLEY_DATA: join(NODE, 'no folder'), LOG_LEVEL: 'debug' },
    join(folder, 'main.js'),
  )
  const [, file = '', line = ''] = /\((.*\.ts):(\d+)\)/.exec(errors) ?? []
  expect(file, errors).toContain(join(ROOT, 'commands', 'store'))
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toMatch(/throw |new Store/)
})

test('builds again after each change of a source, and keeps the build that may still run [P-2897]', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-bundle-'))
  try {
    cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true })
    for (const name of ['package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(join(ROOT, name), join(root, name))
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    for (const name of ['schemas', 'domain', 'commands', 'projections', 'realtime', 'runtime', 'gateway/cli'])
      mkdirSync(join(root, name), { recursive: true })
    writeFileSync(join(root, 'gateway/cli/main.ts'), 'export {}\n')
    const source = join(root, 'gateway/main.ts')
    const says = ({ folder }: { folder: string }) =>
      execFileSync(NODE, [join(folder, 'main.js')], { encoding: 'utf8' }).trim()

    // A time that can be restored: that of a write has parts of a millisecond.
    const time = new Date('2026-01-01')
    writeFileSync(source, 'console.log("one")\n')
    utimesSync(source, time, time)
    const one = buildGateway(root)
    expect(one.built).toBe(true)
    expect(says(one)).toBe('one')
    expect(buildGateway(root)).toEqual({ ...one, built: false })

    // The same size, and the time of before.
    writeFileSync(source, 'console.log("two")\n')
    utimesSync(source, time, time)
    const two = buildGateway(root)
    expect([two.built, says(two), says(one)]).toEqual([true, 'two', 'one'])

    utimesSync(source, new Date(), new Date())
    expect(buildGateway(root)).toEqual({ ...two, built: false })

    writeFileSync(source, 'console.log("three")\n')
    const three = buildGateway(root)
    const kept = readdirSync(join(root, 'gateway/dist')).filter(name => name !== '.stamp')
    expect(kept.sort()).toEqual([two, three].map(each => basename(each.folder)).sort())
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}, 120_000)
