import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CopyRefused, type Source, type Target } from '#commands/copy/copy-checkpoints.ts'
import { copyStore } from '#commands/copy/copy-store.ts'
import { MAX_APPENDED, sizeOf } from '#commands/store/embedded/embedded-store.ts'
import { readMarks } from '#commands/store/embedded/event-file.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { sizeOfEvent } from '#commands/store/eventstoredb/append.ts'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { readMarks as readServersMarks } from '#commands/store/eventstoredb/read-marks.ts'
import { type EventStore, StoreUnavailable, storeAround } from '#commands/store/port.ts'
import { newEvent } from '#test/contract/store/event.ts'
import { type EventStoreDouble, startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { shownBy, writeLogToCopy } from './copied-log.ts'
import { Folders } from './parley.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const folders = new Folders()
const opened: { close(): Promise<void> }[] = []
const TIMEOUT_MS = 20_000

let folder: string
let original: EventStore
let double: EventStoreDouble
let server: EventStore
let finished = 0

const embedded = async (at: string): Promise<EventStore> => {
  const store = await openEmbeddedStore({ folder: at })
  opened.push(store)
  return store
}
const startServer = async () => {
  const started = await startEventStoreDouble({ folder: folders.next() })
  const store = await openEventStoreDb({ url: started.url })
  opened.push(store, { close: () => started.stop() })
  return { started, store }
}

const source = (): Source => ({ store: original, marks: () => readMarks(folder) })
const ofServer = (store: EventStore): Target => ({
  store,
  name: 'the server',
  sizeOf: sizeOfEvent,
  most: MAX_APPENDED,
  atOnce: 1,
})
const ofFolder = (store: EventStore): Target => ({ store, name: 'the folder', sizeOf, most: MAX_APPENDED, atOnce: 50 })
const keys = {
  begin: () => undefined,
  finish() {
    finished += 1
  },
}

beforeAll(async () => {
  folder = folders.next()
  original = await embedded(folder)
  await writeLogToCopy(original)
})
beforeEach(async () => {
  ;({ started: double, store: server } = await startServer())
  finished = 0
})
afterAll(async () => {
  for (const one of opened.reverse()) await one.close().catch(() => undefined)
  folders.clear()
})

/** Ends a copy at its nth write, before or after it was done, as a crash would. */
const crashing = (store: EventStore, at: number, isDone: boolean): EventStore => {
  let writes = 0
  const counted = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1
    if (writes < at) return write()
    if (isDone && writes === at) await write()
    throw new Error('crash')
  }
  return storeAround(store, {
    append: (...given) => counted(() => store.append(...given)),
    delete: (...given) => counted(() => store.delete(...given)),
    tombstone: (...given) => counted(() => store.tombstone(...given)),
    setMetadata: (...given) => counted(() => store.setMetadata(...given)),
  })
}

test('a log goes to a server and back into a folder, and each shows the same, byte by byte', async () => {
  const there = await copyStore({ source: source(), target: ofServer(server), keys, patience: TIMEOUT_MS })
  expect(there).toMatchObject({ present: 0, marks: 5, found: { amiss: 0 } })
  expect(there.found.seals).toBeGreaterThan(1)
  const expected = await shownBy(original)
  expect(await shownBy(server)).toBe(expected)
  const back = await embedded(folders.next())
  const fromServer = { store: server, marks: () => readServersMarks(double.url) }
  const returned = await copyStore({ source: fromServer, target: ofFolder(back), keys, patience: TIMEOUT_MS })
  expect(returned.found).toMatchObject({ amiss: 0, events: there.found.events, seals: there.found.seals })
  expect(await shownBy(back)).toBe(expected)
  expect(finished).toBe(2)
})

/** Copies until it is whole, each time crashing a little later than it had come, before or after a write was done. */
const copyInParts = async (from: Source, to: Target): Promise<number> => {
  for (let crashes = 0; ; crashes++) {
    const target = { ...to, store: crashing(to.store, 1 + (crashes % 3), crashes % 2 === 0), atOnce: 1 }
    try {
      await copyStore({ source: from, target, keys, patience: 0 })
      return crashes
    } catch (error) {
      expect(error).toMatchObject({ message: 'crash' })
      expect(finished).toBe(0)
    }
  }
}

test('resumes a copy interrupted before or after every write, in both directions', async () => {
  const at = folders.next()
  const small = await embedded(at)
  await writeLogToCopy(small, 1)
  const expected = await shownBy(small)
  expect(await copyInParts({ store: small, marks: () => readMarks(at) }, ofServer(server))).toBeGreaterThan(10)
  expect(await shownBy(server)).toBe(expected)
  expect(finished).toBe(1)
  finished = 0
  const back = await embedded(folders.next())
  const fromServer = { store: server, marks: () => readServersMarks(double.url) }
  expect(await copyInParts(fromServer, ofFolder(back))).toBeGreaterThan(10)
  expect(await shownBy(back)).toBe(expected)
})

test('a server that cuts calls, loses answers, is not ready or restarts delays a copy and spoils nothing', async () => {
  let restarted: Promise<void> | undefined
  const progress = (step: string, done: number) => {
    if (step === 'copying' && done > 10) restarted ??= double.restart()
    if (step === 'verifying') double.faults.read('cut')
  }
  const impatient = await openEventStoreDb({ url: double.url, deadline: 1000 })
  opened.push(impatient)
  double.faults.append('cut', 'lostAnswer', 'notReady', 'noAnswer', 'notLeader', 'lostAnswer')
  double.faults.read('cut', 'notReady', 'cut')
  const copied = await copyStore({
    source: source(),
    target: ofServer(impatient),
    keys,
    patience: TIMEOUT_MS,
    progress,
  })
  await restarted
  expect(copied.found.amiss).toBe(0)
  expect(await shownBy(server)).toBe(await shownBy(original))
})

test('ends the copy when the server stays away, and resumes it later', async () => {
  const progress = (step: string, done: number) => {
    if (step === 'copying' && done > 10) void double.stop()
  }
  const failing = copyStore({ source: source(), target: ofServer(server), keys, patience: 300, progress })
  await expect(failing).rejects.toThrow(StoreUnavailable)
  await pause(100)
  await double.start()
  const { present } = await copyStore({ source: source(), target: ofServer(server), keys, patience: TIMEOUT_MS })
  expect(present).toBeGreaterThan(5)
  expect(await shownBy(server)).toBe(await shownBy(original))
})

test('applies changes at the source between two parts of a copy to the target', async () => {
  const at = folders.next()
  const changing = await embedded(at)
  await writeLogToCopy(changing)
  const from = { store: changing, marks: () => readMarks(at) }
  const broken = copyStore({ source: from, target: ofServer(crashing(server, 25, true)), keys, patience: 0 })
  await expect(broken).rejects.toThrow('crash')
  await changing.delete('request-limited', 5)
  await changing.append('request-limited', 5, [newEvent('RequestStarted')])
  await changing.append('request-limited', 6, [newEvent('RequestAnswered')])
  await changing.delete('request-reused', 3)
  await copyStore({ source: from, target: ofServer(server), keys, patience: TIMEOUT_MS })
  expect(await shownBy(server)).toBe(await shownBy(changing))
})

test('a target that holds anything else is refused, and left as it is', async () => {
  await server.append('bot-z', 0, [newEvent('BotCreated')])
  const before = await shownBy(server)
  const refused = copyStore({ source: source(), target: ofServer(server), keys, patience: TIMEOUT_MS })
  await expect(refused).rejects.toThrow('the server holds something else: revision 1 of bot-z')
  expect(await shownBy(server)).toBe(before)
  expect(finished).toBe(0)
})

test('a target that goes beyond the log is refused', async () => {
  await copyStore({ source: source(), target: ofServer(server), keys, patience: TIMEOUT_MS })
  await server.append('bot-z', 0, [newEvent('BotCreated')])
  const again = copyStore({ source: source(), target: ofServer(server), keys, patience: TIMEOUT_MS })
  await expect(again).rejects.toThrow(CopyRefused)
})

test('reports an event that the server would reject before the first write', async () => {
  const at = folders.next()
  const store = await embedded(at)
  await store.append('request-small', 0, [newEvent('RequestStarted')])
  const large = newEvent('RequestAnsweredWithAName'.repeat(8), { text: 'x'.repeat(MAX_APPENDED - 420) })
  await store.append('request-large', 0, [large])
  const from = { store, marks: () => readMarks(at) }
  const refused = copyStore({ source: from, target: ofServer(server), keys, patience: TIMEOUT_MS })
  await expect(refused).rejects.toThrow(/takes at most 1048576 bytes at once; .*\n {2}revision 1 of request-large/)
  expect(await server.head()).toBe('')
})

test('a log whose chain does not hold is not carried on', async () => {
  const at = folders.next()
  const store = await embedded(at)
  await store.append('bot-a', 0, [newEvent('BotCreated')])
  const from = { store, marks: () => readMarks(at) }
  const refused = copyStore({ source: from, target: ofServer(server), keys, patience: TIMEOUT_MS })
  await expect(refused).rejects.toThrow('The chain of this log does not hold: parley verify tells where')
  expect(await server.head()).toBe('')
})
