import { afterEach, expect, test, vi } from 'vitest'
import { verifyChains } from '#commands/integrity/verify-log.ts'
import { type EventStore, StoreUnavailable } from '#commands/store/port.ts'
import { ask, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { begin, openWorld, say, talkOf, type World, withoutEvents } from './world.ts'

let world: World
afterEach(() => world.close())

test('evicts cached messages of a forgotten person on both nodes, in all conversations of that person [R-84] [P-1431]', async () => {
  world = await openWorld({ start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') })
  const [first, second] = [await world.node(), await world.node()]
  const earlier = await begin(first)
  await say(first, earlier, 'Segredo')
  await first.end(earlier, 'person')
  const conversation = await begin(first)
  await say(first, conversation, 'Ana')
  const wordsAt = async (node: OpenedConversations) =>
    [...(await talkOf(node, earlier)), ...(await talkOf(node, conversation))].join()
  await vi.waitFor(async () => expect(await wordsAt(second)).toMatch(/Segredo.*Ana/u), 5000)

  await first.forget(conversation)
  expect(await wordsAt(first)).not.toMatch(/Segredo|Ana/u)
  await vi.waitFor(async () => expect(await wordsAt(second)).not.toMatch(/Segredo|Ana/u), 5000)
  expect((await verifyChains(world.store)).findings).toEqual([])
})

test('follows the log after a person was forgotten while the storage of files is away [R-84]', async () => {
  world = await openWorld({ start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') })
  const first = await world.node()
  const faults: unknown[] = []
  const away = new StoreUnavailable('the bucket does not answer')
  const second = await world.node({
    files: { removeOf: () => Promise.reject(away) },
    dies: true,
    failed: error => faults.push(error),
  })
  const conversation = await begin(first)
  await first.forget(conversation)
  const next = await begin(first, 'bia')
  await vi.waitFor(() => expect(second.index.get(next)).toBeDefined(), 3000)
  expect(faults).toEqual([away])
  await second.close()
})

test('sweeps no file of a conversation that the index of a node lacks, and those of a forgotten person [P-1702]', async () => {
  world = await openWorld({ start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') })
  const [first, deaf] = [await world.node(), await world.node({ store: withoutEvents(world.store) })]
  const conversation = await begin(first)
  expect(deaf.index.get(conversation)).toBeUndefined()
  expect(await deaf.mayHoldFiles(conversation)).toBe(true)
  expect(await first.mayHoldFiles(conversation)).toBe(true)
  expect(await first.mayHoldFiles('none')).toBe(false)
  await first.forget(conversation)
  expect(await first.mayHoldFiles(conversation)).toBe(false)
})

test('asks for files of conversations without loading them [P-1702]', async () => {
  world = await openWorld({ start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') })
  const conversation = await begin(await world.node())
  const reads: string[] = []
  const counting = new Proxy(world.store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === 'read')
        return (...given: Parameters<EventStore['read']>) => {
          reads.push(given[0])
          return target.read(...given)
        }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const node = await world.node({ store: counting })
  await vi.waitFor(() => expect(node.index.get(conversation)).toBeDefined())
  reads.length = 0
  expect(await node.mayHoldFiles(conversation)).toBe(true)
  expect(reads).toEqual([])
})
