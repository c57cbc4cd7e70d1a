import type { AgentTalk } from './agent-talk.ts'

/** ms; 0 turns one off (C-9.05, C-9.06). */
export interface AgentTimeouts {
  /** Until an agent is there. */
  readonly connect: number
  /** Of an agent who owes an answer. */
  readonly inactive: number
  /** Of a person who owes one. */
  readonly user: number
}

/** Why a chat ends by itself at a moment, in ms since 1970; undefined: it does not. */
export const lateReason = (
  { waiting, connected, agentSaid, personSaid }: AgentTalk,
  timeouts: AgentTimeouts,
  now: number,
): 'timeout' | 'inactive' | 'user' | undefined => {
  const isOver = (since: number, ms: number) => ms > 0 && now - since > ms
  if (connected === undefined) return isOver(waiting, timeouts.connect) ? 'timeout' : undefined
  const last = Math.max(connected, agentSaid ?? 0, personSaid ?? 0)
  const isAgentAsked = agentSaid === undefined || (personSaid ?? 0) > agentSaid
  if (isAgentAsked) return isOver(last, timeouts.inactive) ? 'inactive' : undefined
  return isOver(last, timeouts.user) ? 'user' : undefined
}
