import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import type { EventStore } from '#commands/store/port.ts'
import { ask, type DialogSketch, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import { NumberLease } from '#runtime/campaign/run/send-rate.ts'
import { createConversationContinuation } from '#runtime/conversation/store/log.ts'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { type EventStoreDouble, startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { begin, openWorld, talkOf, type World } from './world.ts'

/** Of each call of the adapter, ms. */
const DEADLINE_MS = 700
const HEARD_MS = 1000
const SOON = { timeout: 30_000, interval: 20 }
const BUYING: DialogSketch = {
  start,
  a: ask('text', 'nome', 'buy'),
  buy: {
    type: 'restservice',
    properties: {
      ...{ methodType: 'post', url: 'https://shop.example/orders' },
      ...{ resultVariable: 'order', errorVariable: 'fault' },
    },
    to: { output_1: 'done', output_error: 'failed' },
  },
  done: tell('Pedido {{nome}}', 'a'),
  failed: tell('Falhou {{nome}} {{fault.code}}', 'a'),
}

let double: EventStoreDouble
let world: World
beforeEach(async () => {
  world = await openWorld(BUYING, undefined, undefined, async folder => {
    double = await startEventStoreDouble({ folder })
    // The first calls of a process take longer, and so does each call on a busy machine.
    return vi.waitFor(() => openEventStoreDb({ url: double.url, deadline: DEADLINE_MS, silence: 200 }), SOON)
  })
  double.faults.lateMs = 2 * DEADLINE_MS
})
afterEach(async () => {
  double.faults.clear()
  double.faults.thaw()
  await world.close()
  await double.stop()
})

const eventsOf = async (conversation: string): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = []
  for await (const event of world.store.read(conversationStream(conversation))) events.push(event)
  return events
}
const text = (id: string) => ({ id, type: 'text' as const, text: id })
/** Longer than the tries of one write take together, ms. */
const LONG_FREEZE_MS = 6000
/** The store for a node; `before` is called before each call of one name, with the first event of an append. */
const watching = (name: 'append' | 'read', before: (stream: string, event?: NewEvent) => void): EventStore =>
  new Proxy(world.store, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property !== name) return value.bind(target)
      return (stream: string, ...rest: unknown[]) => {
        before(stream, (rest[1] as NewEvent[] | undefined)?.[0])
        return value.call(target, stream, ...rest)
      }
    },
  })

test.each(['TurnTaken', 'EffectRequested'])(
  'N1: messages are answered once whose %s was written and not answered at every try [P-1531]',
  async unanswered => {
    let isArmed = false
    let id: string | undefined
    const store = watching('append', (_, event) => {
      if (!isArmed || event?.type !== unanswered || event.id !== (id ?? event.id)) return
      id = event.id
      double.faults.append('noAnswer')
    })
    const failed: unknown[] = []
    const node = await world.node({ dies: true, store, failed: error => void failed.push(error) })
    const conversation = await begin(node)
    isArmed = true
    for (const id of ['a', 'b']) await node.accept(conversation, text(id))
    const answers = async () => (await talkOf(node, conversation)).filter(said => said.startsWith('bot: Pedido'))
    await vi.waitFor(async () => expect((await answers()).at(-1)).toBe('bot: Pedido b'), SOON)
    expect(failed).not.toEqual([])
    expect(await answers()).toEqual(['bot: Pedido a', 'bot: Pedido b'])
    expect(world.calls).toHaveLength(2)
    await node.close()
  },
)

test('N2: a node whose handler met a frozen store shows what another one writes within 1 s after it [P-1531]', async () => {
  let isArmed = false
  const store = watching('read', stream => {
    if (!isArmed || !stream.startsWith('conversation-')) return
    isArmed = false
    double.faults.freeze(3 * DEADLINE_MS)
  })
  const [writer, reader] = [await world.node({ dies: true }), await world.node({ dies: true, store })]
  const conversation = await begin(writer)
  expect(await talkOf(reader, conversation)).toHaveLength(1)
  // Given a node that reads a notified event when the store freezes
  isArmed = true
  let said = 0
  while (isArmed && said < 20) {
    said += 1
    await writer.accept(conversation, text(`a${said}`))
    // A read that began before brings a message as well; then the next message is read.
    await vi.waitFor(() => expect(isArmed).toBe(false), { timeout: 1000, interval: 20 }).catch(() => undefined)
  }
  expect(isArmed).toBe(false)
  await vi.waitFor(() => expect(double.faults.isFrozen).toBe(false), SOON)
  await vi.waitFor(async () => expect(await talkOf(writer, conversation)).toHaveLength(1 + 3 * said), SOON)
  // When another node writes afterwards
  await writer.accept(conversation, text('b'))
  const began = performance.now()
  await vi.waitFor(async () => expect(await talkOf(reader, conversation)).toContain('user: b'), SOON)
  expect(performance.now() - began).toBeLessThan(HEARD_MS)
  await Promise.all([writer.close(), reader.close()])
})

test('N4: no turn ends as internal when the store is away while a call is written [P-1531]', async () => {
  let left = 1
  const store = watching('append', (_, event) => {
    if (event?.type === 'EffectRequested' && left-- > 0) double.faults.freeze(LONG_FREEZE_MS)
  })
  const failed: unknown[] = []
  const node = await world.node({ dies: true, store, failed: error => void failed.push(error) })
  const conversation = await begin(node)
  for (const id of ['a', 'b']) await node.accept(conversation, text(id))
  await vi.waitFor(async () => expect(await talkOf(node, conversation)).toContain('bot: Pedido b'), SOON)
  expect(failed).not.toEqual([])
  const turns = (await eventsOf(conversation)).filter(({ type }) => type.startsWith('Turn'))
  expect(turns.map(({ type, data }) => [type, data.problems])).toEqual(turns.map(() => ['TurnTaken', []]))
  expect(world.calls).toHaveLength(2)
  await node.close()
})

test('N5: first messages of a person, and one repeated, open one conversation on two nodes of a faulty store [P-1531]', async () => {
  const nodes = [await world.node({ dies: true }), await world.node({ dies: true })]
  const proceed = nodes.map(conversations => createConversationContinuation({ conversations }))
  const insist = async (place: number, user: string, id: string): Promise<string> => {
    for (;;) {
      const sender = { channel: 'web', user: { id: user }, message: id }
      const sent = await proceed[place]?.(sender, () => text(id)).catch(() => undefined)
      if (sent?.ok) return sent.value.conversation
    }
  }
  for (let n = 0; n < 8; n += 1) {
    double.faults.append('lostAnswer', ...(n % 4 === 0 ? (['lateAnswer'] as const) : []))
    const sent = await Promise.all(['a', 'b', 'a', 'a'].map((id, place) => insist(place % 2, `person ${n}`, id)))
    expect(new Set(sent).size).toBe(1)
    const received = (await eventsOf(String(sent[0]))).filter(({ type }) => type === 'MessageReceived')
    expect(received.map(({ data }) => data.message).sort()).toEqual(['a', 'b'])
  }
  await Promise.all(nodes.map(node => node.close()))
})

test('N6: a number stays with the node that renews its lease while renewals are answered late or not at all [P-1531]', async () => {
  const [one, other] = [new NumberLease(world.store, '551', 'one'), new NumberLease(world.store, '551', 'other')]
  const faults = ['lateAnswer', 'lostAnswer', 'noAnswer', undefined] as const
  expect(await one.hold(0)).toBe(true)
  for (const [place, fault] of faults.entries()) {
    const now = (place + 1) * 10_000
    if (fault !== undefined) double.faults.append(fault)
    const held = await one.hold(now).catch(() => one.hold(now))
    expect([fault, held, await other.hold(now + 9000)]).toEqual([fault, true, false])
  }
})

test('N7: a node that opens on a frozen store works once the store answers [P-1531]', async () => {
  double.faults.freeze(LONG_FREEZE_MS)
  const node = await world.node({ dies: true })
  const conversation = await begin(node)
  await node.accept(conversation, text('a'))
  await vi.waitFor(async () => expect(await talkOf(node, conversation)).toContain('bot: Pedido a'), SOON)
  await node.close()
})
