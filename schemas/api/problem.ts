import { z } from 'zod'
import { FIELD_ERROR_CODES, REFUSAL_CODES } from '../refusal.ts'
import { json } from './json.ts'
import { named } from './name.ts'

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
