import { afterEach, describe, expect, test } from 'vitest'
import type { AgentEvent } from '#runtime/agent/agent-port.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import type { Meters } from '#runtime/parts.ts'
import { MemoryAgents } from '#test/doubles/agent/memory-agents.ts'
import { DIALOG, isBack, joined, pageOf, said, until } from './handed.ts'
import { HeldAppends } from './stores.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

let world: World
afterEach(() => world?.close())

interface TwoNodes {
  readonly recognizes?: boolean
  /** Appends of the first node, and of the other one. */
  readonly appends?: HeldAppends
  readonly otherAppends?: HeldAppends
  readonly otherDies?: boolean
  /** When the first opening of the chat is answered. */
  readonly opens?: Promise<void>
}

describe('a chat with an agent on two nodes', () => {
  const two = async ({ recognizes = true, appends, otherAppends, otherDies = false, opens }: TwoNodes = {}) => {
    const agents = new MemoryAgents({ polls: true, recognizes })
    agents.beforeOpened = async () => {
      agents.beforeOpened = async () => undefined
      await opens
    }
    world = await openWorld(DIALOG, { agentEnabled: true })
    const [first, second] = [agents.node(), agents.node()]
    const storeWith = (held: HeldAppends | undefined) => held?.of(world.store) ?? world.store
    const one = await world.node({ agents: first, dies: true, store: storeWith(appends) })
    const taken: string[] = []
    const none = () => undefined
    const unused = { turned: none, performed: none, delivered: none, called: none }
    const meters: Meters = { ...unused, tookOver: work => void taken.push(work) }
    const other = await world.node({ agents: second, meters, dies: otherDies, store: storeWith(otherAppends) })
    const conversation = await begin(one)
    await say(one, conversation, 's3gredo')
    await until(() => expect(agents.opened).toHaveLength(1))
    const kill = () => {
      first.isDead.now = true
      world.kill(one)
    }
    const killOther = () => {
      second.isDead.now = true
      world.kill(other)
    }
    return { agents, one, other, conversation, kill, killOther, taken }
  }

  const isJoined = async (agents: MemoryAgents, on: OpenedConversations, conversation: string) => {
    agents.tell(joined)
    await until(async () => expect((await pageOf(on, conversation)).agent?.isWaiting).toBe(false))
  }
  const chatsOf = async (node: OpenedConversations) => {
    const chats = await node.agents()
    if (chats === undefined) throw new Error('no chats with agents')
    return chats
  }
  const saidTo = ({ said: messages }: MemoryAgents) => messages.map(({ text }) => text)

  test('continues from stored state when the polling node dies [P-1189] [P-1562]', async () => {
    const { agents, one, other, conversation, kill, taken } = await two()
    agents.tell(joined, said('Olá'))
    await until(async () => expect(await talkOf(other, conversation)).toContain('agent: Olá'))
    await say(one, conversation, 'oi')
    await until(() => expect(agents.said).toHaveLength(1))
    expect(taken).toEqual([])
    kill()
    world.now += 61_000
    agents.tell(said('Ainda aqui'), said('Olá'))
    await until(async () => expect(await talkOf(other, conversation)).toContain('agent: Ainda aqui'))
    expect(taken).toEqual(['agentchat'])
    await say(other, conversation, 'que bom')
    await until(() => expect(saidTo(agents)).toEqual(['oi', 'que bom']))
    expect(agents.opened).toHaveLength(1)
    expect((await talkOf(other, conversation)).filter(line => line === 'agent: Olá')).toHaveLength(1)
    agents.tell({ kind: 'closed', id: 'c' })
    await isBack(other, conversation)
  })

  test.each([true, false])(
    'sends nothing twice when it dies in the midst of sending, whether the system recognizes a message: %s [P-1190]',
    async recognizes => {
      const { agents, one, other, conversation, kill } = await two({ recognizes })
      await isJoined(agents, other, conversation)
      const taken = Promise.withResolvers<void>()
      agents.beforeAnswer = async () => {
        agents.beforeAnswer = async () => undefined
        kill()
        taken.resolve()
      }
      void one.accept(conversation, { id: 'm1', type: 'text', text: 'uma vez' })
      await taken.promise
      world.now += 61_000
      await until(async () => expect(await talkOf(other, conversation)).toContain('user: uma vez'))
      await say(other, conversation, 'depois')
      await until(() => expect(saidTo(agents)).toEqual(['uma vez', 'depois']))
    },
  )

  test.each([true, false])(
    'sends nothing twice when it is taken over while the append before its sending is late, recognized: %s [P-2030]',
    async recognizes => {
      const appends = new HeldAppends('AgentLeased', ({ data }) => typeof data.sent === 'number')
      const otherAppends = new HeldAppends('AgentLeased')
      const { agents, one, other, conversation, kill } = await two({ recognizes, appends, otherAppends })
      await isJoined(agents, other, conversation)
      appends.hold()
      otherAppends.hold()
      void one.accept(conversation, { id: 'm1', type: 'text', text: 'uma vez' })
      await appends.reached
      // The other node has read the message, and nothing about its sending, when it takes the expired lease.
      world.now += 61_000
      await otherAppends.reached
      agents.beforeAnswer = async () => {
        agents.beforeAnswer = async () => undefined
        kill()
      }
      appends.release()
      await until(() => expect(saidTo(agents)).toEqual(['uma vez']))
      otherAppends.release()
      await say(other, conversation, 'depois')
      await until(() => expect(saidTo(agents)).toEqual(['uma vez', 'depois']))
    },
  )

  test('sends what another node was about to send when it takes the chat back [P-2030]', async () => {
    const { agents, one, other, conversation, killOther, taken } = await two({ otherDies: true })
    await isJoined(agents, other, conversation)
    const answer = Promise.withResolvers<void>()
    agents.beforeAnswer = () => {
      agents.beforeAnswer = async () => undefined
      return answer.promise
    }
    await say(one, conversation, 'um')
    await until(() => expect(saidTo(agents)).toEqual(['um']))
    world.now += 61_000
    await until(() => expect(taken).toEqual(['agentchat']))
    agents.beforeSaid = async ({ text }) => (text === 'dois' ? new Promise(() => undefined) : undefined)
    await say(other, conversation, 'dois')
    await until(async () => {
      const talk = (await one.load(conversation))?.agent
      expect(talk?.outbox).toHaveLength(2)
      expect(talk?.sent).toBe(talk?.outbox.at(-1)?.revision)
    })
    killOther()
    agents.beforeSaid = async () => undefined
    world.now += 61_000
    answer.resolve()
    await until(() => expect(saidTo(agents)).toEqual(['um', 'dois']))
  })

  test('stays with the node that took it over when the opening of the first one is answered late [P-2030]', async () => {
    const opens = Promise.withResolvers<void>()
    const { agents, other, conversation, taken } = await two({ opens: opens.promise })
    world.now += 61_000
    await until(() => expect(taken).toEqual(['agentchat']))
    await until(async () => expect((await other.load(conversation))?.agent?.link).toBeDefined())
    const before = (await other.load(conversation))?.agent?.lease
    opens.resolve()
    await new Promise(resolve => setTimeout(resolve, 300))
    expect((await other.load(conversation))?.agent?.lease).toEqual(before)
    await isJoined(agents, other, conversation)
    await say(other, conversation, 'oi')
    await until(() => expect(saidTo(agents)).toEqual(['oi']))
  })

  test('is not ended by time, and its person not removed, when an agent came in that moment [P-2031]', async () => {
    const appends = new HeldAppends('AgentLeft')
    const { agents, one, other, conversation } = await two({ appends })
    const key = agents.opened[0]?.key ?? ''
    const come = async (...events: readonly AgentEvent[]) => {
      await (await chatsOf(other)).hear('desk', key, events, {})
      appends.release()
      await until(async () => expect((await pageOf(one, conversation)).agent?.isWaiting).toBe(false))
    }
    appends.hold()
    world.timeouts = { ...world.timeouts, connect: 20_000 }
    world.now += 21_000
    await appends.reached
    await come(joined)
    await say(one, conversation, 'oi')
    await until(() => expect(saidTo(agents)).toEqual(['oi']))
    world.timeouts = { ...world.timeouts, connect: 0 }
    await (await chatsOf(other)).hear('desk', key, [{ kind: 'left', id: 'l1' }], {})
    await until(async () => expect((await pageOf(one, conversation)).agent?.isWaiting).toBe(true))
    const chats = await chatsOf(one)
    const [waiting] = chats.list('desk')
    if (waiting === undefined) throw new Error('nobody waits')
    appends.hold()
    const cleared = chats.clear(waiting, {})
    await appends.reached
    await come({ ...joined, id: 'j2' })
    expect(await cleared).toBe(false)
    expect((await pageOf(one, conversation)).state).toBe('agent')
  })
})
