import { z } from 'zod'
import { json } from './json.ts'
import { named } from './name.ts'
import { fieldProblemSchema } from './problem.ts'

/** Ids that one command names; a filter selects more. */
const MAX_IDS = 10_000

const id = z.string().min(1).max(200)

/** A command on many things: those named, or those that a list holds over all its pages. */
export const bulkBody = named(
  'Bulk',
  z
    .strictObject({
      action: z.string().max(100),
      ids: z.array(id).min(1).max(MAX_IDS).optional(),
      /** As in the query of the list. */
      filter: z.record(z.string().max(100), z.union([z.string().max(500), z.number(), z.boolean()])).optional(),
      input: z.record(z.string(), json).optional(),
      confirm: z.string().max(100).optional(),
    })
    .refine(({ ids, filter }) => ids !== undefined || filter !== undefined, {
      path: ['ids'],
      params: { code: 'required' },
    })
    .refine(({ ids, filter }) => ids === undefined || filter === undefined, {
      path: ['filter'],
      params: { code: 'duplicate' },
    }),
)

export const processStartedSchema = named('ProcessStarted', z.object({ process: z.string() }))

export const undoBody = z.strictObject({})

/** Process state. `refused` names the first rows; `refusals` counts all of them. */
export const processSchema = named(
  'Process',
  z.object({
    state: z.enum(['running', 'finished', 'failed']),
    entity: z.string(),
    action: z.string(),
    done: z.int(),
    total: z.int(),
    changed: z.int(),
    refusals: z.int(),
    refused: z.array(
      z.object({
        id: z.string(),
        code: z.string(),
        message: z.string(),
        errors: z.array(fieldProblemSchema).optional(),
      }),
    ),
    /** POST /process/{id}/undo brings back what it changed. */
    undo: z.boolean(),
  }),
)
