import { afterEach, describe, expect, test, vi } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { ask, type DialogSketch, releaseOf, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { allOf, STORES, stopServer } from './stores.ts'
import { begin, openWorld, talkOf, type World } from './world.ts'

const ASKING: DialogSketch = { start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') }
const BUYING: DialogSketch = {
  start,
  a: ask('text', 'nome', 'buy'),
  buy: {
    type: 'restservice',
    properties: { methodType: 'post', url: 'https://shop.example', resultVariable: 'order', errorVariable: 'fault' },
    to: { output_1: 'done', output_error: 'failed' },
  },
  done: tell('Pedido {{nome}}', 'a'),
  failed: tell('Falhou {{nome}} {{fault.code}}', 'a'),
}

let world: World
afterEach(async () => {
  await world.close()
  await stopServer()
})

const openBot = async (openStore: (folder: string) => Promise<EventStore>, dialog: DialogSketch) => {
  world = await openWorld(dialog, { userTimeout: 0, endTimeout: 0 }, releaseOf({ main: dialog }), openStore)
  world.partTurns = 2
}

/**
 * A store of a node that dies with its append number `last`: right before it is written, or right after. A
 * conversation takes two appends at its beginning, three for each message, and one for each later part.
 */
const dyingAt = (store: EventStore, last: number, when: 'before' | 'after') => {
  let appends = 0
  const death = Promise.withResolvers<void>()
  const burial = Promise.withResolvers<never>()
  burial.promise.catch(() => undefined)
  const append: EventStore['append'] = async (stream, expected, events) => {
    appends += 1
    if (appends < last) return store.append(stream, expected, events)
    if (appends === last && when === 'after') await store.append(stream, expected, events)
    death.resolve()
    return burial.promise
  }
  return {
    store: new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        return name === 'append' ? append : typeof value === 'function' ? value.bind(target) : value
      },
    }),
    death: death.promise,
    bury: () => burial.reject(new Error('the node is dead')),
  }
}

const MESSAGES = ['A', 'B', 'C', 'D']
const ANSWER = /^(?:Pedido|Falhou) (\w)/u

/** A user who sends messages to a node that dies meanwhile. Returns their conversation. */
const buy = async (node: OpenedConversations, user: string, death: Promise<void>): Promise<string> => {
  const opened = await node.open({ channel: 'web', user: { id: user }, begins: true })
  if (!opened.ok) throw new Error(opened.refusal.code)
  const { conversation } = opened.value
  const talk = async () => {
    for (const text of MESSAGES) await node.accept(conversation, { id: text, type: 'text', text })
    await node.settled(conversation, 60_000)
  }
  await Promise.race([talk().catch(() => undefined), death])
  return conversation
}

describe.each(Object.entries(STORES))('a conversation between two parts in %s', (_, openStore) => {
  test('continues after a node death at every point, and places no order twice [P-1002] [R-60] [R-66] [R-67]', async () => {
    await openBot(openStore, BUYING)
    const points = (['before', 'after'] as const).flatMap(when =>
      Array.from({ length: 14 }, (_, place) => ({ when, last: place + 2 })),
    )
    const begun = await Promise.all(
      points.map(async ({ when, last }) => {
        const dying = dyingAt(world.store, last, when)
        const node = await world.node({ dies: true, store: dying.store })
        return { node, dying, conversation: await buy(node, `${when} ${last}`, dying.death) }
      }),
    )
    for (const { dying } of begun) dying.bury()
    const other = await world.node()
    world.now += 31_000
    for (const { conversation } of begun) {
      for (const text of MESSAGES) await other.accept(conversation, { id: text, type: 'text', text })
    }
    for (const [place, { conversation }] of begun.entries()) {
      await vi.waitFor(async () => {
        const page = await other.read(conversation, '', 100)
        const told = page?.messages.flatMap(({ text }) => ANSWER.exec(String(text))?.[1] ?? [])
        expect({ ...points[place], state: page?.state, told }).toEqual({
          ...points[place],
          state: 'waiting',
          told: MESSAGES,
        })
      }, 30_000)
    }
    expect(new Set(world.calls.map(({ key }) => key)).size).toBe(world.calls.length)
    await Promise.all(begun.map(({ node }) => node.close()))
  }, 120_000)

  test('answers each message once and in order on two nodes that go over its seams [P-1003] [R-12] [R-60] [R-64]', async () => {
    await openBot(openStore, ASKING)
    const nodes = [await world.node(), await world.node()] as const
    const conversations = await Promise.all(
      Array.from({ length: 8 }, (_, n) => begin(nodes[n % 2 === 0 ? 0 : 1], `p${n}`)),
    )
    for (const round of [0, 1]) {
      await Promise.all(
        conversations.flatMap(conversation =>
          ['A', 'B', 'C'].map((text, n) => {
            const message = { id: `${text}${round}`, type: 'text', text: `${text}${round}` } as const
            return nodes[n % 2 === 0 ? 0 : 1].accept(conversation, message)
          }),
        ),
      )
    }
    for (const conversation of conversations) {
      await vi.waitFor(async () => {
        for (const node of nodes) {
          const talk = await talkOf(node, conversation)
          const said = talk.flatMap(text => (text.startsWith('user: ') ? [text.slice(6)] : []))
          const told = talk.flatMap(text => (text.startsWith('bot: Oi, ') ? [text.slice(9)] : []))
          expect(said.toSorted()).toEqual(['A0', 'A1', 'B0', 'B1', 'C0', 'C1'])
          expect(told).toEqual(said)
        }
      }, 20_000)
      for (const part of [2, 3]) {
        const events = await allOf(world.store.read(conversationStream(conversation, part)))
        expect(events.map(({ type }) => type).filter(type => type === 'ConversationContinued')).toHaveLength(1)
      }
    }
  }, 60_000)
})
