import { afterEach, describe, expect, test, vi } from 'vitest'
import { StoreUnavailable } from '#commands/store/port.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { ask, type DialogSketch, evaluated, releaseOf, start, say as tell } from '#domain/conversation/fixture/talk.ts'
import type { NewEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { allOf, withAppend } from './stores.ts'
import { begin, openWorld, talkOf, type World } from './world.ts'

const ASKING: DialogSketch = { start, a: ask('text', 'nome', 'b'), b: tell('Oi, {{nome}}', 'a') }
const REMINDER_MS = 41_000
const DAY_MS = 86_400_000
const SOON = { timeout: 10_000, interval: 20 }

let world: World
afterEach(() => world.close())

const eventsOf = (conversation: string) => allOf(world.store.read(conversationStream(conversation)))
const typesOf = async (conversation: string) => (await eventsOf(conversation)).map(({ type }) => type)
const OPENED = ['ConversationStarted', 'TurnTaken']

/** A dialog that plans a task for the next day. The task calls the shop. */
const openPlanned = async (methodType: string) => {
  const main: DialogSketch = {
    start: { type: 'start', to: 'plan' },
    plan: {
      type: 'schedule',
      properties: { scheduleQuantity: 1, scheduleUnit: 'day', task: 'later', dontExecuteIfInConversation: false },
      to: 'said',
    },
    said: tell('até logo'),
  }
  const later: DialogSketch = {
    start: { type: 'start', to: 'buy' },
    buy: {
      type: 'restservice',
      properties: { methodType, url: 'https://shop.example/orders', resultVariable: 'order' },
      to: { output_1: 'done' },
    },
    done: tell('Pedido {{order.code}}'),
  }
  const task = (id: string, principal: string) => [id, { id, name: id, principal, utterances: [] }] as const
  const tasks = new Map([task('task', 'main'), task('later', 'later')])
  return openWorld(main, { tasks, endTimeout: 0 }, releaseOf({ main, later }))
}

describe('a due timer', () => {
  test('is stored with its turn by one append, without a claim [P-2906] [R-69] [R-71]', async () => {
    world = await openWorld(ASKING)
    const appended: (readonly NewEvent[])[] = []
    const store = withAppend(world.store, 'TimerFired', (write, events) => {
      appended.push(events)
      return write()
    })
    const node = await world.node({ store })
    const conversation = await begin(node)
    world.now += REMINDER_MS
    await vi.waitFor(async () => expect(await typesOf(conversation)).toHaveLength(4), SOON)
    expect(appended.map(events => events.map(({ type }) => type))).toEqual([['TimerFired', 'TurnTaken']])
    expect(appended.flat().map(({ data }) => data.claim)).toEqual([undefined, undefined])
    expect(await talkOf(await world.node(), conversation)).toEqual(await talkOf(node, conversation))
    expect(await talkOf(node, conversation)).toHaveLength(2)
    expect((await node.read(conversation, '', 9))?.state).toBe('waiting')
  })

  test.each([
    { method: 'post', recorded: ['EffectRequested'] },
    { method: 'get', recorded: [] },
  ])('runs its turn under a claim when the turn makes a $method call [P-2907] [R-63] [R-66]', async given => {
    world = await openPlanned(given.method)
    const node = await world.node({ name: 'one' })
    const conversation = await begin(node)
    world.now += DAY_MS
    await vi.waitFor(async () => expect((await talkOf(node, conversation)).at(-1)).toBe('bot: Pedido A1'), SOON)
    expect(await typesOf(conversation)).toEqual([...OPENED, 'ScheduleFired', ...given.recorded, 'TurnTaken'])
    expect((await eventsOf(conversation))[2]?.data.claim).toMatchObject({ node: 'one' })
    expect(world.calls).toHaveLength(1)
  })

  test('is not stored when a message was stored first [P-2906] [R-69] [R-71]', async () => {
    world = await openWorld(ASKING)
    let conversation = ''
    const store = withAppend(world.store, 'TimerFired', async write => {
      await second.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
      return write()
    })
    const [first, second] = [await world.node({ store }), await world.node({ store })]
    conversation = await begin(first)
    world.now += 10 * 60_000
    await vi.waitFor(async () => expect(await talkOf(first, conversation)).toContain('bot: Oi, Ana'), SOON)
    expect((await first.read(conversation, '', 9))?.state).toBe('waiting')
    expect(await typesOf(conversation)).toEqual([...OPENED, 'MessageReceived', 'TurnTaken'])
  })

  test('is void when a message is stored between it and its turn under a claim [P-2907] [R-69] [R-71]', async () => {
    const main = { ...ASKING, a: ask('text', 'nome', 'b', { retryPrompt: 'Nome {{1 + 1}}?' }) }
    world = await openWorld(main)
    let conversation = ''
    let isArmed = false
    let isBusy = false
    const store = withAppend(world.store, 'TurnTaken', async write => {
      if (isArmed) {
        isArmed = false
        await second.accept(conversation, { id: 'a', type: 'text', text: 'Ana' })
      }
      return write()
    })
    // The first run of the turn fails, so that the turn runs under a claim.
    const perform = async (effect: Effect): Promise<EffectAnswer> => {
      if (effect.kind !== 'evaluate') throw new Error(effect.kind)
      if (isBusy) {
        isBusy = false
        throw new Error('the evaluator is busy')
      }
      const values = await Promise.all(effect.jobs.map(job => evaluated(job, effect.context)))
      return { kind: 'evaluate', ms: 0, values }
    }
    const [first, second] = [await world.node({ store, perform }), await world.node({ store, perform })]
    conversation = await begin(first)
    isArmed = true
    isBusy = true
    world.now += REMINDER_MS
    await vi.waitFor(async () => expect(await talkOf(first, conversation)).toContain('bot: Oi, Ana'), SOON)
    expect(await typesOf(conversation)).toEqual([...OPENED, 'TimerFired', 'MessageReceived', 'TurnTaken'])
  })

  test('is fired once when two nodes run its turn at the same time [P-2906] [R-69]', async () => {
    world = await openWorld(ASKING)
    let conversation = ''
    const store = withAppend(world.store, 'TimerFired', async write => {
      await second.fire(conversation)
      return write()
    })
    const [first, second] = [await world.node({ store }), await world.node()]
    conversation = await begin(first)
    world.now += REMINDER_MS
    await first.fire(conversation)
    expect(await typesOf(conversation)).toEqual([...OPENED, 'TimerFired', 'TurnTaken'])
    expect(await talkOf(first, conversation)).toEqual(await talkOf(second, conversation))
  })

  test('is fired and reported once when its append was stored without an answer [P-2906] [P-1011]', async () => {
    world = await openWorld(ASKING)
    let lost = 0
    const store = withAppend(world.store, 'TimerFired', async write => {
      const written = await write()
      lost -= 1
      if (lost >= 0) throw new StoreUnavailable()
      return written
    })
    const turns: string[] = []
    const nothing = () => undefined
    const meters = {
      ...{ performed: nothing, delivered: nothing, called: nothing, tookOver: nothing },
      turned: (result: string) => void turns.push(result),
    }
    const failed: unknown[] = []
    const node = await world.node({ store, meters, failed: error => void failed.push(error) })
    const conversation = await begin(node)
    turns.length = 0
    // As often as one write is tried.
    lost = 6
    world.now += REMINDER_MS
    await vi.waitFor(() => expect(turns).toEqual(['done']), SOON)
    expect(failed).toHaveLength(1)
    expect(await typesOf(conversation)).toEqual([...OPENED, 'TimerFired', 'TurnTaken'])
    expect(await talkOf(node, conversation)).toHaveLength(2)
  })

  test('leaves the event loop to others after 32 turns [P-2908]', async () => {
    world = await openWorld(ASKING)
    const counts = new Map<number, number>()
    let turn = 0
    const store = withAppend(world.store, 'TimerFired', write => {
      counts.set(turn, (counts.get(turn) ?? 0) + 1)
      return write()
    })
    const node = await world.node({ store })
    const chats = await Promise.all(Array.from({ length: 90 }, (_, n) => begin(node, `p${n}`)))
    await vi.waitFor(() => expect(node.index.due(world.now + REMINDER_MS, 100)).toHaveLength(chats.length), SOON)
    let isOver = false
    const count = () => {
      turn += 1
      if (!isOver) setImmediate(count)
    }
    count()
    world.now += REMINDER_MS
    await vi.waitFor(() => expect(node.index.due(world.now, 1)).toEqual([]), SOON)
    isOver = true
    expect([...counts.values()].reduce((sum, n) => sum + n)).toBe(chats.length)
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(40)
  })
})
