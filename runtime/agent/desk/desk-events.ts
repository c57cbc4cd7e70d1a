import type { AgentEvent, AgentPerson } from '../agent-port.ts'

/** Actions of a user at the desk as events of an agent system, written like those of all others (D6). */
export const joinedEvent = (slot: string, agent: AgentPerson): AgentEvent => ({ kind: 'joined', id: slot, agent })

/** `id`: the client's, so that a repeated request is written once. */
export const saidEvent = (
  agent: AgentPerson,
  {
    id,
    text,
    files = [],
    template,
  }: Pick<Extract<AgentEvent, { kind: 'message' }>, 'id' | 'text' | 'files' | 'template'>,
): AgentEvent => ({
  ...{ kind: 'message', id, from: 'agent', agent, text, files },
  ...(template === undefined ? {} : { template }),
})
