import { z } from 'zod'
import { FIELD_ERROR_CODES, REFUSAL_CODES } from '../refusal.ts'
import { named } from './name.ts'

export const fieldProblemSchema = named(
  'FieldProblem',
  z.object({
    path: z.string(),
    code: z.enum(FIELD_ERROR_CODES),
    message: z.string(),
    params: z.record(z.string(), z.json()).optional(),
    before: z.json().optional(),
    yours: z.json().optional(),
    theirs: z.json().optional(),
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
    params: z.record(z.string(), z.json()).optional(),
    errors: z.array(fieldProblemSchema).optional(),
  }),
)
