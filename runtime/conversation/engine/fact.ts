import type { Draft } from '#commands/integrity/hash-chain.ts'
import { draft } from '#commands/pipeline/author.ts'
import type { Json } from '#schemas/event.ts'
import type { ConversationEventType } from '#schemas/events/conversation.ts'

/** An event of a conversation to write, with its cause. */
export interface Fact {
  readonly type: ConversationEventType
  readonly data: Readonly<Record<string, Json>>
  readonly cause: string
  /** ms since 1970 */
  readonly time: number
}

/**
 * Half of an event's id is random: a store treats a second append of the same ids at the same revision as a repetition
 * of the first, and two nodes would both believe that they have the claim.
 */
export const factDraft = ({ type, data, cause, time }: Fact, conversation: string): Draft => {
  const at = new Date(time).toISOString()
  return draft(
    { seed: cause, actor: null, time: at, correlation: conversation, causation: null },
    type,
    type,
    null,
    data,
  )
}
