import { afterEach, describe, expect, test, vi } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { ask, type DialogSketch, releaseOf, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { PART_TURNS } from '#runtime/conversation/engine/conversation-facts.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationDayStream, conversationStream } from '#schemas/events/conversation.ts'
import { isFull } from '#test/fixture/full.ts'
import { allOf, STORES, stopServer } from './stores.ts'
import { begin, openWorld, say, talkOf, type World, withoutEvents } from './world.ts'

const DAY_MS = 86_400_000
const QUIET = { userTimeout: 0, endTimeout: 0 }
const ASKING: DialogSketch = { start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') }
const CHOOSING: DialogSketch = {
  start,
  a: ask('choice', 'cor', 'b', { data: { options: [{ label: 'azul' }, { label: 'verde' }], listStyle: 'button' } }),
  b: tell('Cor {{cor}}', 'a'),
}
const SECRET: DialogSketch = {
  start,
  a: ask('text', 'senha', 'b', { data: { textStyle: 'password' } }),
  b: tell('Anotado', 'a'),
}

let world: World
afterEach(async () => {
  await world.close()
  await stopServer()
})

const openBot = async (
  openStore: (folder: string) => Promise<EventStore>,
  dialog: DialogSketch,
  partTurns: number | undefined,
  settings: Partial<TurnSettings> = QUIET,
) => {
  world = await openWorld(dialog, settings, releaseOf({ main: dialog }), openStore)
  world.partTurns = partTurns
}

/** Events of each part of a conversation. */
const partsOf = async (conversation: string): Promise<readonly (readonly StoredEvent[])[]> => {
  const parts: StoredEvent[][] = []
  for (let part = 1; ; part += 1) {
    const events = await allOf(world.store.read(conversationStream(conversation, part)))
    if (events.length === 0) return parts
    parts.push(events)
  }
}

const NAMES = Array.from({ length: 11 }, (_, place) => `N${place}`)
const TALK = ['bot: nome?', ...NAMES.flatMap(name => [`user: ${name}`, `bot: Oi, ${name}`, 'bot: nome?'])]

/** A user who says all names in turn. */
const talkThrough = async (node: OpenedConversations, user = 'ana'): Promise<string> => {
  const conversation = await begin(node, user)
  for (const name of NAMES) await say(node, conversation, name)
  return conversation
}

describe.each(Object.entries(STORES))('a conversation of very many turns in %s', (_, openStore) => {
  test('continues in linked streams, and reads as one on any node [P-1000] [R-60]', async () => {
    await openBot(openStore, ASKING, 3)
    const node = await world.node()
    const conversation = await talkThrough(node)
    const parts = await partsOf(conversation)
    expect(parts.map(events => events.at(-1)?.data.next)).toEqual([
      ...[2, 3, 4].map(part => conversationStream(conversation, part)),
      // The last part is also full and points to the next one.
      conversationStream(conversation, 5),
    ])
    for (const [place, [first]] of parts.slice(1).entries()) {
      const before = parts[place]?.at(-1)
      expect(first?.data.previous).toEqual({ stream: before?.stream, hash: before?.hash })
    }
    expect(JSON.stringify(parts)).not.toMatch(/N\d|nome\?/u)

    for (const one of [node, await world.node()]) {
      expect(await talkOf(one, conversation)).toEqual(TALK)
      const all = (await one.read(conversation, '', 1000))?.messages ?? []
      expect(all.map(({ position }) => position)).toEqual([...new Set(all.map(({ position }) => position))].sort())
      for (const size of [1, 4]) {
        const paged: unknown[] = []
        for (let after = ''; ; ) {
          const page = await one.read(conversation, after, size)
          paged.push(...(page?.messages ?? []))
          if ((page?.messages.length ?? 0) < size) break
          after = page?.watermark ?? ''
        }
        expect(paged).toEqual(all)
      }
      for (const count of [0, 1, 5, all.length, 500]) {
        expect((await one.newest(conversation, count))?.messages).toEqual(count === 0 ? [] : all.slice(-count))
      }
      expect((await one.read(conversation, '', 1))?.state).toBe('waiting')
    }
  })

  test('is replayed, counted and removed as one [P-1001] [R-60] [R-91] [R-92]', async () => {
    await openBot(openStore, ASKING, 3)
    world.operate({ keepdays: 30 })
    const node = await world.node()
    const parted = await talkThrough(node)
    world.partTurns = undefined
    const plain = await world.node()
    const whole = await talkThrough(plain, 'bia')
    expect((await partsOf(whole)).length).toBe(1)
    const records = await node.records()
    await vi.waitFor(() => expect(records?.get(whole)?.turns).toBe(12))
    const told = async (id: string) =>
      (await records?.replay(id, true))?.map(({ turn, input, said, wrote, kept }) => [
        turn,
        input.said?.text,
        said.map(({ text }) => text),
        wrote,
        kept,
      ])
    expect(await told(parted)).toEqual(await told(whole))
    expect(records?.list(['bot'], {}, 1, 10).items.map(({ turns }) => turns)).toEqual([12, 12])
    const filter = { bot: 'bot', dialog: 'main', releases: [1], from: '2026-01-01', to: '2027-12-31' }
    expect(records?.visits.counts(filter)).toContainEqual({ block: 'a', what: 'answered', n: 22 })

    world.now += 31 * DAY_MS
    expect(await node.sweep()).toBe(2)
    expect(await partsOf(parted)).toEqual([])
    for (let part = 1; part <= 5; part += 1) {
      expect(await allOf(world.store.read(conversationStream(parted, part)))).toEqual([])
    }
    const sums = await allOf(world.store.read(conversationDayStream('bot')))
    const [one, other] = [parted, whole].map(id => sums.find(({ data }) => data.conversation === id)?.data)
    expect(one?.counts).toEqual(other?.counts)
    expect((await world.node()).index.visits.counts(filter)).toContainEqual({ block: 'a', what: 'answered', n: 22 })
  })
})

test('takes a button that another node offered before this node follows [R-53] [R-60]', async () => {
  await openBot(EMBEDDED, CHOOSING, undefined)
  const [node, other] = [await world.node(), await world.node({ store: withoutEvents(world.store) })]
  const conversation = await begin(node)
  expect(await talkOf(other, conversation)).toHaveLength(1)
  await say(node, conversation, 'azul')
  const [asked] = (await node.newest(conversation, 1))?.messages ?? []
  const press = { id: 'p', type: 'choice', of: asked?.id ?? '', value: '2' } as const
  expect(await other.accept(conversation, press)).toMatchObject({ ok: true })
})

const EMBEDDED = STORES['the embedded store'] as (folder: string) => Promise<EventStore>

describe('a later part of a conversation', () => {
  test('knows the messages that were sent before it, and the buttons that were shown [P-1004] [R-60] [R-62]', async () => {
    await openBot(EMBEDDED, CHOOSING, 1)
    const node = await world.node()
    const conversation = await begin(node)
    const [asked] = (await node.newest(conversation, 1))?.messages ?? []
    const press = (on: OpenedConversations, id: string, of = asked?.id ?? '') =>
      on.accept(conversation, { id, type: 'choice', of, value: '2' })
    const first = await press(node, 'first')
    await node.settled(conversation, 5000)
    await say(node, conversation, 'azul')
    const other = await world.node()
    expect(await press(other, 'first')).toEqual(first)
    expect(await press(other, 'again')).toMatchObject({ ok: false, refusal: { code: 'chat.stale' } })
    const [newest] = (await other.newest(conversation, 1))?.messages ?? []
    expect(await press(other, 'newest', newest?.id)).toEqual({ ok: true, value: expect.anything() })
    await other.settled(conversation, 5000)
    expect((await partsOf(conversation)).length).toBe(4)
    const colours = (await talkOf(other, conversation)).filter(text => text.startsWith('bot: Cor'))
    expect(colours).toEqual(['bot: Cor verde', 'bot: Cor azul', 'bot: Cor verde'])
  })

  test('keeps masked answers encrypted until the end, then deletes them [P-1005] [R-60] [R-85]', async () => {
    await openBot(EMBEDDED, SECRET, 1)
    const node = await world.node()
    const conversation = await begin(node)
    await say(node, conversation, 'abre-te')
    const other = await world.node()
    expect((await other.load(conversation))?.state).toEqual((await node.load(conversation))?.state)
    await say(other, conversation, 'sésamo')
    expect(JSON.stringify((await other.load(conversation))?.messages)).not.toMatch(/abre-te|sésamo/u)
    await other.end(conversation, 'person')
    const late = await world.node()
    expect(JSON.stringify((await late.load(conversation))?.state)).not.toMatch(/abre-te|sésamo/u)
    expect((await talkOf(late, conversation)).filter(text => text === 'bot: Anotado')).toHaveLength(2)
  })

  test('cannot be read any more once its person is forgotten [P-1006] [R-60] [R-84]', async () => {
    await openBot(EMBEDDED, ASKING, 2)
    const node = await world.node()
    const conversation = await talkThrough(node)
    expect((await talkOf(node, conversation)).join()).toContain('N0')
    await node.forget(conversation)
    for (const one of [node, await world.node()]) {
      expect((await talkOf(one, conversation)).join()).not.toMatch(/N\d|nome/u)
      expect((await one.load(conversation))?.ended).toBe('person')
      expect(await one.owner(conversation)).toBeUndefined()
      const replay = await (await one.records())?.replay(conversation, true)
      expect(replay).toHaveLength(12)
      expect(JSON.stringify(replay)).not.toMatch(/N\d/u)
    }
  })

  test('reminds and ends by the clock of another node [P-1007] [R-60] [R-69]', async () => {
    await openBot(EMBEDDED, ASKING, 1, {
      messages: new Map([
        ['conversation.stillthere', 'Ainda está aí?'],
        ['conversation.ended', 'Até logo'],
      ]),
    })
    const first = await world.node()
    const conversation = await begin(first)
    await say(first, conversation, 'Ana')
    await first.close()
    const second = await world.node()
    world.now += 40_000
    await vi.waitFor(async () => expect((await talkOf(second, conversation)).at(-1)).toBe('bot: Ainda está aí?'), 5000)
    world.now += 10 * 60_000
    await vi.waitFor(async () => expect((await second.read(conversation, '', 9))?.state).toBe('ended'), 5000)
    expect((await talkOf(second, conversation)).at(-1)).toBe('bot: Até logo')
  })

  test('begins only where what it takes along fits into one event [P-1008] [R-60]', async () => {
    await openBot(EMBEDDED, ASKING, 2)
    const node = await world.node()
    for (const [data, parts] of [
      ['x'.repeat(240_000), 3],
      ['é'.repeat(120_000), 3],
      ['é'.repeat(180_000), 1],
    ] as const) {
      const opened = await node.open({ channel: 'web', user: { id: data.slice(-5), data: { data } }, begins: true })
      if (!opened.ok) throw new Error(opened.refusal.code)
      const { conversation } = opened.value
      await node.settled(conversation, 10_000)
      for (const name of NAMES.slice(0, 4)) await say(node, conversation, name)
      expect((await talkOf(node, conversation)).at(-2)).toBe('bot: Oi, N3')
      expect((await partsOf(conversation)).length).toBe(parts)
    }
  })

  test('is begun after 2,000 turns [P-1009] [R-60]', async () => {
    expect(PART_TURNS).toBe(2000)
    const turns = isFull ? PART_TURNS : 200
    await openBot(EMBEDDED, ASKING, isFull ? undefined : turns)
    const node = await world.node()
    const conversation = await begin(node)
    const send = (text: string) => node.accept(conversation, { id: text, type: 'text', text })
    const sent = turns + 2
    for (let first = 1; first <= sent; first += 77) {
      await Promise.all(
        Array.from({ length: Math.min(77, sent + 1 - first) }, (_, place) => send(String(first + place))),
      )
      await node.settled(conversation, 60_000)
    }
    const [first, second, ...others] = await partsOf(conversation)
    expect(others).toEqual([])
    expect(first?.filter(({ type }) => type === 'TurnTaken')).toHaveLength(turns)
    expect(second?.filter(({ type }) => type === 'TurnTaken')).toHaveLength(3)
    const other = await world.node()
    expect((await other.load(conversation))?.messages.length).toBeLessThan(120)
    expect((await other.read(conversation, '', 10_000))?.messages).toHaveLength(1 + sent * 3)
  }, 240_000)
})
