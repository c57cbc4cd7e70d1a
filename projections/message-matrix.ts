export type { MessageMatrix } from '#schemas/api/message.ts'

/** Messages of a bot, or of a level, by code and language. */
export interface MessageQuery {
  readonly place: { readonly entity: 'bot' | 'hierarchy'; readonly id: string }
  readonly locales: readonly string[]
  /** Folded substring of code, namespace or text. */
  readonly search?: string
  /** Codes without a text: in any language, or in this one. */
  readonly missing?: string
  readonly page: number
  readonly size: number
}
