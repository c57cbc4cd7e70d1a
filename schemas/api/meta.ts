import { z } from 'zod'
import { json, named } from './common.ts'

/** Meta's answers about an account, part by part: no token, and only names. */
export const accountTestAnswer = named(
  'MetaAccountTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    checks: z.array(
      z.object({
        part: z.enum(['token', 'account', 'number', 'webhook']),
        ok: z.boolean(),
        /** A name or number; why it does not work, in the caller's language. */
        detail: z.string(),
        /** Of what does not work. */
        code: z.string().optional(),
      }),
    ),
  }),
)

export const emptyBody = z.strictObject({})
/** Delivery of the code that verifies a number. */
export const requestCodeBody = z.strictObject({
  code_method: z.enum(['SMS', 'VOICE']),
  language: z.enum(['pt_BR', 'pt_PT', 'en', 'en_US', 'es']).default('pt_BR'),
})
export const verifyCodeBody = z.strictObject({ code: z.string().regex(/^\d{3}-?\d{3}$/u) })
/** The PIN of two-step verification: it is set where the number has none. */
export const registerNumberBody = z.strictObject({ pin: z.string().regex(/^\d{6}$/u) })
/** Meta took it. */
export const metaDoneAnswer = z.object({ success: z.literal(true) })
/**
 * Result of reading an account's templates from Meta; `skipped`: name and language of those that cannot be stored here.
 */
export const syncAnswer = named(
  'TemplateSync',
  z.object({ added: z.int(), changed: z.int(), skipped: z.array(z.string()) }),
)
/** A template as providers keep it: `containerMeta` and `meta` are JSON text. */
export const templateRecordAnswer = named('TemplateRecord', z.record(z.string(), json))
