import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import { type EventStore, EventTooLarge, StoreUnavailable, WrongRevision } from '#commands/store/port.ts'
import { type EventStoreDouble, startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { collect, newEvent, newEvents, revisions } from './event.ts'
import { Recorder } from './recorder.ts'

const IMPATIENCE = 700
const MEBIBYTE = 1024 * 1024

const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise(resolve => setTimeout(resolve, 20))
}
const fresh = <T extends object>(event: T): T => ({ ...event, id: randomUUID() })

describe.each([true, false])(
  'Before a faulty server (appends in batches: %s), the EventStoreDB adapter',
  hasBatchAppend => {
    let folder: string
    let double: EventStoreDouble
    let store: EventStore
    let impatient: EventStore
    let streams = 0
    const stream = () => `bot-${++streams}`

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-esdb-'))
      double = await startEventStoreDouble({ folder, hasBatchAppend })
      store = await openEventStoreDb({ url: double.url, silence: 200 })
      impatient = await openEventStoreDb({ url: double.url, deadline: IMPATIENCE, silence: 200 })
    })
    afterEach(() => {
      double.faults.thaw()
      double.faults.areSubscriptionsSilent = false
      double.faults.delay = 0
      double.faults.search = 0
      double.faults.acceptsRepeatsAnywhere = false
      double.faults.clear()
    })
    afterAll(async () => {
      await store.close()
      await impatient.close()
      await double.stop()
      await rm(folder, { recursive: true })
    })

    it.each(['cut', 'lostAnswer', 'notReady', 'notLeader'] as const)(
      'appends once after %s, and answers as if nothing had been',
      async fault => {
        const name = stream()
        await store.append(name, 0, newEvents(1))
        const events = newEvents(3)
        double.faults.append(fault)
        const appended = await store.append(name, 1, events)
        const stored = await collect(store.read(name))
        expect(stored.map(({ id }) => id).slice(1)).toEqual(events.map(({ id }) => id))
        expect(appended).toEqual({ revision: 4, position: stored.at(-1)?.position })
      },
    )

    it('tries on through several faults in a row', async () => {
      const name = stream()
      double.faults.append('cut', 'notReady', 'lostAnswer')
      expect((await store.append(name, 0, newEvents(2))).revision).toBe(2)
      expect(await revisions(store.read(name))).toEqual([1, 2])
    })

    it('fails no other stream when one is refused, cut or too large', async () => {
      const names = Array.from({ length: 20 }, stream)
      const [taken = '', large = '', ...others] = names
      await store.append(taken, 0, newEvents(1))
      double.faults.append('cut', 'tooLarge', 'lostAnswer')
      const outcomes = await Promise.allSettled([
        store.append(taken, 0, newEvents(1)),
        store.append(large, 0, [newEvent('FlowEdited', { text: 'x'.repeat(MEBIBYTE) })]),
        ...others.map(name => store.append(name, 0, newEvents(2))),
      ])
      const [first, second, ...rest] = outcomes
      expect(first).toMatchObject({ reason: expect.any(WrongRevision) })
      expect(second).toMatchObject({ reason: expect.any(EventTooLarge) })
      expect(rest.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'))
      for (const name of others) expect(await revisions(store.read(name))).toEqual([1, 2])
    })

    it('says too large, and not that the outcome is unknown, when the server finds it so', async () => {
      double.faults.append('tooLarge', 'tooLarge', 'tooLarge')
      await expect(store.append(stream(), 0, newEvents(1))).rejects.toThrow(EventTooLarge)
    })

    it('gives up on a frozen server after its own timeout, and writes the same ids once after recovery', async () => {
      const name = stream()
      await store.append(name, 0, newEvents(1))
      const events = newEvents(2)
      double.faults.freeze()
      const began = performance.now()
      await expect(impatient.append(name, 1, events)).rejects.toThrow(StoreUnavailable)
      await expect(impatient.revision(name)).rejects.toThrow(StoreUnavailable)
      expect(performance.now() - began).toBeLessThan(3 * IMPATIENCE)
      double.faults.thaw()
      expect((await impatient.append(name, 1, events)).revision).toBe(3)
      expect(await revisions(store.read(name))).toEqual([1, 2, 3])
    })

    it('waits for a slow server', async () => {
      const name = stream()
      double.faults.delay = 200
      expect((await store.append(name, 0, newEvents(1))).revision).toBe(1)
      expect(await revisions(store.read(name))).toEqual([1])
    })

    it('waits while the server searches its log without a word, and not for one that is dead', async () => {
      const name = stream()
      const after = await store.head()
      await store.append(name, 0, newEvents(1))
      double.faults.search = 2 * IMPATIENCE
      expect(await revisions(impatient.readAll({ after, filter: { streamPrefixes: [name] } }))).toEqual([1])
      double.faults.freeze()
      const began = performance.now()
      await expect(collect(impatient.readAll({ after }))).rejects.toThrow(StoreUnavailable)
      expect(performance.now() - began).toBeLessThan(3 * IMPATIENCE)
    })

    it('resumes a read that was cut', async () => {
      const name = stream()
      const after = await store.head()
      await store.append(name, 0, newEvents(10))
      double.faults.read('cut', 'notReady', 'cut')
      expect(await revisions(store.read(name))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      double.faults.read('cut', 'notReady', 'cut')
      expect(await revisions(store.readAll({ after }))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      double.faults.read('cut', 'cut')
      expect(await revisions(store.read(name, { direction: 'backwards' }))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    })

    it('reads to the end, and misses no event, after reads that end without their last events [P-2813]', async () => {
      const name = stream()
      const after = await store.head()
      await store.append(name, 0, newEvents(10))
      const expected = Array.from({ length: 10 }, (_, n) => n + 1)
      const reset = (reads = 4) => double.faults.read(...Array.from({ length: reads }, () => 'reset' as const))
      reset()
      expect(await revisions(store.read(name))).toEqual(expected)
      reset()
      expect(await revisions(store.read(name, { from: 3 }))).toEqual(expected.slice(2))
      reset()
      expect(await revisions(store.read(name, { direction: 'backwards' }))).toEqual(expected.toReversed())
      for (const filter of [{}, { streamPrefixes: [name] }, { types: ['BotStarted'] }]) {
        // The head of the log is read first, by a subscription twice.
        reset(2)
        expect(await revisions(store.readAll({ after, filter }))).toEqual(expected)
        reset(3)
        const recorder = new Recorder(store, after, filter)
        await recorder.untilCaughtUp()
        expect(recorder.events.map(({ revision }) => revision)).toEqual(expected)
        await recorder.subscription.stop()
      }
      double.faults.append('lostAnswer')
      reset()
      expect((await store.append(name, 10, newEvents(3))).revision).toBe(13)
    })

    it('takes a subscription up again that fell silent: no event twice, none missing, and it says so', async () => {
      const name = stream()
      const told: string[] = []
      const recorder = new Recorder(store, await store.head(), undefined, undefined, told)
      await recorder.untilCaughtUp()
      await store.append(name, 0, newEvents(2))
      await recorder.until(({ events }) => events.length === 2)
      double.faults.areSubscriptionsSilent = true
      await store.append(name, 2, newEvents(2))
      await recorder.until(({ events, caughtUp }) => events.length === 4 && caughtUp.length > 1)
      expect(told).toHaveLength(1)
      double.faults.areSubscriptionsSilent = false
      await recorder.subscription.stop()
      expect(recorder.events.map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
    })

    it('writes and delivers everything once through restarts of the server in mid-append', async () => {
      const names = Array.from({ length: 4 }, stream)
      const recorder = new Recorder(store, await store.head())
      await recorder.untilCaughtUp()
      const writing = names.map(async name => {
        for (let revision = 0; revision < 40; revision += 2) {
          const events = newEvents(2)
          const append = () => store.append(name, revision, events)
          expect((await append().catch(append)).revision).toBe(revision + 2)
        }
      })
      for (let restart = 0; restart < 2; restart++) {
        await new Promise(resolve => setTimeout(resolve, 60))
        await double.restart()
      }
      await Promise.all(writing)
      await recorder.until(({ events }) => events.length >= 160)
      for (const name of names) {
        const expected = Array.from({ length: 40 }, (_, n) => n + 1)
        expect(await revisions(store.read(name))).toEqual(expected)
        expect(recorder.events.filter(event => event.stream === name).map(({ revision }) => revision)).toEqual(expected)
      }
      await recorder.subscription.stop()
    })

    it('never leaves it to chance: after a restart the server writes ANY twice, and the adapter has no such call', async () => {
      const client = KurrentDBClient.connectionString(double.url.replace('esdb', 'kurrentdb'))
      const name = stream()
      const event = jsonEvent({ id: randomUUID(), type: 'Said', data: {} })
      await client.appendToStream(name, event, { streamState: 'any' })
      await client.appendToStream(name, event, { streamState: 'any' })
      await double.restart()
      await client.appendToStream(name, event, { streamState: 'any' }).catch(() => undefined)
      const again = await client.appendToStream(name, event, { streamState: 'any' })
      expect(again.nextExpectedRevision).toBe(1n)
      await client.dispose()
      const events = newEvents(1)
      const kept = stream()
      const first = await store.append(kept, 0, events)
      await double.restart()
      expect(await store.append(kept, 0, events)).toEqual(first)
    })

    it('passes over what other programs keep in the same server, however much it is', async () => {
      const client = KurrentDBClient.connectionString(double.url.replace('esdb', 'kurrentdb'))
      const after = await store.head()
      const recorder = new Recorder(store, after)
      await recorder.untilCaughtUp()
      const foreign = Array.from({ length: 300 }, () => jsonEvent({ type: 'OrderPlaced', data: {} }))
      for (const order of [1, 2]) await client.appendToStream(`order-${streams}-${order}`, foreign.map(fresh))
      expect(await store.head()).toBe(after)
      expect(await collect(store.readAll({ after }))).toEqual([])
      const { position } = await store.append(stream(), 0, newEvents(1))
      expect(await store.head()).toBe(position)
      expect((await collect(store.readAll({ after }))).map(event => event.position)).toEqual([position])
      await recorder.until(({ events }) => events.length === 1)
      await recorder.subscription.stop()
      await client.dispose()
    })

    it('fails a read, and reports a subscription as interrupted, when it begins where the server has no record', async () => {
      const { position } = await store.append(stream(), 0, newEvents(1))
      const within = position.replace(/\d(?=\/)/, '1')
      const beyond = position.replace(/^./, '1')
      for (const after of [within, beyond]) {
        await expect(collect(impatient.readAll({ after }))).rejects.toThrow(StoreUnavailable)
        const interruptions: string[] = []
        const recorder = new Recorder(impatient, after, undefined, undefined, interruptions)
        await recorder.until(() => interruptions.length > 0)
        await recorder.subscription.stop()
        expect(recorder.events).toEqual([])
      }
    })

    it('stands before a server that recognises an append with ANY by its ids alone', async () => {
      const client = KurrentDBClient.connectionString(double.url.replace('esdb', 'kurrentdb'))
      const name = stream()
      const [first, second] = [1, 2].map(n => jsonEvent({ id: randomUUID(), type: 'Said', data: { n } }))
      if (first === undefined || second === undefined) throw new Error('two events')
      await client.appendToStream(name, [first, second], { streamState: 'no_stream' })
      const again = await client.appendToStream(name, [first], { streamState: 'any' })
      expect(again.nextExpectedRevision).toBe(0n)
      expect((await client.appendToStream(name, [first, second], { streamState: 'any' })).nextExpectedRevision).toBe(1n)
      expect(await revisions(store.read(name))).toEqual([])
      expect(await store.revision(name)).toBe(2)
      await client.dispose()
    })

    it('says that the store is away while it is, and that it is back', async () => {
      const told: string[] = []
      const recorder = new Recorder(impatient, await store.head(), undefined, undefined, told)
      await recorder.untilCaughtUp()
      await double.stop()
      await expect(impatient.append(stream(), 0, newEvents(1))).rejects.toThrow(StoreUnavailable)
      await expect(impatient.head()).rejects.toThrow(StoreUnavailable)
      await recorder.until(() => told.length > 0)
      await double.start()
      const before = recorder.caughtUp.length
      await store.append(stream(), 0, newEvents(1))
      await recorder.until(({ events, caughtUp }) => events.length === 1 && caughtUp.length > before)
      await recorder.subscription.stop()
    })

    it('reports an append as unknown that is written and answered after the deadline; the same ids write nothing more [P-1520]', async () => {
      const name = stream()
      await store.append(name, 0, newEvents(1))
      const events = newEvents(2)
      double.faults.lateMs = 2 * IMPATIENCE
      double.faults.append('lateAnswer')
      await expect(impatient.append(name, 1, events)).rejects.toThrow(StoreUnavailable)
      expect(await revisions(store.read(name))).toEqual([1, 2, 3])
      const again = await impatient.append(name, 1, events)
      expect(again).toEqual({ revision: 3, position: (await collect(store.read(name))).at(-1)?.position })
    })

    it('refuses another append at the revision of one that was written after its deadline [P-1520]', async () => {
      const name = stream()
      await store.append(name, 0, newEvents(1))
      const events = newEvents(2)
      double.faults.lateMs = 2 * IMPATIENCE
      double.faults.append('lateWrite')
      await expect(impatient.append(name, 1, events)).rejects.toThrow(StoreUnavailable)
      expect(await store.revision(name)).toBe(1)
      await until(async () => (await store.revision(name)) === 3)
      await expect(impatient.append(name, 1, newEvents(1))).rejects.toThrow(WrongRevision)
      expect((await impatient.append(name, 1, events)).revision).toBe(3)
      expect(await revisions(store.read(name))).toEqual([1, 2, 3])
    })

    it('reads on after a freeze in the middle of a read, and gives up within its deadline on a longer one [P-1521]', async () => {
      const name = stream()
      await store.append(name, 0, newEvents(10))
      const expected = Array.from({ length: 10 }, (_, n) => n + 1)
      double.faults.freezeMs = IMPATIENCE
      double.faults.read('freeze')
      const began = performance.now()
      expect(await revisions(store.read(name))).toEqual(expected)
      expect(performance.now() - began).toBeGreaterThan(IMPATIENCE - 50)
      double.faults.freezeMs = 60_000
      double.faults.read('freeze')
      await expect(collect(impatient.read(name))).rejects.toThrow(StoreUnavailable)
      double.faults.thaw()
      expect(await revisions(impatient.read(name))).toEqual(expected)
    })

    it('resumes a subscription that the server cut as too slow: no event twice, none missing [P-1522]', async () => {
      const name = stream()
      const interruptions: string[] = []
      const recorder = new Recorder(store, await store.head(), undefined, undefined, interruptions)
      await recorder.untilCaughtUp()
      for (let revision = 0; revision < 6; revision += 2) {
        await store.append(name, revision, newEvents(2))
        await until(async () => double.faults.cutSubscriptions() > 0)
        await recorder.until(() => interruptions.length > revision / 2)
      }
      await recorder.until(({ events }) => events.length >= 6)
      await recorder.subscription.stop()
      expect(recorder.events.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6])
      expect(interruptions[0]).toContain('Consumer too slow')
    })

    it('refuses an append whose ids the server accepted at another revision [P-1523]', async () => {
      const name = stream()
      const events = newEvents(2)
      await store.append(name, 0, events)
      await store.append(name, 2, newEvents(3))
      double.faults.acceptsRepeatsAnywhere = true
      await expect(store.append(name, 5, events)).rejects.toThrow(WrongRevision)
      expect(await store.append(name, 0, events)).toMatchObject({ revision: 2 })
      expect(await store.revision(name)).toBe(5)
    })

    it('delivers every event once while the head of the log goes back [P-1524]', async () => {
      const name = stream()
      await store.append(name, 0, newEvents(5))
      const head = await store.head()
      const recorder = new Recorder(store, head)
      await recorder.untilCaughtUp()
      for (const fault of ['older', 'empty'] as const) {
        double.faults.head(fault)
        expect((await store.head()) < head).toBe(true)
        expect(await store.head()).toBe(head)
      }
      double.faults.head('older', 'empty', 'older')
      double.faults.cutSubscriptions()
      await store.append(name, 5, newEvents(2))
      await recorder.until(({ events }) => events.length >= 2)
      const late = new Recorder(store, head)
      double.faults.head('older', 'empty')
      await late.until(({ events }) => events.length >= 2)
      await recorder.subscription.stop()
      await late.subscription.stop()
      expect([recorder, late].map(({ events }) => events.map(({ revision }) => revision))).toEqual([
        [6, 7],
        [6, 7],
      ])
    })
  },
)
