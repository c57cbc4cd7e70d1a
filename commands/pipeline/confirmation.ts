import { z } from 'zod'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { parse } from './parse.ts'

const bodySchema = z.strictObject({ confirm: z.string().max(100).optional() })

/** Whether CONFIRM was typed where it is needed; the body holds nothing else. */
export const confirmed = (input: JsonObject, needed: boolean): Result<null> => {
  if (needed && input.confirm !== 'CONFIRM') return refused('validation.confirm', { errors: [missing(input)] })
  const parsed = parse(bodySchema, input)
  return parsed.ok ? accepted(null) : parsed
}

const missing = ({ confirm }: JsonObject) =>
  ({ path: 'confirm', code: confirm === undefined || confirm === null ? 'required' : 'option' }) as const
