import type { Json } from './event.ts'
import { isObject, textOf } from './json.ts'

/** Scales of a rating: thumbs up or down, 1 to 3, 1 to 5, and 0 to 10 for the Net Promoter Score. */
export const RATING_SCALES = ['thumbs', '3', '5', 'nps'] as const
export type RatingScale = (typeof RATING_SCALES)[number]

/** Subject of a rating. */
export const RATING_SUBJECTS = ['agent', 'bot'] as const
export type RatingSubject = (typeof RATING_SUBJECTS)[number]

/** Scores of a scale, as they are offered. A thumb up is 1, a thumb down is 0. */
export const RATING_SCORES: Readonly<Record<RatingScale, readonly number[]>> = {
  thumbs: [1, 0],
  3: [1, 2, 3],
  5: [1, 2, 3, 4, 5],
  nps: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
}

/**
 * Why an agent's chat is not rated: its reason says so, the agent did, the channel's window is closed, no agent came or
 * wrote, the person was asked before, or they fell silent.
 */
export type RatingSkip = 'reason' | 'agent' | 'window' | 'silent' | 'rated' | 'user'

export const isRatingScale = (value: unknown): value is RatingScale => RATING_SCALES.some(scale => scale === value)

/** Question and subject of a rating. `n`: number of the agent's chat. */
export interface RatingOf {
  /** Number of the question: unique in the conversation. */
  readonly rating: number
  readonly about: RatingSubject
  readonly scale: RatingScale
  readonly n?: number
}

/** Fact of a rating in a turn. A comment comes with the score again, which replaces the fact before. */
export type RatingFact =
  | ({ readonly kind: 'asked' } & RatingOf)
  | ({ readonly kind: 'rated'; readonly score: number; readonly comment?: string } & RatingOf)
  | ({ readonly kind: 'skipped'; readonly why: RatingSkip } & Pick<RatingOf, 'about' | 'n'>)

/** Rating that the desk asks for at the end of a chat, before the flow continues. */
export interface ChatRating {
  readonly scale: RatingScale
  /** Texts of the queue; empty: the usual question, and no question for a comment. */
  readonly text: string
  readonly comment: string
}

/** The rating that an event names; undefined: none. */
export const chatRatingIn = (data: Json | undefined): ChatRating | undefined => {
  if (!isObject(data) || !isRatingScale(data.scale)) return undefined
  return { scale: data.scale, text: textOf(data.text), comment: textOf(data.comment) }
}
