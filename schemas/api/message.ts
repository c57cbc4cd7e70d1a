import { z } from 'zod'
import { localemessage } from '../entities/localemessage.ts'
import { named } from './common.ts'
import { pageQuery } from './query.ts'

/** Languages that a message can be in. */
export const MESSAGE_LOCALES = localemessage.fields.locale.options ?? []

const locale = z.enum(MESSAGE_LOCALES as [string, ...string[]])

const query = {
  /** Folded substring of code, namespace or text. */
  search: z.string().max(500).optional(),
  /** Codes without a text: in any language, or in this one. */
  missing: z.union([z.literal('any'), locale]).optional(),
  ...pageQuery,
}

export const botMessagesQuery = z.strictObject(query)
export const messageMatrixQuery = z.strictObject({ ...query, hierarchylevel: z.string().max(200).optional() })

const cell = z.object({
  /** Message text; null: none. */
  text: z.string().nullable(),
  /**
   * Origin: `own` of the bot or level itself, `general` of a level above or, for a bot, of its level too; `hidden`: the
   * caller may not read it.
   */
  source: z.enum(['own', 'general', 'hidden']).nullable(),
  /** The message of the bot or level itself, even while it is off. */
  own: z.object({ id: z.string(), revision: z.int(), message: z.string(), enabled: z.boolean() }).nullable(),
  /** The inherited message, if the caller may see it. */
  general: z.object({ id: z.string(), message: z.string() }).nullable(),
})

/** Messages by namespace and code, with each language. */
export const messageMatrixSchema = named(
  'MessageMatrix',
  z.object({
    items: z.array(
      z.object({ namespace: z.string().nullable(), code: z.string(), messages: z.record(z.string(), cell) }),
    ),
    total: z.int(),
    page: z.int(),
    size: z.int(),
    locales: z.array(z.string()),
    /** Codes that match the search and have no text, over all pages: in `any` language, and in each. */
    missing: z.record(z.string(), z.int()),
  }),
)

export type MessageMatrix = z.output<typeof messageMatrixSchema>
