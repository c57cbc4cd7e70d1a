import type { AgentTalk } from './agent-talk.ts'

/** ms; 0 turns one off (C-9.05, C-9.06). */
export interface AgentTimeouts {
  /** Wait for an agent. */
  readonly connect: number
  /** Silence of an agent who owes an answer. */
  readonly inactive: number
  /** Silence of a person who owes an answer. */
  readonly user: number
}

/** Reason for a timeout at a moment, in ms since 1970; undefined: no timeout. */
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
