import { z } from 'zod'
import { named } from './name.ts'
import { pageQuery } from './query.ts'

const level = z.string().max(200).optional()
/** A number as people write it; one without a country code is Brazilian. */
const phone = z.string().max(100)
const reason = z
  .string()
  .max(500)
  .refine(value => value.trim() !== '', { params: { code: 'required' } })

/** Without a level, the one of the session. */
export const suppressionExportQuery = z.strictObject({ hierarchylevel: level })
/** Without a level, the one of the session. */
export const suppressionQuery = z.strictObject({ hierarchylevel: level, ...pageQuery })

const placeName = z.object({
  /** Type of the channel, `metaaccount` of an account without a channel, or empty. */
  type: z.string(),
  name: z.string(),
  bot: z.string(),
})

export const suppressionEntrySchema = z.object({
  /** `stop`: no messages; `start`: messages again; `pass`: a word that was no opt-out. */
  kind: z.enum(['stop', 'start', 'pass']),
  /** Level of the list; null: the whole installation, or an account from before lists belonged to levels. */
  hierarchylevel: z.string().nullable(),
  /** `*`: all messages. */
  category: z.string(),
  source: z.string(),
  /** Code of the rule that decided; empty: none. */
  rule: z.string(),
  reason: z.string(),
  user: z.string().nullable(),
  time: z.iso.datetime(),
  /** A suppression that nothing has lifted. */
  active: z.boolean(),
  /** Name of the contact with the number; empty: none that the caller may read. */
  name: z.string(),
  /** The last digits of the contact's number. */
  ends: z.string(),
  /** As the person wrote it, or the label of the button. */
  word: z.string(),
  /** The campaign that the person answered, else the last one within 7 days. */
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
  channel: placeName.nullable(),
})

/** Entries that hold for a level, newest first, without whole numbers. */
export const suppressionPageSchema = named(
  'SuppressionPage',
  z.object({
    items: z.array(suppressionEntrySchema),
    total: z.int(),
    bysource: z.array(z.object({ source: z.string(), count: z.int() })),
  }),
)

export const suppressionSearchBody = named('SuppressionSearch', z.strictObject({ phone, hierarchylevel: level }))
/** State and history of one number. */
export const suppressionFoundSchema = named(
  'SuppressionFound',
  z.object({
    /** E.164 */
    phone: z.string(),
    marketing: z.boolean(),
    utility: z.boolean(),
    history: z.array(suppressionEntrySchema),
  }),
)

export const suppressionBody = named(
  'SuppressionCreate',
  z.strictObject({
    phone,
    reason,
    scope: z.enum(['marketing', 'all']).default('marketing'),
    hierarchylevel: level,
  }),
)
/** `added` false: the list had the number already. */
export const suppressionMadeSchema = z.object({ added: z.boolean() })

export const suppressionLiftBody = named('SuppressionLift', z.strictObject({ phone, reason, hierarchylevel: level }))
/** `active`: the number still gets no marketing, by a list of a level above. */
export const suppressionLiftedSchema = z.object({ lifted: z.boolean(), active: z.boolean() })

const MAX_NUMBERS = 5000
export const suppressionImportBody = named(
  'SuppressionImport',
  z.strictObject({
    phones: z.array(phone).min(1).max(MAX_NUMBERS),
    reason,
    scope: z.enum(['marketing', 'all']).default('marketing'),
    hierarchylevel: level,
  }),
)
export const suppressionImportedSchema = named(
  'SuppressionImported',
  z.object({
    added: z.int(),
    /** Numbers that the list had already. */
    known: z.int(),
    /** Places in `phones`, from 0, that are no number. */
    invalid: z.array(z.int()),
  }),
)
