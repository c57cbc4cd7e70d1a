import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { ConversationIndex } from '#runtime/conversation/index/conversation-index.ts'
import type { StoredEvent } from '#schemas/event.ts'
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { until } from './handed.ts'
import { say, talkOf } from './world.ts'

let world: DeskWorld
afterEach(() => world?.close())

const USERS = ['camila', 'diego'] as const
const PEOPLE = ['ana', 'bia', 'caio', 'davi', 'eva', 'fabio']
const SECOND = 1_000

/** Mulberry32: the same numbers in each run. */
const chanceOf = (start: number) => {
  let seed = start
  return (most: number): number => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

const PREFIXES = ['conversation-', 'conversationday-', 'deskplace-']
const eventsOf = async (store: EventStore): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = []
  for await (const event of store.readAll())
    if (PREFIXES.some(prefix => event.stream.startsWith(prefix))) events.push(event)
  return events
}

/** Counters of an index that reads some events. */
const countersOf = (events: readonly StoredEvent[]): readonly object[] => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-figures-'))
  const index = new ConversationIndex(join(folder, 'index.db'))
  try {
    for (const event of events) void index.apply('log', event)
    return index.figures.dump()
  } finally {
    void index.close().finally(() => rmSync(folder, { recursive: true, force: true }))
  }
}

/** Chats that are taken, answered, put away, passed on, closed, rated and given up, in a chosen order. */
const shift = async (node: DeskNode, seed: number): Promise<void> => {
  const chance = chanceOf(seed)
  const { work } = node.desk
  const actor = (user: string) => ({ user, isBoss: true })
  const open = new Set<string>()
  for (let step = 0; step < 60; step += 1) {
    world.world.now += chance(90) * SECOND
    const [person = '', user = 'camila'] = [PEOPLE[chance(PEOPLE.length)], USERS[chance(2)]]
    if (open.size < 4 && chance(3) === 0) {
      const chat = await world.waits(node, `${person}-${step}`)
      await until(() => expect(node.desk.index.get(chat)).toBeDefined())
      open.add(chat)
    }
    const chat = [...open][chance(Math.max(1, open.size))]
    if (chat === undefined) continue
    const holder = node.desk.index.get(chat)?.holder ?? user
    const act = chance(8)
    if (act === 0) await work.take(chat, user)
    else if (act === 1) {
      const words = { id: crypto.randomUUID(), text: 'Oi', files: [], seen: '999999999.999' }
      await work.say(chat, actor(holder), words)
    } else if (act === 2) await say(node.on, chat, 'e aí?')
    else if (act === 3) await work.snooze(chat, actor(holder), undefined)
    else if (act === 4) await work.transfer(chat, { queue: 'q2' }, undefined, actor(holder))
    else if (act === 5) await work.assign(chat, chance(2) === 0 ? null : user, actor(user))
    else if (act === 6) {
      const closed = await work.close(chat, actor(holder), chance(2) === 0 ? {} : { reason: 'solved' })
      if (closed.ok) {
        open.delete(chat)
        await until(async () => expect((await node.on.read(chat, '', 1))?.state).not.toMatch(/agent|active/u))
        if (chance(2) === 0) await say(node.on, chat, String(1 + chance(5)))
      }
    }
  }
}

const opened = async (): Promise<DeskNode> => {
  world = await openDeskWorld(undefined, { messages: new Map(Object.entries(pt)) })
  const fields = { mode: 'manual', csat: '5', csat_comment: 'Por quê?', close_reasons: [{ key: 'solved', name: 'R' }] }
  for (const queue of ['q1', 'q2']) world.directory.setQueue(queue, USERS, fields as never)
  for (const user of USERS) world.directory.setUser(user, { capacity: 20 })
  return world.node()
}
const isQuiet = async (node: DeskNode) => {
  await new Promise(resolve => setTimeout(resolve, 300))
  await until(async () => expect(node.desk.figures.dump()).toEqual(countersOf(await eventsOf(world.world.store))))
}

describe('figures of the desk', () => {
  test.each([1, 2, 3])('are the same live and rebuilt from the log, after shift %i [P-2472]', async seed => {
    const node = await opened()
    for (const user of USERS) await world.come(user, node)
    await shift(node, seed)
    await isQuiet(node)
    const counters = node.desk.figures.dump() as readonly { readonly what: string; readonly n: number }[]
    expect(counters.length).toBeGreaterThan(30)
    expect(counters.every(({ n }) => n > 0)).toBe(true)
    const sumOf = (what: string) => counters.reduce((sum, one) => (one.what === what ? sum + one.n : sum), 0)
    // A time of each kind is counted as often with and without the hours.
    for (const what of ['waiting', 'first', 'answer', 'handle', 'held']) expect(sumOf(`${what}.in`)).toBe(sumOf(what))
    const events = await eventsOf(world.world.store)
    const typed = (type: string) => events.filter(event => event.type === type)
    expect(sumOf('requested')).toBe(new Set(typed('AgentQueued').map(({ stream }) => stream)).size)
    expect(sumOf('csat.asked')).toBe(typed('RatingAsked').length)
    const rated = new Set(typed('ConversationRated').map(({ stream, data }) => `${stream} ${Number(data.rating)}`))
    expect(sumOf('csat.rated')).toBe(rated.size)
    const good = typed('ConversationRated').filter(({ data }) => !('sealed' in data) && Number(data.score) >= 4)
    expect(sumOf('csat.good')).toBe(good.length)
  })

  test('are not changed by events that come twice, nor by the order of conversations [P-2473]', async () => {
    const node = await opened()
    for (const user of USERS) await world.come(user, node)
    await shift(node, 4)
    const events = await eventsOf(world.world.store)
    const once = countersOf(events)
    expect(once.length).toBeGreaterThan(10)
    expect(countersOf(events.flatMap(event => [event, event]))).toEqual(once)
    expect(countersOf([...events, ...events])).toEqual(once)
    // After each event those before it come again, as after a restart.
    const windows = events.flatMap((event, at) => [event, ...events.slice(Math.max(0, at - 8), at)])
    expect(countersOf(windows)).toEqual(once)
    const byStream = [...Map.groupBy(events, ({ stream }) => stream).values()].toReversed().flat()
    expect(countersOf(byStream)).toEqual(once)
  })

  test('stay after a person was forgotten, and after the conversation was removed [P-2474]', async () => {
    const node = await opened()
    const chat = await world.waits(node, 'ana')
    await until(() => expect(node.desk.index.get(chat)?.status).toBe('waiting'))
    world.world.now += 20 * SECOND
    await node.desk.work.take(chat, 'camila')
    world.world.now += 10 * SECOND
    const camila = { user: 'camila', isBoss: false }
    await node.desk.work.say(chat, camila, { id: crypto.randomUUID(), text: 'Oi', files: [], seen: '9' })
    world.world.now += 60 * SECOND
    await node.desk.work.close(chat, camila, { reason: 'solved' })
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: Como foi o atendimento?'))
    await say(node.on, chat, '5')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: Por quê?'))
    await say(node.on, chat, 'rápido')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: de volta: closed'))
    await isQuiet(node)
    const days = { from: '2000-01-01', to: '2100-01-01', bots: ['bot'] }
    const counts = () =>
      Object.fromEntries(
        node.desk.figures
          .counts('queue', days)
          .filter(({ what }) => !what.includes('.in'))
          .map(({ key, what, bucket, n }) => [`${key} ${what} ${bucket}`, n]),
      )
    const before = counts()
    expect(before).toMatchObject({
      'q1 requested 0': 1,
      'q1 waiting 20000': 1,
      'q1 first 30000': 1,
      'q1 handle 70000': 1,
      'q1 goal.met 0': 1,
      'q1 csat.asked 0': 1,
      'q1 csat.rated 0': 1,
      'q1 csat.good 0': 1,
    })
    await node.on.forget(chat)
    await isQuiet(node)
    expect(counts()).toEqual(before)
    world.world.operate({ keepdays: 30 })
    world.world.now += 40 * 86_400_000
    expect(await node.on.sweep()).toBe(1)
    await until(() => expect(node.on.index.get(chat)).toBeUndefined())
    expect(counts()).toEqual(before)
    const other = await world.node({ name: 'other' })
    expect(other.desk.figures.counts('queue', days)).toEqual(node.desk.figures.counts('queue', days))
  })
})
