import { afterEach, expect, test, vi } from 'vitest'
import { verifyChains } from '#commands/integrity/verify-chains.ts'
import { StoreUnavailable } from '#commands/store/port.ts'
import { ask, start, say as tell } from '#domain/conversation/fixture/sketch.ts'
import type { OpenedConversations } from '#runtime/conversation/port.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

let world: World
afterEach(() => world.close())

test('two nodes forget somebody whose words one of them holds in memory, in all conversations of that person [R-84] [P-1431]', async () => {
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
