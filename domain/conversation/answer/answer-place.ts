/** Where and when an answer is read. */
export interface AnswerPlace {
  /** Language, as BCP 47: pt, en, es, en-US. */
  readonly locale: string
  /** ms since 1970. */
  readonly now: number
  readonly timezone: string
}

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

export const read = <T>(value: T): Read<T> => ({ ok: true, value })
export const UNREAD = { ok: false } as const
