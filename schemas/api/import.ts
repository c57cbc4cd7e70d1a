import { z } from 'zod'
import { json } from './json.ts'
import { named } from './name.ts'

const error = z.object({ path: z.string(), code: z.string(), message: z.string() })

/** CSV, one record per row. */
export const importBody = z.string()

/** Result of an import, or preview with `dryrun`. `items` holds the first 1,000 rows. */
export const importSchema = named(
  'Import',
  z.object({
    rows: z.int(),
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.array(z.object({ row: z.int(), errors: z.array(error) })),
    items: z
      .array(
        z.object({
          row: z.int(),
          outcome: z.enum(['created', 'changed', 'unchanged', 'refused']),
          id: z.string().optional(),
          changes: z.array(z.object({ path: z.string(), before: json, after: json })).optional(),
        }),
      )
      .optional(),
    /** Of what was written. */
    process: z.string().optional(),
  }),
)

const flag = z.enum(['true', 'false', '1', '0']).transform(value => value === 'true' || value === '1')

/** `parent`: the parent field, for rows without a column for it. */
export const importQuery = (parent: string | undefined) =>
  z.strictObject({
    dryrun: flag.default(false),
    ...(parent === undefined ? {} : { [parent]: z.string().max(200).optional() }),
  })
