import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import type { EventStore } from '#commands/store/port.ts'
import { type EventStoreDouble, startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { type RandomFaultOptions, startRandomFaults } from '#test/doubles/eventstoredb/random-fault.ts'
import { RemoteDouble } from '#test/doubles/eventstoredb/remote-double.ts'
import { freePort } from '#test/doubles/free-port.ts'
import { newEvents, revisions } from './event.ts'
import { Recorder } from './recorder.ts'

/** Longest time after a fault until the adapter writes and delivers again. */
const BACK_MS = 10_000
const DEADLINE_MS = 1000

let folder: string
let double: EventStoreDouble
let store: EventStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-esdb-'))
  double = await startEventStoreDouble({ folder, secondPort: await freePort(), isProxied: true })
  store = await openEventStoreDb({ url: double.url, deadline: DEADLINE_MS })
})
afterEach(async () => {
  await store.close()
  await double.stop()
  await rm(folder, { recursive: true })
})

/** Appends with the same ids until the store takes them; returns the ms that it took. */
const insist = async (to: EventStore, stream: string, expected: number): Promise<number> => {
  const began = performance.now()
  const events = newEvents(1)
  for (;;) {
    try {
      expect((await to.append(stream, expected, events)).revision).toBe(expected + 1)
      return performance.now() - began
    } catch (error) {
      if (performance.now() - began > 3 * BACK_MS) throw error
      await pause(100)
    }
  }
}

it('N3: writes, reads and follows again within 10 s after each change of the leader [P-1525]', async () => {
  const recorder = new Recorder(store)
  await recorder.untilCaughtUp()
  for (let change = 0; change < 4; change++) {
    const silence = 1000 + 1000 * (change % 2)
    double.changeLeader(silence)
    expect(await insist(store, 'bot-1', change)).toBeLessThan(silence + BACK_MS)
    expect((await revisions(store.read('bot-1'))).length).toBe(change + 1)
    await recorder.until(({ events }) => events.length > change)
  }
  await recorder.subscription.stop()
  expect(recorder.events.map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
})

it('N3: writes, reads and follows again within 10 s when its connections are half-open [P-1526]', async () => {
  const recorder = new Recorder(store)
  await recorder.untilCaughtUp()
  await insist(store, 'bot-1', 0)
  double.halfOpen()
  const other = await openEventStoreDb({ url: double.url, deadline: DEADLINE_MS })
  expect((await other.append('bot-2', 0, newEvents(1))).revision).toBe(1)
  const began = performance.now()
  await insist(store, 'bot-1', 1)
  expect((await revisions(store.read('bot-1'))).length).toBe(2)
  await recorder.until(({ events }) => events.length === 3)
  expect(performance.now() - began).toBeLessThan(BACK_MS)
  await recorder.subscription.stop()
  await other.close()
})

it('draws the same faults from the same seed, and none after the end [P-1527]', async () => {
  const options: RandomFaultOptions = { kinds: ['lostAnswer', 'tooSlow', 'olderHead'], meanMs: 20 }
  const rows = []
  for (const seed of [7, 7, 8]) {
    const random = startRandomFaults(double, seed, options)
    while (random.drawn.length < 10) await pause(5)
    random.stop()
    const count = random.drawn.length
    await pause(100)
    expect(random.drawn.length).toBe(count)
    rows.push(random.drawn.slice(0, 10))
  }
  expect(rows[1]).toEqual(rows[0])
  expect(rows[2]).not.toEqual(rows[0])
  await insist(store, 'bot-1', 0)
})

it('writes after faults, suspensions and kills of a server in its own process [P-1527]', async () => {
  const place = await mkdtemp(join(tmpdir(), 'parley-esdb-'))
  const remote = await RemoteDouble.start(place)
  const there = await openEventStoreDb({ url: remote.url, deadline: DEADLINE_MS })
  await remote.call('append', 'lostAnswer')
  await insist(there, 'bot-1', 0)
  await remote.call('changeLeader', 1000)
  await insist(there, 'bot-1', 1)
  void remote.suspend(2000)
  expect(await insist(there, 'bot-1', 2)).toBeGreaterThan(1500)
  await remote.kill()
  await remote.start()
  await insist(there, 'bot-1', 3)
  expect(await revisions(there.read('bot-1'))).toEqual([1, 2, 3, 4])
  await there.close()
  await remote.kill()
  await rm(place, { recursive: true })
})
