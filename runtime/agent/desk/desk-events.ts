import type { AgentEvent, AgentPerson } from '../agent-port.ts'

/** What a user does at the desk, as events of an agent system: they are written like those of any other one (D6). */
export const joinedEvent = (slot: string, agent: AgentPerson): AgentEvent => ({ kind: 'joined', id: slot, agent })

/** `id`: the client's, so that a repeated request is written once. */
export const saidEvent = (
  agent: AgentPerson,
  { id, text, files = [] }: Pick<Extract<AgentEvent, { kind: 'message' }>, 'id' | 'text' | 'files'>,
): AgentEvent => ({ kind: 'message', id, from: 'agent', agent, text, files })
