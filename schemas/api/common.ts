import { z } from 'zod'
import type { Json } from '../event.ts'
import { FIELD_ERROR_CODES, REFUSAL_CODES } from '../refusal.ts'

/** Schemas that the API's description shows under a name of their own (`components.schemas`). */
export const API_SCHEMAS = z.registry<{ id: string }>()
const schemas = new Map<string, z.ZodType>()

export const isNamed = (id: string): boolean => schemas.has(id)

export const namedSchemas = (): readonly (readonly [string, z.ZodType])[] => [...schemas]

export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  schemas.set(id, schema)
  API_SCHEMAS.add(schema, { id })
  return schema
}

/** Any JSON value, as the program's own type. */
export const json = z.json() as z.ZodType<Json>

/** Null where it is not in the list. */
const item = z.record(z.string(), json).nullable()

export const fieldProblemSchema = named(
  'FieldProblem',
  z.object({
    path: z.string(),
    code: z.enum(FIELD_ERROR_CODES),
    message: z.string(),
    params: z.record(z.string(), json).optional(),
    before: json.optional(),
    yours: json.optional(),
    theirs: json.optional(),
    /** Of a conflict in a list: the items that both changed. */
    items: z.array(z.object({ id: z.string(), before: item, yours: item, theirs: item })).optional(),
  }),
)

/** Every refusal, as application/problem+json. */
export const problemSchema = named(
  'Problem',
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(REFUSAL_CODES),
    detail: z.string(),
    params: z.record(z.string(), json).optional(),
    errors: z.array(fieldProblemSchema).optional(),
  }),
)
