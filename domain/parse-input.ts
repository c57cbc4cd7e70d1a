import type { z } from 'zod'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { fieldErrors } from './field-error.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Reads `input` by a schema, or says in `errors` what is wrong with it. */
export const parseInput = (
  schema: z.ZodType,
  input: JsonObject,
  closed: ReadonlySet<string> = NOTHING,
): Result<JsonObject> => {
  const surplus = Object.hasOwn(input, '__proto__')
  const parsed = schema.safeParse(input)
  if (parsed.success && !surplus) return accepted(parsed.data as JsonObject)
  const errors = parsed.success ? [] : fieldErrors(parsed.error, input, closed)
  return refused('validation.failed', {
    errors: surplus ? [...errors, { path: '__proto__', code: 'unknown' as const }] : errors,
  })
}
