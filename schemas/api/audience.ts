import { z } from 'zod'
import { named } from './name.ts'
import { pageQuery } from './query.ts'

const id = z.string().max(200)
const text = z.string().max(1100)

/** nome, field01 … field16 (D-9.24). */
const contactTexts = {
  nome: text.optional(),
  ...(Object.fromEntries(
    Array.from({ length: 16 }, (_, at) => [`field${String(at + 1).padStart(2, '0')}`, text.optional()]),
  ) as Readonly<Record<`field${string}`, z.ZodOptional<z.ZodString>>>),
}

/** When and where a person agreed to be written to. */
const consent = z.strictObject({ source: z.string().max(200), time: z.iso.datetime({ offset: true }) })

/** A number as people write it; one without a country code is Brazilian. */
const phone = z.string().max(100)

export const contactBody = named(
  'ContactCreate',
  z.strictObject({ campaign: id, phone, ...contactTexts, consent: consent.optional() }),
)
export const contactChangeBody = named(
  'ContactChange',
  z.strictObject({ campaign: id, phone: phone.optional(), ...contactTexts, consent: consent.nullable().optional() }),
)
/** `hints`: what was done to the number, or is to be known of it. */
export const contactMadeSchema = named(
  'ContactMade',
  z.object({ id: z.string(), hints: z.array(z.enum(['ninthdigit', 'landline'])) }),
)

export const contactSchema = named(
  'Contact',
  z.object({
    id: z.string(),
    campaign: z.string(),
    /** E.164; null where it cannot be read. */
    phone: z.string().nullable(),
    /** ISO 3166 of the number. */
    country: z.string(),
    nome: z.string(),
    fields: z.record(z.string(), z.string()),
    consent: consent.nullable(),
    added: z.iso.datetime(),
    /** The upload that it came with. */
    upload: z.string().nullable(),
    /** The number gets no campaigns, of no account. */
    suppressed: z.boolean(),
  }),
)

/** The newest first. What a person types is not part of an address: see `POST /contact/search`. */
export const contactQuery = z.strictObject({ campaign: id, ...pageQuery })
export const contactOneQuery = z.strictObject({ campaign: id })
export const contactPageSchema = named('ContactPage', z.object({ items: z.array(contactSchema), total: z.int() }))

/** A number finds its contact at once; a part of a name or number is looked for row by row, from `after` on. */
export const contactSearchBody = named(
  'ContactSearch',
  z.strictObject({
    campaign: id,
    search: z.string().min(1).max(200),
    after: z.int().min(0).default(0),
    size: z.int().min(1).max(100).default(25),
  }),
)
/** `next`: where to go on looking; null when all rows were looked at. */
export const contactFoundSchema = named(
  'ContactsFound',
  z.object({ items: z.array(contactSchema), next: z.int().nullable() }),
)

/** Without `suppress` the number gets nothing more. */
export const contactForgetBody = named(
  'ContactForget',
  z.strictObject({ confirm: z.literal('CONFIRM'), suppress: z.boolean().default(true) }),
)
export const contactForgottenSchema = z.object({ forgotten: z.literal(true) })
