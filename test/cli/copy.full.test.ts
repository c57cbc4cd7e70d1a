import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ANSWER_RETENTION_MS, sweepRequests } from '#commands/pipeline/idempotency-key.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { newEvent } from '#test/contract/store/event.ts'
import { type EventStoreDouble, startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { type Client, failToStart, type ParleyProcess, startParley } from '../api/harness.ts'
import { Folders, PERSON, parley } from './parley.ts'

// Each copy is a run of several processes.
vi.setConfig({ testTimeout: 180_000 })

const PARLEY = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
const PARLEY_KEY = Buffer.alloc(32, 9).toString('base64')
const FORGOTTEN = { ...PERSON, username: 'caio', firstname: 'Caio', email: 'caio@example.com' }
/** Idempotency keys whose answers were swept before the copy. */
const SWEPT = 3
const key = (n: number) => ({ 'idempotency-key': `asked-${n}` })

const folders = new Folders()
const data = folders.next()
const seals = `${data}.seals`
const doubles: EventStoreDouble[] = []
const running: ParleyProcess[] = []
let person: string
let forgotten: string
let asked: string
const swept: string[] = []

const start = async (env: Record<string, string>): Promise<Client> => {
  const gateway = await startParley({ folder: folders.next(), env: { SEAL_EVENTS: '20', PARLEY_KEY, ...env } })
  running.push(gateway)
  return gateway.signIn()
}
const stop = async () => {
  for (const gateway of running.splice(0)) await gateway.end()
}
const startDouble = async () => {
  const double = await startEventStoreDouble({ folder: folders.next() })
  doubles.push(double)
  return double
}

/** Work that leaves everything a copy must carry; the answers kept for the first idempotency keys were swept since. */
beforeAll(async () => {
  const admin = await start({ PARLEY_DATA: data })
  for (let n = 0; n < SWEPT; n++) swept.push((await admin.post('/codesample', { name: `sample ${n}` }, key(n))).body.id)
  await pause(20)
  const since = Date.now()
  person = (await admin.post('/user', PERSON)).body.id
  forgotten = (await admin.post('/user', FORGOTTEN)).body.id
  await admin.post(`/user/${forgotten}/forget`, { confirm: 'CONFIRM' })
  asked = (await admin.post('/codesample', { name: 'asked once' }, key(SWEPT))).body.id
  await admin.post('/bot', { name: 'The only one' })
  for (let n = 0; n < 40; n++) await admin.post('/codesample', { name: `sample of many ${n}` })
  await stop()
  await parley(['seals', 'export', '--output', seals], { PARLEY_DATA: data, PARLEY_KEY })
  const store = await openEmbeddedStore({ folder: data })
  expect(await sweepRequests(store, new Date(since + ANSWER_RETENTION_MS))).toBe(SWEPT)
  await store.close()
}, 120_000)
afterEach(stop)
afterAll(async () => {
  for (const double of doubles) await double.stop()
  folders.clear()
})

/** Everything that was made before the copy is there, and new things can be made; a swept key, used again, makes one. */
const works = async (admin: Client, again: number) => {
  expect((await admin.get(`/user/${person}`)).body).toMatchObject({ username: 'bia', firstname: 'Beatriz' })
  expect((await admin.get(`/user/${forgotten}`)).body).toMatchObject({ username: null, forgotten: true })
  const repeated = await admin.post('/codesample', { name: 'asked once' }, key(SWEPT))
  expect(repeated).toMatchObject({ status: 201, body: { id: asked } })
  expect(repeated.headers.has('parley-projection')).toBe(false)
  expect((await admin.post('/bot', { name: 'the ONLY one' })).status).toBe(409)
  expect((await admin.post('/user', { ...PERSON, email: 'other@example.com' })).status).toBe(409)
  const made = await admin.post('/codesample', { name: 'something else' }, key(again))
  expect(made.status).toBe(201)
  expect(swept).not.toContain(made.body.id)
}

test('a team grows from the folder to a server and goes back, with people, keys, names and seals', async () => {
  const { url } = await startDouble()
  const grown = await parley(['copy', '--to', url], { PARLEY_DATA: data, PARLEY_KEY })
  expect(grown).toMatchObject({ code: 0, output: expect.stringContaining('The chain holds.') })
  expect(grown.output).toContain(`${SWEPT} streams are removed or limited as they were.`)
  expect(grown.output).toMatch(/The event store holds the same \d+ events in the same order, 0 of them from before\./)
  const admin = await start({ EVENTSTORE_URL: url, SINGLE_NODE: 'on' })
  await works(admin, 0)
  const { id } = (await admin.post('/codesample', { name: 'made on the server' })).body
  await stop()
  const verified = await parley(['verify', '--seal', seals], {
    EVENTSTORE_URL: url,
    PARLEY_KEY,
    PARLEY_DATA: folders.next(),
  })
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The chain holds.') })

  const folder = folders.next()
  const back = await parley(['copy', '--to', folder], { EVENTSTORE_URL: url, PARLEY_KEY, PARLEY_DATA: folders.next() })
  expect(back).toMatchObject({ code: 0, output: expect.stringContaining(`Start a gateway with PARLEY_DATA=${folder}`) })
  expect(existsSync(join(folder, 'parley.key'))).toBe(false)
  expect(readFileSync(join(folder, 'forgotten.txt'), 'utf8')).toContain(forgotten)
  const again = await start({ PARLEY_DATA: folder })
  await works(again, 1)
  expect((await again.get(`/codesample/${id}`)).body).toMatchObject({ name: 'made on the server' })
  await stop()
  expect((await parley(['verify', '--seal', seals], { PARLEY_DATA: folder, PARLEY_KEY })).code).toBe(0)
})

test('resumes a killed copy and refuses to start on a partial one', async () => {
  const double = await startDouble()
  const { url } = double
  double.faults.delay = 4
  await using there = await serverAt(url)
  for (const wanted of [1, 30]) {
    const child = spawn(process.execPath, [PARLEY, 'copy', '--to', url], {
      env: { PATH: process.env.PATH ?? '', PARLEY_DATA: data, PARLEY_KEY },
    })
    while ((await there.count()) < wanted) await pause(20)
    await killTree(child)
  }
  double.faults.delay = 0
  const early = await failToStart({ PARLEY_DATA: folders.next(), EVENTSTORE_URL: url, PARLEY_KEY, SINGLE_NODE: 'on' })
  expect(early).toMatchObject({ code: 1, errors: expect.stringContaining('a copy that is not complete: go on with') })
  const whole = await parley(['copy', '--to', url], { PARLEY_DATA: data, PARLEY_KEY })
  expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('The chain holds.') })
  expect(Number(/order, (\d+) of them from before/.exec(whole.output)?.[1])).toBeGreaterThanOrEqual(30)
})

test('refuses an impossible copy with one line', async () => {
  const { url } = await startDouble()
  const refused = async (code: number, line: string | RegExp, words: string[], env: Record<string, string> = {}) => {
    const errors = line instanceof RegExp ? expect.stringMatching(line) : expect.stringContaining(line)
    expect(await parley(['copy', ...words], { PARLEY_DATA: data, PARLEY_KEY, ...env })).toMatchObject({ code, errors })
  }
  await refused(2, '--to <store> is missing.', [])
  await refused(2, 'A log is copied between a folder and a server', ['--to', folders.next()])
  await refused(1, /^PARLEY_KEY must be given/, ['--to', url], { PARLEY_KEY: '' })
  const PARLEY_KEY_OF_OTHERS = Buffer.alloc(32, 8).toString('base64')
  await refused(1, /^PARLEY_KEY is another one/, ['--to', url], { PARLEY_KEY: PARLEY_KEY_OF_OTHERS })
  const held = await openEmbeddedStore({ folder: data })
  await refused(1, /is in use by process \d+\n$/, ['--to', url])
  await held.close()
  const store = await openEventStoreDb({ url })
  await store.append('bot-other', 0, [newEvent('BotCreated')])
  await store.close()
  await refused(1, 'The event store holds something else: revision 1 of bot-other', ['--to', url])
})

test('answers that were swept leave chain and seals whole, in the log, in a backup of it and when that is brought back', async () => {
  const holds = async (folder: string) =>
    expect((await parley(['verify', '--seal', seals], { PARLEY_DATA: folder, PARLEY_KEY })).code).toBe(0)
  await holds(data)
  const archive = `${folders.next()}.tar`
  expect((await parley(['backup', archive], { PARLEY_DATA: data, PARLEY_KEY })).code).toBe(0)
  const restored = folders.next()
  expect((await parley(['restore', archive], { PARLEY_DATA: restored, PARLEY_KEY })).code).toBe(0)
  await holds(restored)
})

const serverAt = async (url: string) => {
  const store = await openEventStoreDb({ url })
  return {
    async count() {
      let events = 0
      for await (const _ of store.readAll()) events += 1
      return events
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}

/** `parley` runs the command in a process below it, which must go at once as well. */
async function killTree(child: ChildProcess): Promise<void> {
  const below = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  for (const pid of below) process.kill(Number(pid), 'SIGKILL')
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
