import type { ReadModels, Row } from '#projections/port.ts'
import type { AgentChat, AgentSystem } from '#runtime/agent/agent-port.ts'
import type { DeskLink } from '#runtime/agent/desk/desk-port.ts'
import { type Agents, openAgents } from '#runtime/agent/open-agents.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { createCall } from '#runtime/outbound/call.ts'
import { createSocketCall } from '#runtime/outbound/socket.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import { leading } from '../leading-call.ts'

interface Given {
  readonly type: string
  readonly fields: JsonObject
  readonly url: string
  readonly desk?: DeskLink
  readonly hosts?: readonly string[]
  readonly allowPrivate?: boolean
}

/** Rules of profiles are evaluated in a process, as in a gateway; it ends with the test's own. */
const work = openPool(1)

/** An agent system with one channel, whose calls go over the network to a double. */
export const openedAgents = ({ type, fields, url, desk, hosts = [], allowPrivate = true }: Given): Agents => {
  const row = {
    ...fields,
    id: 'c1',
    revision: 1,
    bot: 'b1',
    type,
    name: 'Suporte ',
    enable: true,
    configured: true,
  } as unknown as Row
  const read = {
    list: async () => ({ items: [row] }),
    detail: async (_scope: unknown, entity: string) => (entity === 'agentchannel' ? row : { agent_timeout: 2_000 }),
  } as unknown as ReadModels
  const commands = { openFields: async () => ({ type, enable: true, ...fields }) }
  const call = leading(createCall({ allowPrivate }), hosts, url)
  const openSocket = createSocketCall({ allowPrivate })
  return openAgents({ read, commands, call, openSocket, work, ...(desk === undefined ? {} : { desk }) })
}

export const systemOf = async (given: Given): Promise<AgentSystem> => {
  const opened = await openedAgents(given).open('c1')
  if (opened === undefined) throw new Error(`No adapter for ${given.type}`)
  return opened.system
}

export const KEY = '0123456789abcdef0123456789abcdef'

export const chat = (change: Partial<AgentChat> = {}): AgentChat => ({
  key: KEY,
  conversation: 'conversation-1',
  person: { id: '5511999990000', name: 'Ana', data: { email: 'ana@example.com' } },
  locale: 'pt',
  queue: 'sac',
  fields: { cpf: '1' },
  transcript: '',
  said: 'Quero falar com alguém',
  webhook: 'https://bots.example.com/agent/c1/webhook',
  ...change,
})

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.refusal.code)
