import type { JsonObject } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { SentMessage } from '../../port.ts'
import type { AgentLink, AgentPerson } from '../agent-port.ts'
import type { DeskChatState } from '../desk/desk-state.ts'

/** A message of the person to the agent, by the revision of its event. */
interface OutgoingMessage {
  readonly revision: number
  /** ms since 1970 */
  readonly time: number
  readonly sent: SentMessage
}

/** A chat with an agent, from the request until it is closed in the agent system. Times are ms since 1970. */
export interface AgentSession {
  /** Number of the turn that asked for it: unique in the conversation. */
  readonly n: number
  readonly channel: string
  /** Key that names the chat in the system's events. */
  readonly key: string
  readonly requested: number
  readonly queue: string
  readonly fields: JsonObject
  readonly hasTranscript: boolean
  /** Messages of the conversation that the agent may read: those before the request. */
  readonly transcriptTo: number
  /** Lease of the node that drives it; another node takes over after its expiry. */
  readonly lease?: Claim
  /** Opening was started: its outcome is unknown until there is a link. */
  readonly isOpening: boolean
  readonly link?: AgentLink
  /** Start of the wait, while no agent is there. */
  readonly waiting: number
  readonly connected?: number
  /** When an agent came first. */
  readonly met?: number
  readonly agent?: AgentPerson
  /** Place in the queue, if the system reports it. */
  readonly place?: number
  readonly outbox: readonly OutgoingMessage[]
  /** Revision of the last message whose sending was started. */
  readonly sent: number
  /** Ids of the system's events that were handled. */
  readonly seen: ReadonlySet<string>
  /** Time of the last message of the agent, and of the person. */
  readonly agentSaid?: number
  readonly personSaid?: number
  /** From 0 to 3, as the block says. */
  readonly priority: number
  /** Of a chat at Parley's own desk, once it was added to a queue or given to a user. */
  readonly desk?: DeskChatState
}

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
  { waiting, connected, agentSaid, personSaid }: AgentSession,
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
