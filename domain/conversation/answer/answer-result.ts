import type { Json } from '#schemas/event.ts'

/** Locale and time of an answer. */
export interface AnswerPlace {
  /** BCP 47: pt, en-US, es-MX. */
  readonly locale: string
  /** ms since 1970. */
  readonly now: number
  readonly timezone: string
}

interface InvalidAnswer {
  readonly ok: false
}
export type AnswerResult<T extends Json = Json> = { readonly ok: true; readonly value: T } | InvalidAnswer

export const valid = <T extends Json>(value: T): AnswerResult<T> => ({ ok: true, value })
export const INVALID: InvalidAnswer = { ok: false }

export const validUnless = <T extends Json>(value: T | undefined): AnswerResult<T> =>
  value === undefined ? INVALID : valid(value)

/** UTF-16 units of an answer of a closed kind (number, date, yes or no); longer is none. */
const MAX_LINE_LENGTH = 200

/**
 * An answer of a closed kind as one line: without invisible characters (direction marks that come with a copied phone
 * number, zero-width spaces), white space collapsed. '' for what is too long to be one.
 */
export const lineOf = (said: string): string =>
  said.length > MAX_LINE_LENGTH
    ? ''
    : said
        .replace(/\p{Cf}/gu, '')
        .replace(/\s+/gu, ' ')
        .trim()
