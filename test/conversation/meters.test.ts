import { afterEach, expect, test, vi } from 'vitest'
import { ask, type DialogSketch, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { Meters } from '#runtime/parts.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

const BUYING: DialogSketch = {
  start,
  a: ask('text', 'nome', 'buy'),
  buy: {
    type: 'restservice',
    properties: { methodType: 'get', url: 'https://shop.example/orders', resultVariable: 'order' },
    to: { output_1: 'done', output_error: 'done' },
  },
  done: tell('Pedido {{nome}}', 'a'),
}
const SLOW = { interval: 20 }

let world: World
afterEach(() => world?.close())

const openMeters = () => {
  const counted: string[] = []
  const meters: Meters = {
    turned: result => void counted.push(result),
    tookOver: work => void counted.push(`took over ${work}`),
    performed: () => undefined,
    delivered: () => undefined,
    called: () => undefined,
  }
  return { counted, meters }
}

test('counts turns by result, a fault of the program as internal [P-1562]', async () => {
  world = await openWorld(BUYING)
  const { counted, meters } = openMeters()
  let isBroken = false
  const failed: unknown[] = []
  const node = await world.node({
    meters,
    dies: true,
    failed: error => void failed.push(error),
    rest: async () => {
      if (isBroken) throw new TypeError('broken')
      return { kind: 'rest', ms: 1, ok: true, status: 200, body: {} }
    },
  })
  const conversation = await begin(node)
  await say(node, conversation, 'Ana')
  isBroken = true
  await say(node, conversation, 'Bia')
  expect(counted).toEqual(['done', 'done', 'internal'])
  expect(failed).toHaveLength(1)
  await node.close()
})

test('measures the oldest message without an answer, and counts its take-over by another node [P-1562]', async () => {
  world = await openWorld(BUYING)
  const [one, other] = [openMeters(), openMeters()]
  const answer = Promise.withResolvers<void>()
  const first = await world.node({ meters: one.meters, dies: true, rest: () => new Promise(() => undefined) })
  const second = await world.node({
    meters: other.meters,
    rest: async () => {
      await answer.promise
      return { kind: 'rest', ms: 1, ok: true, status: 200, body: {} }
    },
  })
  const conversation = await begin(first)
  expect(await first.inboxAge()).toBe(0)
  await first.accept(conversation, { id: 'm', type: 'text', text: 'Ana' })
  world.now += 5000
  await vi.waitFor(async () => expect(await first.inboxAge()).toBe(5000), SLOW)
  world.kill(first)
  world.now += 27_000
  // Its claim has expired: every node shows the message, whether it has taken it over or not.
  await vi.waitFor(async () => expect(await second.inboxAge()).toBe(32_000), SLOW)
  await vi.waitFor(() => expect(other.counted).toEqual(['took over turn']), SLOW)
  expect(await second.inboxAge()).toBe(32_000)
  answer.resolve()
  await vi.waitFor(async () => expect(await talkOf(second, conversation)).toContain('bot: Pedido Ana'), SLOW)
  expect([await second.inboxAge(), other.counted, one.counted]).toEqual([0, ['took over turn', 'done'], ['done']])
})
