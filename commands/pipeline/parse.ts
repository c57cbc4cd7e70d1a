import type { z } from 'zod'
import { type Fields, withInitials } from '#domain/entity.ts'
import { fieldErrors } from '#domain/field-error.ts'
import { carriesLevel, changeSchema, closedTo, createSchema, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Reads `input` by a schema, or says in `errors` what is wrong with it. */
export const parse = (
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

export const parseCreate = (
  entity: EntityDeclaration,
  input: JsonObject,
): Result<{ fields: Fields; hierarchylevel: string | undefined }> => {
  const parsed = parse(createSchema(entity), input, closedTo.create(entity))
  if (!parsed.ok) return parsed
  const { hierarchylevel, ...rest } = parsed.value
  const given = carriesLevel(entity) ? rest : parsed.value
  return accepted({
    fields: withInitials(entity, given),
    hierarchylevel: typeof hierarchylevel === 'string' ? hierarchylevel : undefined,
  })
}

export const parseChange = (entity: EntityDeclaration, input: JsonObject): Result<Fields> => {
  const parsed = parse(changeSchema(entity), input, closedTo.change(entity))
  return parsed.ok ? accepted(withInitials(entity, parsed.value)) : parsed
}
