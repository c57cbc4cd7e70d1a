import type { JsonObject } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { SentMessage } from '../../port.ts'
import type { AgentLink, AgentPerson } from '../port.ts'

/** What a person said to the agent, by the revision of its event. */
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
  /** Under which the system's events name it. */
  readonly key: string
  readonly requested: number
  readonly queue: string
  readonly fields: JsonObject
  readonly hasTranscript: boolean
  /** Messages of the conversation that the agent may read: those before the request. */
  readonly transcriptTo: number
  /** The node that drives it; another one takes over when that is past. */
  readonly lease?: Claim
  /** It was about to be opened: whether it was is not known until there is a link. */
  readonly isOpening: boolean
  readonly link?: AgentLink
  /** Since when the person waits, while no agent is there. */
  readonly waiting: number
  readonly connected?: number
  readonly agent?: AgentPerson
  /** Place in the queue, where the system tells it. */
  readonly place?: number
  readonly outbox: readonly OutgoingMessage[]
  /** Revision of the last message that was about to be sent. */
  readonly sent: number
  /** Events of the system that were worked off. */
  readonly seen: ReadonlySet<string>
  /** When the agent, and the person, said something last. */
  readonly agentSaid?: number
  readonly personSaid?: number
}
