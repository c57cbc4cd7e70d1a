import { afterEach, describe, expect, test, vi } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { ask, releaseOf, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { botUserStream, conversationDayStream, conversationStream } from '#schemas/events/conversation.ts'
import { allOf, STORES, stopServer } from './stores.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

const DAY_MS = 86_400_000
const DIALOG = {
  start,
  a: ask('text', 'nome', 'b'),
  b: tell('Oi, {{nome}}', 'c'),
  c: ask('number', 'idade', 'd'),
  d: tell('Até logo'),
}

let world: World
afterEach(async () => {
  await world.close()
  await stopServer()
})

const countsOf = ({ index }: OpenedConversations) => {
  const filter = { bot: 'bot', dialog: 'main', releases: [1], from: '2026-01-01', to: '2027-12-31' }
  const counts = index.visits.counts(filter).map(({ block, what, n }) => `${block} ${what} ${n}`)
  return { counts: counts.sort(), days: index.visits.days(filter), times: index.visits.answerTimes(filter) }
}

const openBot = async (openStore: (folder: string) => Promise<EventStore>): Promise<OpenedConversations> => {
  world = await openWorld(DIALOG, { userTimeout: 0, endTimeout: 0 }, releaseOf({ main: DIALOG }), openStore)
  world.operate({ keepdays: 30 })
  return world.node()
}

/** A store whose deletions do not come through, as of a node that dies before them. */
const withoutDelete = (store: EventStore): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return name === 'delete' ? () => Promise.reject(new Error('the node died')) : value.bind(target)
    },
  })

test('counts as given up what ends while a question waits, and nothing else, like the funnel [R-91] [R-92] [P-1820]', async () => {
  world = await openWorld(DIALOG, { userTimeout: 0, endTimeout: 120_000 })
  const node = await world.node()
  const talk = async (person: string, ...words: readonly string[]) => {
    const id = await begin(node, person)
    for (const text of words) await say(node, id, text)
    return id
  }
  const silent = await talk('ana', 'Ana')
  const done = await talk('bia', 'Bia', '30')
  const left = await talk('caio', 'Caio')
  const finished = await talk('dora', 'Dora', '40')
  const stopped = await talk('eva')
  await node.end(left, 'person')
  await node.end(finished, 'person')
  await node.end(stopped, 'bot')
  world.now += 130_000
  await vi.waitFor(() => expect([silent, done].map(id => node.index.get(id)?.reason)).toEqual(['timeout', 'timeout']))
  const standing = [silent, left, done, finished, stopped].map(id => node.index.get(id)?.standing)
  expect(standing).toEqual(['gaveup', 'gaveup', 'ended', 'ended', 'ended'])
  const { items, total, counts } = node.index.list(['bot'], { standing: 'gaveup' }, 1, 10)
  expect([total, counts]).toEqual([2, { bot: 0, agent: 0, ended: 3, gaveup: 2 }])
  expect(items.map(({ id }) => id).toSorted()).toEqual([silent, left].toSorted())
  expect(countsOf(node).counts.filter(count => count.includes(' lost '))).toEqual(['c lost 2'])
  expect(node.index.list(['bot'], { at: 'a' }, 1, 10).total).toBe(0)
})

describe.each(Object.entries(STORES))('conversations in %s', (_, openStore) => {
  test('are removed after the days of their bot, and their counts stay, in a new index as well [R-83] [R-92]', async () => {
    const node = await openBot(openStore)
    const old = [await begin(node), await begin(node, 'bia'), await begin(node, 'caio')] as const
    await say(node, old[0], 'Ana')
    await say(node, old[0], '30')
    await say(node, old[1], 'Bia')
    for (const id of old.slice(0, 2)) await node.end(id, 'person')
    world.now += 20 * DAY_MS
    const young = await begin(node, 'dora')
    await say(node, young, 'Dora')
    await vi.waitFor(() => expect(node.index.get(young)?.turns).toBe(2))
    expect(await node.sweep()).toBe(0)

    const [first] = old
    expect(await node.mayHoldFiles(first)).toBe(true)
    world.now += 11 * DAY_MS
    expect(await node.sweep()).toBe(3)
    expect(await Promise.all([first, young, 'none'].map(id => node.mayHoldFiles(id)))).toEqual([false, true, false])
    const after = countsOf(node)
    expect(after.counts).toEqual(
      expect.arrayContaining(['a entered 4', 'a answered 3', 'c lost 1', 'd left output_1 1', 'a lost 1']),
    )
    for (const id of old) {
      expect(await node.read(id, '', 10)).toBeUndefined()
      expect(node.index.get(id)).toBeUndefined()
      expect(await allOf(world.store.read(conversationStream(id)))).toEqual([])
    }
    expect(node.index.list(['bot'], {}, 1, 10).items.map(({ id }) => id)).toEqual([young])
    expect(await talkOf(node, young)).toContain('user: Dora')
    const sums = await allOf(world.store.read(conversationDayStream('bot')))
    expect(sums.map(({ data }) => data.conversation).sort()).toEqual([...old].sort())
    expect(JSON.stringify(sums)).not.toMatch(/Ana|Bia/u)

    const other = await world.node()
    expect(countsOf(other)).toEqual(after)
    expect(await other.sweep()).toBe(0)
    expect(other.index.list(['bot'], {}, 1, 10).items.map(({ id }) => id)).toEqual([young])
  })

  test('of a channel that stores no messages are removed a day after they ended, and their counts stay [D-3.1.04] [P-2910]', async () => {
    const node = await openBot(openStore)
    const kept = await begin(node, 'dora')
    await say(node, kept, 'Dora')
    world.storesMessages = false
    const [ended, open] = [await begin(node), await begin(node, 'bia')]
    for (const [id, name] of [
      [ended, 'Ana'],
      [open, 'Bia'],
    ] as const)
      await say(node, id, name)
    // Only conversations that begin from now on are stored again.
    world.storesMessages = true
    for (const id of [kept, ended]) await node.end(id, 'person')
    await vi.waitFor(() => expect([kept, ended].map(id => node.index.get(id)?.status)).toEqual(['ended', 'ended']))
    const before = countsOf(node)
    world.now += 23 * 3_600_000
    expect(await node.sweep()).toBe(0)
    expect(await talkOf(node, ended)).toContain('user: Ana')

    world.now += 2 * 3_600_000
    expect(await node.sweep()).toBe(1)
    expect(await node.read(ended, '', 10)).toBeUndefined()
    expect(await allOf(world.store.read(conversationStream(ended)))).toEqual([])
    expect(await talkOf(node, open)).toContain('user: Bia')
    expect(await talkOf(node, kept)).toContain('user: Dora')
    expect(countsOf(node)).toEqual(before)
    const other = await world.node()
    expect(countsOf(other)).toEqual(before)
    await node.end(open, 'person')
    await vi.waitFor(() => expect(other.index.get(open)?.status).toBe('ended'))
    world.now += 25 * 3_600_000
    expect(await other.sweep()).toBe(1)
    expect(await allOf(world.store.read(conversationStream(open)))).toEqual([])
    expect(await talkOf(other, kept)).toContain('user: Dora')
  })

  test('are removed by another node when one dies after it counted them, and count once [R-92]', async () => {
    const node = await openBot(openStore)
    const conversation = await begin(node)
    await say(node, conversation, 'Ana')
    await node.end(conversation, 'person')
    await vi.waitFor(() => expect(node.index.get(conversation)?.status).toBe('ended'))
    const before = countsOf(node)
    const dying = await world.node({ store: withoutDelete(world.store) })
    const mate = await world.node()
    world.now += 40 * DAY_MS
    await expect(dying.sweep()).rejects.toThrow('the node died')
    expect(await allOf(world.store.read(conversationStream(conversation)))).not.toEqual([])

    await vi.waitFor(() => expect(mate.index.get(conversation)).toBeUndefined())
    await mate.sweep()
    expect(await allOf(world.store.read(conversationStream(conversation)))).toEqual([])
    for (const one of [node, mate, await world.node()]) {
      await vi.waitFor(() => expect(one.index.get(conversation)).toBeUndefined())
      expect(countsOf(one)).toEqual(before)
    }
  })

  test('are counted once when two nodes remove them at one time [R-92]', async () => {
    const nodes = [await openBot(openStore), await world.node()] as const
    for (const name of ['ana', 'bia', 'caio']) await say(nodes[0], await begin(nodes[0], name), name)
    await vi.waitFor(() =>
      expect(nodes[1].index.list(['bot'], {}, 1, 10).items.map(({ turns }) => turns)).toEqual([2, 2, 2]),
    )
    world.now += 40 * DAY_MS
    await Promise.all(nodes.map(node => node.sweep()))
    await Promise.all(nodes.map(node => node.sweep()))
    const fresh = await world.node()
    expect(countsOf(fresh).counts).toEqual(expect.arrayContaining(['a entered 3', 'c entered 3', 'c lost 3']))
    for (const node of nodes) {
      await vi.waitFor(() => expect(node.index.list(['bot'], {}, 1, 10).total).toBe(0))
      expect(countsOf(node)).toEqual(countsOf(fresh))
    }
  })

  test('take along what the bot knew of a person who has no other one [R-83]', async () => {
    const node = await openBot(openStore)
    const opened = await node.open({ channel: 'web', user: { id: 'ana', data: { plano: 'ouro' } }, begins: true })
    if (!opened.ok) throw new Error('not opened')
    const { conversation } = opened.value
    await node.settled(conversation, 5000)
    await vi.waitFor(() => expect(node.index.get(conversation)?.turns).toBe(1), 5000)
    const person = node.index.get(conversation)?.person ?? ''
    const stream = botUserStream('bot', person)
    await world.store.append(stream, 0, [
      {
        id: crypto.randomUUID(),
        type: 'BotUserChanged',
        version: 1,
        data: {},
        time: new Date(world.now).toISOString(),
        actor: null,
        correlation: 'c',
        causation: null,
        level: null,
        hash: 'h',
      },
    ])
    world.now += 40 * DAY_MS
    expect(await node.sweep()).toBe(1)
    expect(await allOf(world.store.read(stream))).toEqual([])
  })
})
