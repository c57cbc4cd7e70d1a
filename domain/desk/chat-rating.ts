import { type ChatRating, isRatingScale, type RatingSkip } from '#schemas/rating.ts'

interface RatingQueue {
  readonly csat?: string | null
  readonly csat_text?: string | null
  readonly csat_comment?: string | null
  readonly close_reasons: readonly { readonly key: string; readonly csat?: boolean | null }[]
}

interface ClosedChat {
  /** Key of the reason for which it is closed. */
  readonly reason: string | undefined
  /** False: the agent wants no rating. */
  readonly csat: boolean | undefined
  readonly hasAgentWritten: boolean
  readonly isWindowOpen: boolean
}

/** Rating that closing a chat asks for, or why it asks for none; undefined: its queue has no rating. */
export const chatRatingOf = (
  queue: RatingQueue | undefined,
  { reason, csat, hasAgentWritten, isWindowOpen }: ClosedChat,
): ChatRating | RatingSkip | undefined => {
  if (queue === undefined || !isRatingScale(queue.csat)) return undefined
  if (csat === false) return 'agent'
  if (queue.close_reasons.find(({ key }) => key === reason)?.csat === false) return 'reason'
  if (!hasAgentWritten) return 'silent'
  if (!isWindowOpen) return 'window'
  return { scale: queue.csat, text: queue.csat_text ?? '', comment: queue.csat_comment ?? '' }
}
