import { z } from 'zod'
import { named } from './name.ts'

const flag = z.enum(['true', 'false', '1', '0']).transform(value => value === 'true' || value === '1')

export const nluUploadQuery = z.strictObject({ dryrun: flag.default(false) })
export const nluDownloadQuery = z.strictObject({ format: z.enum(['json', 'yaml']).optional() })

/** A file in the format of Rasa 3. */
export const nluFileAnswer = z.string()

const outcome = z.enum(['added', 'changed', 'unchanged', 'refused'])
const error = z.object({ path: z.string(), code: z.string(), message: z.string() })

/**
 * Result of an upload, or its preview with `dryrun`. `added` and `changed` count things; `rows` holds the first 1,000
 * of them with the new lines, values or patterns of each.
 */
export const nluUploadSchema = named(
  'NluUpload',
  z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    rows: z.array(
      z.object({
        entity: z.string(),
        name: z.string(),
        outcome,
        count: z.int(),
        errors: z.array(error).optional(),
      }),
    ),
    /** Parts of the file without use in a project. */
    notunderstood: z.array(z.object({ path: z.string(), code: z.string(), name: z.string() })),
    process: z.string().optional(),
  }),
)
