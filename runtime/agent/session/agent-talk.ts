import type { JsonObject } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { SentMessage } from '../../port.ts'
import type { AgentLink, AgentPerson } from '../port.ts'

/** A message of the person to the agent, by the revision of its event. */
interface OutgoingMessage {
  readonly revision: number
  /** ms since 1970 */
  readonly time: number
  readonly sent: SentMessage
}

/** A chat with an agent, from the request until it is closed in the agent system. Times are ms since 1970. */
export interface AgentTalk {
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
}
