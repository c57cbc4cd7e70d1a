import { hash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { memoryStore } from '#commands/fixture/memory-store.ts'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { draft, NO_STREAM, seal } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type Hearer, PublicEvents } from './public-events.ts'

const TIME = '2026-11-29T12:00:00.000Z'
const author = { seed: 's', actor: 'u1', time: TIME, correlation: 'c', causation: null }

const add = async (store: EventStore, stream: string, types: readonly (readonly [string, JsonObject])[]) => {
  const drafts = types.map(([type, data], at) => draft({ ...author, seed: `${stream} ${at}` }, type, type, 'l1', data))
  await store.append(stream, 0, seal(stream, NO_STREAM, drafts))
}

const open = (
  store: EventStore,
  levels: Readonly<Record<string, string>> = {},
  hmac = (text: string) => `${text.length}`.padStart(64, '0'),
) =>
  new PublicEvents({
    store,
    read: {
      places: async (_scope, ids) =>
        Object.fromEntries(
          Object.entries(ids).map(([entity, of]) => [
            entity,
            Object.fromEntries(of.map(id => [id, { level: levels[id] ?? 'l1' }])),
          ]),
        ),
      levels: async () => [{ id: 'root', name: '', parent: null }],
      reached: async () => true,
      status: () => ({ position: '', behind: 0, lateWaits: 0, ready: true }),
    },
    lookup: { ancestors: async level => [level, 'root'] },
    keys: plainKeys(),
    hmac,
    conversationLog: async () => undefined,
  })

const ALL: Hearer = { permits: () => true, level: 'root' }
const BEGIN = { console: '', conversations: '' }

test('looks at a bounded number of events a call, and finds a rare kind behind them [P-2682]', async () => {
  const store = memoryStore()
  const noise = Array.from({ length: 10_500 }, () => ['Noise', {}] as const)
  await add(store, 'noise', noise)
  await add(store, 'bot-b1', [['BotCreated', { fields: { name: 'Bia' } }]])
  const events = open(store)

  const types = ['entity.created']
  const first = await events.page(() => ALL, BEGIN, { types }, 1_000)
  expect(first).toMatchObject({ items: [], isCaughtUp: false })
  expect(first.next.console > '' && first.next.console < (await store.head())).toBe(true)
  let page = first
  for (let calls = 0; !page.isCaughtUp && calls < 1_000; calls += 1)
    page = await events.page(() => ALL, page.next, { types }, 1_000)
  expect(page.items.map(({ type, data }) => [type, data.id])).toEqual([['entity.created', 'b1']])
  expect(page.next.console).toBe(await store.head())
  // A caller that died before it kept the page gets it again.
  expect((await events.page(() => ALL, first.next, { types }, 1_000)).items.length).toBeLessThanOrEqual(1)
})

test('sends events of the receiver’s level and below, of its bots, and of readable entities alone [P-2676]', async () => {
  const store = memoryStore()
  for (const id of ['b1', 'b2']) await add(store, `bot-${id}`, [['BotCreated', { fields: { name: id } }]])
  await add(store, 'role-r1', [['RoleCreated', { fields: { name: 'r' } }]])
  const events = open(store, { b1: 'north', b2: 'south', r1: 'north' })
  const idsFor = async (hearer: Hearer, filter = {}) =>
    (await events.page(() => hearer, BEGIN, filter, 10)).items.map(({ data }) => data.id)

  expect(await idsFor(ALL)).toEqual(['b1', 'b2', 'r1'])
  expect(await idsFor({ ...ALL, level: 'north' })).toEqual(['b1', 'r1'])
  expect(await idsFor({ permits: name => name === 'readrole', level: 'root' })).toEqual(['r1'])
  expect(await idsFor(ALL, { bots: ['b3'] })).toEqual([])
})

test('reads the log once for readers at one position, and asks for rights where an event is wanted [P-2734]', async () => {
  const store = memoryStore()
  await add(store, 'bot-b1', [['BotCreated', { fields: { name: 'Bia' } }]])
  const events = open(store)
  const ends = await events.ends()
  const reads = vi.spyOn(store, 'readAll')
  const rights = vi.fn(() => ALL)
  const blind: Hearer = { permits: () => false, level: 'root' }
  const pages = await Promise.all([
    events.page(() => ALL, BEGIN, {}, 10, ends),
    events.page(() => blind, BEGIN, {}, 10, ends),
    events.page(rights, BEGIN, { types: ['bot.started'] }, 10, ends),
  ])
  expect(reads).toHaveBeenCalledTimes(1)
  expect(pages.map(({ items }) => items.length)).toEqual([1, 0, 0])
  expect(pages.map(({ next, scanned }) => [next, scanned])).toEqual(pages.map(() => [ends.now, 1]))
  expect(rights).not.toHaveBeenCalled()
})

test('continues behind the last event of a full page [P-2672]', async () => {
  const store = memoryStore()
  for (const bot of ['b1', 'b2', 'b3']) await add(store, `bot-${bot}`, [['BotCreated', { fields: { name: bot } }]])
  const events = open(store)
  const seen: string[] = []
  let cursor: Parameters<typeof events.page>[1] = BEGIN
  for (let page = 0, isOver = false; page < 9 && !isOver; page++) {
    const { items, next, isCaughtUp } = await events.page(() => ALL, cursor, {}, 1)
    expect(items.length).toBeLessThanOrEqual(1)
    seen.push(...items.map(({ data }) => data.id))
    cursor = next
    isOver = isCaughtUp
  }
  expect(seen).toEqual(['b1', 'b2', 'b3'])
  expect(cursor).toEqual(await events.now())
})

test('takes no cursor of another store, such as a copy with the same keys [P-2679]', async () => {
  const hmac = (text: string) => hash('sha256', text)
  const [one, copy] = [memoryStore(), { ...memoryStore(), id: 'copy' }].map(store => open(store, {}, hmac).cursors)
  const cursor = one?.encode({ console: '0000000000000001', conversations: '' }) ?? ''
  expect(one?.decode(cursor)).toEqual({ console: '0000000000000001', conversations: '' })
  expect(copy?.decode(cursor)).toBeUndefined()
})
