import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createCommandHandler } from '#commands/command-handler.ts'
import { dyingStore, memoryStore, PowerCut, pausedStore } from '#commands/fixture/memory-store.ts'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { storeLookup } from '#commands/fixture/workbench.ts'
import { verifyLog } from '#commands/integrity/verify-log.ts'
import { bootstrap } from '#commands/people/bootstrap.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isFull } from '#test/fixture/full.ts'
import { createSample } from './create-sample.ts'
import { openSampleLog } from './open-sample.ts'
import { sampleIds } from './plan.ts'

const NOW = new Date('2026-11-21T15:00:00.000Z')
const FIRST_DAY = '2026-09-17T11:00:00.000Z'
const LAST_DAY = '2026-11-20T21:30:00.000Z'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const openBench = async (nodes = 0) => {
  const store = memoryStore()
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

/** Events without those internal to commands: count by type, and times. */
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

/** Events of an uninterrupted sample; made once. */
let whole: ReturnType<typeof happened> | undefined
const wholeStory = () => {
  whole ??= openBench().then(async ({ store, begin }) => {
    await begin(store, false)
    return happened(store)
  })
  return whole
}

test('a sample broken off again and again is completed by later starts, and its six days happen once', async () => {
  const broken = await openBench()

  let starts = 0
  for (let isDone = false; !isDone; starts += 1) {
    const dying = dyingStore(broken.store, (isFull ? 61 : 181) + (starts % 7), starts % 2 === 0)
    isDone = await broken.begin(dying).then(
      () => true,
      error => {
        if (!(error instanceof PowerCut)) throw error
        return false
      },
    )
  }

  expect(starts).toBeGreaterThan(isFull ? 8 : 2)
  const story = await wholeStory()
  expect(await happened(broken.store)).toEqual(story)
  expect(story.times[0]?.localeCompare(FIRST_DAY)).toBe(1)
  expect(new Set(story.times.map(time => time.slice(0, 10))).size).toBe(6)
}, 60_000)

test('turns the desk of the shop on, with a queue, three agents and answers in their language [P-2481]', async () => {
  const { store, begin } = await openBench()
  await begin(store, false)
  const fields = { deskqueue: [] as JsonObject[], agentchannel: [] as JsonObject[], cannedanswer: [] as JsonObject[] }
  for await (const { stream, type, data } of store.readAll()) {
    const entity = stream.split('-')[0] as keyof typeof fields
    if (/^(DeskQueue|AgentChannel|CannedAnswer)Created$/.test(type)) fields[entity].push(data.fields as JsonObject)
  }
  const members = fields.deskqueue[0]?.members as { readonly user: string }[]
  const idOf = sampleIds(store)
  const agents = ['marina.duarte', 'paulo.ferraz', 'taina.lopes'].map(key => idOf('user', key))
  expect(members.map(({ user }) => user)).toEqual(agents)
  const happenedTo = new Set<string>()
  for await (const { stream } of store.readAll()) happenedTo.add(stream)
  for (const agent of agents) expect(happenedTo).toContain(`user-${agent}`)
  expect(fields.agentchannel).toMatchObject([{ type: 'parley' }])
  expect(fields.cannedanswer).toHaveLength(7)
  expect(new Set(fields.cannedanswer.map(({ locale }) => locale))).toEqual(new Set(['pt']))
}, 60_000)

test('lets the last node on an empty shared store create the sample while the others pause in a step', async () => {
  const shared = await openBench(3)
  const [first, second, last] = shared.logs.toSorted((a, b) => Number(a.resumed) - Number(b.resumed))
  if (first === undefined || second === undefined || last === undefined) throw new Error('three nodes')
  const { store } = shared
  // One stands before it writes, another as soon as it knows that the next step is for it to take.
  const writing = pausedStore(store, 200)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let questions = 0
  const standing = async () => {
    const isOurs = await second.isOurs()
    questions += 1
    if (questions === 40) asked.resolve()
    if (questions === 40) await answered.promise
    return isOurs
  }

  await first.begun()
  const one = shared.begin(writing.store, first.resumed, first.isOurs)
  await writing.reached
  await second.begun()
  const two = shared.begin(store, second.resumed, standing)
  await asked.promise
  await last.begun()
  expect(await shared.begin(store, last.resumed, last.isOurs)).toBe(true)
  writing.release()
  answered.resolve()

  expect(await Promise.all([one, two])).toEqual([false, false])
  await first.finish()
  expect(await last.begun()).toBeDefined()
  await last.finish()
  expect(await last.begun()).toBeUndefined()
  expect(await happened(shared.store)).toEqual(await wholeStory())
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
