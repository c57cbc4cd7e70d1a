import { afterEach, describe, expect, test, vi } from 'vitest'
import { verifyChains } from '#commands/integrity/verify-log.ts'
import { type EventStore, StoreUnavailable, WrongRevision } from '#commands/store/port.ts'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import { ask, type DialogSketch, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { createConversationContinuation } from '#runtime/conversation/store/log.ts'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { silentStore, withAppend } from './stores.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

const call = (methodType: string, to: string): DialogSketch[string] => ({
  type: 'restservice',
  properties: { methodType, url: 'https://shop.example/orders', resultVariable: 'order', errorVariable: 'fault' },
  to: { output_1: to, output_error: 'failed' },
})
const ASKING: DialogSketch = { start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') }
const BUYING: DialogSketch = {
  start,
  a: ask('text', 'nome', 'buy'),
  buy: call('post', 'done'),
  done: tell('Pedido {{order.code}}', 'a'),
  failed: tell('Falhou: {{fault.code}}', 'a'),
}

let world: World
afterEach(() => world.close())

const eventsOf = async (conversation: string): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = []
  for await (const event of world.store.read(conversationStream(conversation))) events.push(event)
  return events
}

describe('a conversation', () => {
  test('is answered turn by turn, two events an exchange, and its words are sealed [R-57] [R-59] [R-84]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    await say(node, conversation, 'Ana')

    expect(await talkOf(node, conversation)).toEqual(['bot: nome?', 'user: Ana', 'bot: Oi, Ana', 'bot: nome?'])
    const events = await eventsOf(conversation)
    expect(events.map(({ type }) => type)).toEqual(['ConversationStarted', 'TurnTaken', 'MessageReceived', 'TurnTaken'])
    expect(JSON.stringify(events)).not.toMatch(/Ana|nome\?/u)
  })

  test('reads nothing that its own node wrote [P-2909]', async () => {
    world = await openWorld(ASKING)
    const reads: string[] = []
    const store = new Proxy(world.store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'read') return value.bind(target)
        return (...given: Parameters<EventStore['read']>) => {
          reads.push(given[0])
          return target.read(...given)
        }
      },
    })
    const node = await world.node({ store })
    const conversation = await begin(node)
    await vi.waitFor(() => expect(node.index.get(conversation)?.turns).toBe(1))
    reads.length = 0
    for (const n of [2, 3, 4]) {
      await say(node, conversation, `Ana ${n}`)
      await vi.waitFor(() => expect(node.index.get(conversation)?.turns).toBe(n))
    }
    expect(reads).toEqual([])
  })

  test('continues unchanged in another process [R-60]', async () => {
    world = await openWorld(ASKING)
    const first = await world.node()
    const conversation = await begin(first)
    await say(first, conversation, 'Ana')
    const before = await talkOf(first, conversation)
    await first.close()

    const second = await world.node()
    expect(await talkOf(second, conversation)).toEqual(before)
    await say(second, conversation, 'Bia')
    expect((await talkOf(second, conversation)).at(-2)).toBe('bot: Oi, Bia')
  })

  test('ends in time although the index was rebuilt meanwhile [R-69] [R-71]', async () => {
    world = await openWorld(ASKING)
    const first = await world.node()
    const conversation = await begin(first)
    await first.close()

    const second = await world.node()
    world.now += 10 * 60_000
    await vi.waitFor(async () => expect((await second.read(conversation, '', 10))?.state).toBe('ended'), 10_000)
  })

  test('takes the same message once, however often it is sent [R-62]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => node.accept(conversation, { id: 'same', type: 'text', text: 'Ana' })),
    )
    await node.settled(conversation, 10_000)

    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(await talkOf(node, conversation)).toEqual(['bot: nome?', 'user: Ana', 'bot: Oi, Ana', 'bot: nome?'])
  })

  test('is intact after a message of which it was not known whether it was stored [P-1011] [R-62]', async () => {
    world = await openWorld(ASKING)
    let lost = 0
    const node = await world.node({ dies: true, store: losingAnswers(world.store, () => lost-- > 0) })
    const conversation = await begin(node)
    // As often as it is tried.
    lost = 6
    const message = { id: 'same', type: 'text', text: 'Ana' } as const
    await expect(node.accept(conversation, message)).rejects.toThrow(StoreUnavailable)
    world.now += 1000
    expect(await node.accept(conversation, message)).toMatchObject({ ok: true })
    await node.settled(conversation, 10_000)
    await say(node, conversation, 'Bia')
    expect(await talkOf(await world.node(), conversation)).toEqual([
      ...['bot: nome?', 'user: Ana', 'bot: Oi, Ana', 'bot: nome?'],
      ...['user: Bia', 'bot: Oi, Bia', 'bot: nome?'],
    ])
    expect((await verifyChains(world.store)).findings).toEqual([])
    await node.close()
  })

  test.each(['TurnTaken', 'EffectRequested'])(
    'is answered once when the store was away while %s was written [R-63] [R-65]',
    async type => {
      world = await openWorld(BUYING)
      let left = 0
      const store = failing(world.store, type, () => left-- > 0)
      const node = await world.node({ dies: true, store })
      const conversation = await begin(node)
      // As often as one write is tried.
      left = 6
      await node.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
      await vi.waitFor(async () => expect((await talkOf(node, conversation)).at(-1)).toBe('bot: nome?'), 9000)
      await vi.waitFor(async () => expect((await talkOf(node, conversation)).slice(1)).toHaveLength(3), 9000)
      expect(left).toBeLessThan(0)
      expect(await talkOf(node, conversation)).toEqual(['bot: nome?', 'user: Ana', 'bot: Pedido A1', 'bot: nome?'])
      expect(world.calls).toHaveLength(1)
      await node.close()
    },
  )

  test('is not derailed when the store is away while a call is made [R-63] [R-65]', async () => {
    world = await openWorld(BUYING)
    let left = 1
    const rest = async () => {
      if (left-- > 0) throw new StoreUnavailable()
      return { kind: 'rest', ms: 1, ok: true, status: 200, body: { code: 'A1' } } as const
    }
    const node = await world.node({ dies: true, rest })
    const conversation = await begin(node)
    await node.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
    await vi.waitFor(async () => expect((await talkOf(node, conversation)).slice(2)).toHaveLength(2), 9000)
    // Whether the order was placed is not known, so it is not placed again.
    expect((await talkOf(node, conversation)).slice(2)).toEqual(['bot: Falhou: unknown', 'bot: nome?'])
    await node.close()
  })

  test('takes messages that come together one after the other, in their order [R-12]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    for (const name of ['A', 'B', 'C']) void node.accept(conversation, { id: name, type: 'text', text: name })
    await vi.waitFor(async () => expect((await talkOf(node, conversation)).length).toBe(10))

    const said = (await talkOf(node, conversation)).filter(text => text.startsWith('bot: Oi'))
    expect(said).toEqual(['bot: Oi, A', 'bot: Oi, B', 'bot: Oi, C'])
  })

  test('is refused while its bot is stopped, and after its end [R-5] [R-20]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    world.bot = { ...world.bot, runningstatus: 'stopped' }
    expect(await say(node, conversation, 'Ana')).toMatchObject({ ok: false, refusal: { code: 'bot.stopped' } })
    world.bot = { ...world.bot, runningstatus: 'running' }
    await node.end(conversation, 'person')
    expect(await say(node, conversation, 'Ana')).toMatchObject({ ok: false, refusal: { code: 'chat.ended' } })
  })

  test('of a forgotten person cannot be read, and the person returns as a new one [R-84]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    await say(node, conversation, 'Ana')
    await node.forget(conversation)

    expect((await talkOf(node, conversation)).join()).not.toMatch(/Ana|nome/u)
    expect(await node.live('web', 'ana')).toBeUndefined()
    expect(await talkOf(node, await begin(node))).toEqual(['bot: nome?'])
  })

  test('reminds once and ends automatically, by the clock [R-69] [R-71]', async () => {
    world = await openWorld(ASKING, {
      messages: new Map([
        ['conversation.stillthere', 'Ainda está aí?'],
        ['conversation.ended', 'Até logo'],
      ]),
    })
    const node = await world.node()
    const conversation = await begin(node)
    world.now += 40_000
    await vi.waitFor(async () => expect((await talkOf(node, conversation)).at(-1)).toBe('bot: Ainda está aí?'), 5000)
    world.now += 20_000
    world.now += 60_000
    await vi.waitFor(async () => expect((await node.read(conversation, '', 9))?.state).toBe('ended'), 5000)
    expect(await talkOf(node, conversation)).toEqual(['bot: nome?', 'bot: Ainda está aí?', 'bot: Até logo'])
  })
})

describe('two nodes', () => {
  test('answer each message once and in order, on either node [R-63] [R-64]', async () => {
    world = await openWorld(ASKING)
    const nodes = [await world.node(), await world.node()] as const
    const conversations = await Promise.all(
      Array.from({ length: 20 }, (_, n) => begin(nodes[n % 2 === 0 ? 0 : 1], `p${n}`)),
    )
    await Promise.all(
      conversations.flatMap(conversation =>
        ['A', 'B', 'C'].map((text, n) =>
          nodes[n % 2 === 0 ? 0 : 1].accept(conversation, { id: text, type: 'text', text }),
        ),
      ),
    )
    for (const conversation of conversations) {
      await vi.waitFor(async () => {
        const events = await eventsOf(conversation)
        expect(events.filter(({ type }) => type === 'TurnTaken')).toHaveLength(4)
      }, 10_000)
      const events = await eventsOf(conversation)
      const received = events.flatMap(({ type, revision }) => (type === 'MessageReceived' ? [revision] : []))
      const answered = events.flatMap(({ type, data }) => (type === 'TurnTaken' && data.turn !== 1 ? [data.input] : []))
      expect(answered).toEqual(received)
    }
  })

  test('show what one writes while the other reads the conversation [R-63]', async () => {
    world = await openWorld(ASKING)
    const first = await world.node()
    const conversation = await begin(first)
    const stream = conversationStream(conversation)
    const hasRead = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    /** Waits at the end of the stream, before the reader receives the end. */
    const slow = new Proxy(world.store, {
      get(store, name) {
        const value: unknown = Reflect.get(store, name)
        if (typeof value !== 'function') return value
        if (name !== 'read') return value.bind(store)
        return async function* (...asked: Parameters<EventStore['read']>) {
          yield* store.read(...asked)
          if (asked[0] !== stream) return
          hasRead.resolve()
          await goesOn.promise
        }
      },
    })
    const second = await world.node({ store: slow })
    const read = talkOf(second, conversation)
    await hasRead.promise
    const before = second.index.position(world.store.id)
    await say(first, conversation, 'Ana')
    await vi.waitFor(() => expect(second.index.position(world.store.id)).not.toBe(before))
    goesOn.resolve()
    await read
    await vi.waitFor(async () => expect(await talkOf(second, conversation)).toContain('bot: Oi, Ana'))
  })

  test('take a message that is sent to both of them once, and one of them runs its turn [R-62] [R-63] [R-67]', async () => {
    world = await openWorld(BUYING)
    const nodes = [await world.node(), await world.node(), await world.node()]
    for (let round = 0; round < 10; round += 1) {
      world.calls.length = 0
      const conversation = await begin(nodes[0] as OpenedConversations, `p${round}`)
      const message = { id: 'same', type: 'text', text: 'Ana' } as const
      await Promise.all(nodes.map(node => node.load(conversation)))
      await Promise.all(nodes.map(node => node.accept(conversation, message)))
      const types = async () => (await eventsOf(conversation)).map(({ type }) => type)
      await vi.waitFor(async () => expect((await types()).at(-1)).toBe('TurnTaken'), 10_000)
      expect((await types()).filter(type => type === 'MessageReceived')).toHaveLength(1)
      expect(world.calls).toHaveLength(1)
    }
  })

  test('resume after 15 s without a heartbeat of the other, before its claim ends [R-65]', async () => {
    world = await openWorld(BUYING)
    const bus = new MemoryBus()
    const hintsOf = () => new Hints({ bus: bus.join(), store: world.store.id, key: 'k' })
    const mute = hintsOf()
    let isDead = false
    const first = await world.node({
      dies: true,
      rest: () => new Promise(() => undefined),
      hints: {
        connected: true,
        listen: (topic, listener) => mute.listen(topic, listener),
        send: (topic, hint) => isDead || mute.send(topic, hint),
      },
    })
    const second = await world.node({ hints: hintsOf() })
    const conversation = await begin(first)
    await first.accept(conversation, { id: 'm', type: 'text', text: 'Ana' })
    await vi.waitFor(() => expect(world.calls).toHaveLength(1))
    await vi.waitFor(() => expect(second.index.get(conversation)?.turns).toBe(1), 10_000)
    isDead = true
    world.kill(first)
    world.now += 16_000
    await vi.waitFor(async () => expect((await second.read(conversation, '', 9))?.state).toBe('waiting'), 9_000)
    expect(await talkOf(second, conversation)).toContain('bot: Falhou: unknown')
    expect(world.calls).toHaveLength(1)
  })

  test('end in time what the other one held alone until it went [R-69] [R-71]', async () => {
    world = await openWorld(ASKING)
    const [first, second] = [await world.node(), await world.node()]
    const conversation = await begin(first)
    await vi.waitFor(() => expect(second.index.get(conversation)?.turns).toBe(1))
    await first.close()
    world.now += 10 * 60_000
    await vi.waitFor(() => expect(second.index.get(conversation)?.reason).toBe('timeout'), 10_000)
  })

  test('open one conversation for a person whose first messages reach both of them [P-1498]', async () => {
    world = await openWorld(ASKING)
    const nodes = [await world.node(), await world.node()]
    const proceed = nodes.map(conversations => createConversationContinuation({ conversations }))
    for (let n = 0; n < 25; n += 1) {
      const send = (id: string) => ({ id, type: 'text' as const, text: `${n}` })
      const sent = await Promise.all(
        ['a', 'b', 'a'].map((id, place) =>
          proceed[place % 2]?.({ channel: 'web', user: { id: `person ${n}` }, message: id }, () => send(id)),
        ),
      )
      const [conversation, ...others] = new Set(sent.map(result => result?.ok && result.value.conversation))
      expect(others).toEqual([])
      const events = await eventsOf(String(conversation))
      expect(events.filter(({ type }) => type === 'MessageReceived')).toHaveLength(2)
    }
  })

  test('take a message once that is repeated to the other one after its conversation has ended [P-1498]', async () => {
    world = await openWorld(ASKING)
    const [first, second] = [await world.node(), await world.node()]
    const sender = { channel: 'web', user: { id: 'ana' }, message: 'a' }
    const message = () => ({ id: 'a', type: 'text' as const, text: 'Ana' })
    const taken = await createConversationContinuation({ conversations: first })(sender, message)
    if (!taken.ok) throw new Error(taken.refusal.code)
    await first.end(taken.value.conversation, 'person')
    expect(await createConversationContinuation({ conversations: second })(sender, message)).toEqual(taken)
    const next = await createConversationContinuation({ conversations: second })({ ...sender, message: 'b' }, () => ({
      ...message(),
      id: 'b',
    }))
    expect(next.ok && next.value.conversation).not.toBe(taken.value.conversation)
  })

  test('report a turn to the log of the bot although the store refused it after it was written [P-1011]', async () => {
    world = await openWorld({ ...BUYING, done: { type: 'gotonodesrc', properties: { destination: '' } } })
    const second = await world.node()
    let conversation = ''
    const between = () => second.accept(conversation, { id: 'b', type: 'text', text: 'Bia' })
    const logged: string[] = []
    const botLog = { log: ({ code }: { readonly code: string }) => void logged.push(code) }
    const writer = await world.node({ store: refusingWritten(world.store, 'TurnTaken', between), botLog })
    conversation = await begin(writer)
    logged.length = 0
    await writer.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
    await vi.waitFor(() => expect(logged).toEqual(['missing.block']))
  })

  test.each(['TurnTaken', 'EffectRequested'])(
    'answer a message once whose %s was written although the store refused it [R-63] [R-66] [P-1011]',
    async type => {
      world = await openWorld(BUYING)
      const second = await world.node()
      let conversation = ''
      const between = () => second.accept(conversation, { id: 'b', type: 'text', text: 'Bia' })
      const writer = await world.node({ store: refusingWritten(world.store, type, between) })
      conversation = await begin(writer)
      await writer.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
      await vi.waitFor(async () => expect((await talkOf(second, conversation)).at(-1)).toBe('bot: nome?'), 9000)
      await vi.waitFor(async () => expect((await second.read(conversation, '', 9))?.messages).toHaveLength(7), 9000)
      const answers = ['bot: Pedido A1', 'bot: nome?']
      const [first, ...rest] = await talkOf(second, conversation)
      expect(first).toBe('bot: nome?')
      expect(rest).toEqual(
        type === 'TurnTaken'
          ? ['user: Ana', ...answers, 'user: Bia', ...answers]
          : ['user: Ana', 'user: Bia', ...answers, ...answers],
      )
      expect(world.calls).toHaveLength(2)
    },
  )

  test('resume the work of a dead node, and place no order twice [R-65] [R-66] [R-67]', async () => {
    world = await openWorld(BUYING)
    for (const dies of ['before the call', 'after the call'] as const) {
      world.calls.length = 0
      // The first node never comes back from its call.
      const first = await world.node({
        dies: true,
        rest: () => new Promise(() => undefined),
        ...(dies === 'before the call' ? { store: withoutEffects(world.store) } : {}),
      })
      const conversation = await begin(first, dies)
      await first.accept(conversation, { id: dies, type: 'text', text: 'Ana' })
      if (dies === 'after the call') await vi.waitFor(() => expect(world.calls).toHaveLength(1))
      else await vi.waitFor(async () => expect((await eventsOf(conversation)).at(-1)?.type).toBe('MessageReceived'))

      world.kill(first)
      const second = await world.node()
      world.now += 31_000
      await vi.waitFor(async () => expect((await second.read(conversation, '', 9))?.state).toBe('waiting'), 9000)
      const said = await talkOf(second, conversation)
      expect(said).toContain(dies === 'after the call' ? 'bot: Falhou: unknown' : 'bot: Pedido A1')
      expect(world.calls).toHaveLength(1)
    }
  })

  test('place no order again that another run of the turn has placed [P-2034]', async () => {
    const steps = { look: call('get', 'buy'), buy: call('post', 'pay'), pay: call('post', 'done') }
    world = await openWorld({ ...BUYING, a: ask('text', 'nome', 'look'), ...steps })
    const answer: EffectAnswer = { kind: 'rest', ms: 1, ok: true, status: 200, body: { code: 'A1' } }
    const looked = Promise.withResolvers<EffectAnswer>()
    const orders = () => world.calls.flatMap(({ key, method }) => (method === 'post' ? [key] : []))
    const slow = await world.node({ rest: async () => (world.calls.length === 1 ? looked.promise : answer) })
    const conversation = await begin(slow)
    await slow.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
    await vi.waitFor(() => expect(world.calls).toHaveLength(1))
    // The other node buys, and dies while it pays; the next message gives the turn back to the first node.
    const rest = async () => (orders().length === 2 ? new Promise<never>(() => undefined) : answer)
    const other = await world.node({ dies: true, rest })
    world.now += 31_000
    await vi.waitFor(() => expect(orders()).toHaveLength(2), 9000)
    world.kill(other)
    world.now += 31_000
    await slow.accept(conversation, { id: 'b', type: 'text', text: 'Bia' })
    looked.resolve(answer)
    await vi.waitFor(async () => expect((await slow.read(conversation, '', 99))?.state).toBe('waiting'), 9000)
    expect(new Set(orders()).size).toBe(orders().length)
    expect((await talkOf(slow, conversation)).filter(line => line.startsWith('bot: Falhou'))).toHaveLength(1)
  })
})

/** A store that is away while this type is written. */
const failing = (store: EventStore, type: string, isAway: () => boolean): EventStore =>
  withAppend(store, type, async write => {
    if (isAway()) throw new StoreUnavailable()
    return write()
  })

/** A store that writes a message's first event of this type, and then refuses it since another writer was there. */
const refusingWritten = (store: EventStore, type: string, between: () => Promise<unknown>): EventStore => {
  // The turn that greets is written as it should be.
  let before = type === 'TurnTaken' ? 1 : 0
  return withAppend(store, type, async write => {
    const written = await write()
    before -= 1
    if (before !== -1) return written
    await between()
    throw new WrongRevision('conversation', written.revision - 1, written.revision + 1)
  })
}

/** A store that dies with the first request of an effect. */
const withoutEffects = (store: EventStore): EventStore =>
  withAppend(store, 'EffectRequested', () => new Promise(() => undefined))

/** A store that writes appends, may lose their answers, and delivers no events to subscribers. */
const losingAnswers = (store: EventStore, isLost: () => boolean): EventStore =>
  new Proxy(silentStore(store), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'append') return typeof value === 'function' ? value.bind(target) : value
      return async (stream: string, expected: number, events: readonly NewEvent[]) => {
        const appended = await target.append(stream, expected, events)
        if (isLost()) throw new StoreUnavailable()
        return appended
      }
    },
  })
