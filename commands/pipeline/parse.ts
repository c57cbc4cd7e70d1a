import { z } from 'zod'
import type { Fields } from '#domain/entity.ts'
import { withStoredItems } from '#domain/field/stored-items.ts'
import { validateChange, validateCreate } from '#domain/field/validate.ts'
import { parseInput } from '#domain/field-error.ts'
import { carriesLevel, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { derivedId } from './event-id.ts'

export const parse = parseInput

/** Ids of new items of a list: the same for each attempt of one command. */
const itemIds = (seed: string) => (path: string) => derivedId(seed, `item:${path}`)

export const parseCreate = async (
  entity: EntityDeclaration,
  input: JsonObject,
  seed: string,
): Promise<Result<{ fields: Fields; hierarchylevel: string | undefined }>> => {
  const parsed = await validateCreate(entity, input)
  if (!parsed.ok) return parsed
  const { hierarchylevel, ...rest } = parsed.value
  const given = carriesLevel(entity) ? rest : parsed.value
  const fields = withStoredItems(entity.fields, {}, given, itemIds(seed))
  if (!fields.ok) return fields
  return accepted({
    fields: fields.value,
    hierarchylevel: typeof hierarchylevel === 'string' ? hierarchylevel : undefined,
  })
}

export const parseChange = async (
  entity: EntityDeclaration,
  present: Fields,
  input: JsonObject,
  seed: string,
): Promise<Result<Fields>> => {
  const parsed = await validateChange(entity, present, input)
  return parsed.ok ? withStoredItems(entity.fields, present, parsed.value, itemIds(seed)) : parsed
}

const bodySchema = z.strictObject({ confirm: z.string().max(100).optional() })

/** Whether CONFIRM was typed where it is needed; the body holds nothing else. */
export const checkConfirmation = (input: JsonObject, needed: boolean): Result<null> => {
  if (needed && input.confirm !== 'CONFIRM') return refused('validation.confirm', { errors: [missing(input)] })
  const parsed = parse(bodySchema, input)
  return parsed.ok ? accepted(null) : parsed
}

const missing = ({ confirm }: JsonObject) =>
  ({ path: 'confirm', code: confirm === undefined || confirm === null ? 'required' : 'option' }) as const
