import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { dyingStore, PowerCut } from '#commands/fixture/store-around.ts'
import { storeLookup } from '#commands/fixture/store-lookup.ts'
import { createCommandHandler } from '#commands/handle.ts'
import { bootstrap } from '#commands/people/bootstrap.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { verifyLog } from '#commands/trust/verify-log.ts'
import { createSample } from './create-sample.ts'
import { openSampleLog } from './sample-log.ts'

const NOW = new Date('2026-11-21T15:00:00.000Z')
const FIRST_DAY = '2026-11-16T11:00:00.000Z'
const LAST_DAY = '2026-11-20T21:30:00.000Z'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const openBench = async (nodes = 0) => {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'))
  const store = await openEmbeddedStore({ folder })
  closing.push(
    () => rm(folder, { recursive: true, force: true }),
    () => store.close(),
  )
  const logs = await Promise.all(Array.from({ length: nodes }, () => openSampleLog(store)))
  const keys = plainKeys()
  await bootstrap({ store, commands: createCommandHandler({ store, keys, lookup: storeLookup(store) }) })
  const begin = (through: EventStore = store, resumed = true, isOurs = async () => true) =>
    createSample({
      store: through,
      keys,
      lookup: storeLookup(store),
      now: NOW,
      resumed,
      signal: new AbortController().signal,
      isOurs,
    })
  return { store, logs, begin }
}

/** What happened, without what commands need for themselves: how many events of each type, and when. */
const happened = async (store: EventStore) => {
  const counts: Record<string, number> = {}
  const times = new Set<string>()
  for await (const { stream, type, time } of store.readAll()) {
    if (/^(name|process|versioncontent|sample)-/.test(stream) || /Fenced$|Superseded$/.test(type)) continue
    counts[type] = (counts[type] ?? 0) + 1
    times.add(time)
  }
  return { counts, times: [...times].filter(time => time < LAST_DAY).sort() }
}

test('a sample broken off again and again is completed by later starts, and its five days happen once', async () => {
  const [whole, broken] = [await openBench(), await openBench()]
  await whole.begin(whole.store, false)

  let starts = 0
  for (let isDone = false; !isDone; starts += 1) {
    const dying = dyingStore(broken.store, 43 + (starts % 7), starts % 2 === 0)
    isDone = await broken.begin(dying).then(
      () => true,
      error => {
        if (!(error instanceof PowerCut)) throw error
        return false
      },
    )
  }

  expect(starts).toBeGreaterThan(8)
  const story = await happened(whole.store)
  expect(await happened(broken.store)).toEqual(story)
  expect(story.times[0]?.localeCompare(FIRST_DAY)).toBe(1)
  expect(new Set(story.times.map(time => time.slice(0, 10))).size).toBe(5)
}, 60_000)

test('of nodes that share an empty store the last to come makes the sample, from where the first left it', async () => {
  const [whole, shared] = [await openBench(), await openBench(2)]
  await whole.begin(whole.store, false)
  const [first, last] = shared.logs.toSorted((a, b) => Number(a.resumed) - Number(b.resumed))
  if (first === undefined || last === undefined) throw new Error('two nodes')

  expect([first.resumed, last.resumed]).toEqual([false, true])
  await first.begun()
  let steps = 0
  const untilTaken = async () => {
    steps += 1
    if (steps === 50) await last.begun()
    return first.isOurs()
  }
  expect(await shared.begin(shared.store, false, untilTaken)).toBe(false)
  expect(await shared.begin(shared.store, true, last.isOurs)).toBe(true)
  await first.finish()
  expect(await last.begun()).toBeDefined()
  await last.finish()

  expect(await last.begun()).toBeUndefined()
  expect(await happened(shared.store)).toEqual(await happened(whole.store))
  expect((await verifyLog(shared.store)).findings).toEqual([])
}, 60_000)

test('only a store in which nothing ever happened gets a sample, and only until it is finished', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'))
  const store = await openEmbeddedStore({ folder })
  closing.push(
    () => rm(folder, { recursive: true, force: true }),
    () => store.close(),
  )

  const first = await openSampleLog(store)
  const second = await openSampleLog(store)

  expect([first.resumed, second.resumed]).toEqual([false, true])
  expect(await second.begun()).toEqual(await first.begun())
  await first.finish()
  expect(await second.begun()).toBeUndefined()

  const used = await openBench()
  expect(await (await openSampleLog(used.store)).begun()).toBeUndefined()
})
