import { afterEach, describe, expect, test } from 'vitest'
import type { Meters } from '#runtime/parts.ts'
import { MemoryAgents } from '#test/doubles/agent/memory-agents.ts'
import { DIALOG, isBack, joined, pageOf, said, until } from './handed.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

let world: World
afterEach(() => world?.close())

describe('a chat with an agent on two nodes', () => {
  const two = async (recognizes = true) => {
    const agents = new MemoryAgents({ polls: true, recognizes })
    world = await openWorld(DIALOG, { agentEnabled: true })
    const [first, second] = [agents.node(), agents.node()]
    const one = await world.node({ agents: first, dies: true })
    const taken: string[] = []
    const none = () => undefined
    const unused = { turned: none, performed: none, delivered: none, called: none }
    const meters: Meters = { ...unused, tookOver: work => void taken.push(work) }
    const other = await world.node({ agents: second, meters })
    const conversation = await begin(one)
    await say(one, conversation, 's3gredo')
    await until(() => expect(agents.opened).toHaveLength(1))
    const kill = () => {
      first.isDead.now = true
      world.kill(one)
    }
    return { agents, one, other, conversation, kill, taken }
  }

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
    await until(() => expect(agents.said.map(({ text: words }) => words)).toEqual(['oi', 'que bom']))
    expect(agents.opened).toHaveLength(1)
    expect((await talkOf(other, conversation)).filter(line => line === 'agent: Olá')).toHaveLength(1)
    agents.tell({ kind: 'closed', id: 'c' })
    await isBack(other, conversation)
  })

  test.each([true, false])(
    'sends nothing twice when it dies in the midst of sending, whether the system recognizes a message: %s [P-1190]',
    async recognizes => {
      const { agents, one, other, conversation, kill } = await two(recognizes)
      agents.tell(joined)
      await until(async () => expect((await pageOf(other, conversation)).agent?.isWaiting).toBe(false))
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
      await until(() => expect(agents.said.map(({ text: words }) => words)).toEqual(['uma vez', 'depois']))
    },
  )
})
