import { afterEach, describe, expect, test, vi } from 'vitest'
import { ask, type DialogSketch, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import { performEffect } from '#runtime/conversation/effect/perform-effect.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { openEvaluator, openSandbox } from '#runtime/isolation/pooled-work.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

const ASKING: DialogSketch = { start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') }
const POLITE: DialogSketch = { start, a: ask('text', 'nome', 'b'), b: tell('Muito prazer, {{nome}}', 'a') }
const OTHER: DialogSketch = { start: { type: 'start', to: 'c' }, c: ask('text', 'email', 'd'), d: tell('Certo') }
const DAY_MS = 86_400_000

let world: World
afterEach(() => world.close())

const typesOf = async (conversation: string): Promise<readonly string[]> => {
  const events: StoredEvent[] = []
  for await (const event of world.store.read(conversationStream(conversation))) events.push(event)
  return events.map(({ type }) => type)
}
/** A moment after everything before. */
const restart = () => {
  world.now += 60_000
  world.operate({ restarted_at: new Date(world.now).toISOString() })
  world.now += 60_000
}

describe('a conversation whose bot was restarted', () => {
  test('continues at the waiting block in its current version [R-4]', async () => {
    world = await openWorld(ASKING, { userTimeout: 0, endTimeout: 0 })
    const node = await world.node()
    const conversation = await begin(node)
    world.publish(POLITE)
    await say(node, conversation, 'Ana')
    expect((await talkOf(node, conversation)).at(-2)).toBe('bot: Oi, Ana')
    restart()
    await say(node, conversation, 'Bia')
    expect((await talkOf(node, conversation)).at(-2)).toBe('bot: Muito prazer, Bia')
    expect((await typesOf(conversation)).filter(type => type === 'ConversationMoved')).toHaveLength(1)
    expect((await node.records())?.get(conversation)).toBeDefined()
    const again = await world.node({ isAlone: false })
    expect((await again.load(conversation))?.release).toBe(2)
  })

  test('restarts the default task with a notice when that block is missing [R-4]', async () => {
    world = await openWorld(ASKING, { userTimeout: 0, endTimeout: 0 })
    const node = await world.node()
    const conversation = await begin(node)
    world.publish(OTHER)
    restart()
    await say(node, conversation, 'Ana')
    expect((await talkOf(node, conversation)).slice(2)).toEqual(['bot: conversation.restarted', 'bot: email?'])
    await say(node, conversation, 'a@b.example')
    expect((await talkOf(node, conversation)).at(-1)).toBe('bot: Certo')
  })

  test('stays in its release where nothing else was published, and one that began later as well [R-2] [R-4]', async () => {
    world = await openWorld(ASKING, { userTimeout: 0, endTimeout: 0 })
    const node = await world.node()
    const early = await begin(node)
    restart()
    const late = await begin(node)
    await say(node, early, 'Ana')
    world.publish(POLITE)
    await say(node, late, 'Bia')
    expect((await talkOf(node, late)).at(-2)).toBe('bot: Oi, Bia')
    for (const one of [early, late]) expect(await typesOf(one)).not.toContain('ConversationMoved')
  })
})

describe('a bot that was stopped for more than a day', () => {
  test('sends no reminder of a missing answer: the conversation has ended [R-5]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    const before = await talkOf(node, conversation)
    world.operate({ runningstatus: 'stopped' })
    world.now += DAY_MS + 3_600_000
    await new Promise(resolve => setTimeout(resolve, 1_200))
    expect((await typesOf(conversation)).at(-1)).toBe('TurnTaken')
    world.operate({ runningstatus: 'running' })
    world.now += 10_000
    await vi.waitFor(async () => expect((await typesOf(conversation)).at(-1)).toBe('ConversationEnded'), 10_000)
    expect(await talkOf(node, conversation)).toEqual(before)
  })

  test('tells them when it was stopped for less [R-5]', async () => {
    world = await openWorld(ASKING)
    const node = await world.node()
    const conversation = await begin(node)
    world.operate({ runningstatus: 'stopped' })
    world.now += 3_600_000
    await new Promise(resolve => setTimeout(resolve, 1_200))
    world.operate({ runningstatus: 'running' })
    world.now += 10_000
    await vi.waitFor(async () => expect((await node.read(conversation, '', 10))?.state).toBe('ended'), 10_000)
    expect((await talkOf(node, conversation)).at(-1)).toBe('bot: conversation.ended')
  })
})

describe('a node that shuts down while a script of a turn runs', () => {
  const ENDLESS: DialogSketch = {
    start,
    a: ask('text', 'nome', 'b'),
    b: { type: 'handler', properties: { quickscript: true, js: 'while (true);', errorVariable: 'e' }, to: 'c' },
    c: tell('{{e.message}}', 'a'),
  }

  /** A node with its own processes. `scripts` counts started scripts. */
  const pooled = async () => {
    const pool = openPool(1)
    const from = { level: 'l' }
    const outside = { evaluator: openEvaluator(pool, from), sandbox: openSandbox(pool, from) }
    const counted = { scripts: 0 }
    const faults: unknown[] = []
    const node = await world.node({
      perform: effect => {
        if (effect.kind === 'script') counted.scripts += 1
        return performEffect(effect, outside as never)
      },
      isAlone: true,
      dies: true,
      failed: fault => faults.push(fault),
    })
    const close = async () => {
      pool.close()
      await node.close()
    }
    return { node, pool, counted, faults, close }
  }

  test('writes nothing of the turn, and the next node runs it again [P-1707]', async () => {
    world = await openWorld(ENDLESS, { userTimeout: 0, endTimeout: 0 })
    const first = await pooled()
    const conversation = await begin(first.node)
    await first.node.accept(conversation, { id: 'one', type: 'text', text: 'Ana' })
    await vi.waitFor(() => expect(first.counted.scripts).toBe(1), { timeout: 10_000 })
    await first.close()
    expect((await typesOf(conversation)).at(-1)).toBe('MessageReceived')
    expect(first.faults).toEqual([])
    world.now += 60_000
    const second = await pooled()
    await second.node.settled(conversation, 20_000)
    expect((await talkOf(second.node, conversation)).slice(-2)).toEqual(['bot: time', 'bot: nome?'])
    expect((await typesOf(conversation)).filter(type => type === 'TurnFailed')).toEqual([])
    await second.close()
  })
})
