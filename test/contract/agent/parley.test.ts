import { describe, expect, test } from 'vitest'
import { MemoryDesk } from '#test/doubles/agent/memory-desk.ts'
import { agentContract } from './contract.ts'
import { chat, codeOf, systemOf } from './opened-agents.ts'

agentContract<MemoryDesk>({
  type: 'parley',
  start: async () => new MemoryDesk(),
  fields: () => ({ defaultqueue: 'sac' }),
  said: desk => desk.texts(),
  isClosed: ({ isClosed }) => isClosed,
  pushed: desk => ({
    joined: () => desk.join(),
    message: text => desk.write(text),
    closed: () => desk.leave(),
    // The words of a person are in the conversation already.
    echo: () => undefined,
  }),
  recognizes: true,
})

describe("Parley's own desk", () => {
  test('is final when nobody comes, with what the person reads [P-2315]', async () => {
    const system = await systemOf({ type: 'parley', fields: {}, url: '', desk: new MemoryDesk().link })
    const refusal = await system.open(chat({ queue: 'outra' }), { isAgain: false })
    expect(codeOf(refusal)).toBe('agent.nobody')
    expect(system.keepsTimes).toBe(true)
  })
})
