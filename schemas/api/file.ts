import { z } from 'zod'
import { FILE_ID, FILE_TYPES, MAX_UPLOAD_BYTES } from '../field/file-type.ts'
import { fileSchema } from '../field/value-schema.ts'
import { named } from './common.ts'

export const fileAnswer = named('File', fileSchema({ accept: FILE_TYPES, maxBytes: MAX_UPLOAD_BYTES }))

export const fileParam = z.object({ id: z.string().regex(FILE_ID) })

export const fileBody = z.object({ file: z.string().meta({ format: 'binary' }) })

/** CSV or JSON lines, streamed. */
export const exportAnswer = z.string()

/** A route that answers with a CSV file. */
export const csvRoute = <Q extends z.ZodType>(query: Q) =>
  ({ produces: 'text/csv', query, status: 200, answer: exportAnswer, file: true }) as const

/** File content in its own media type. */
export const fileContent = z.string().meta({ format: 'binary' })

/**
 * Dialogs and handlers whose blocks hold a file's address, and fields of other things that do; `complete`: all that the
 * caller may read was looked through.
 */
export const fileLinksSchema = named(
  'FileLinks',
  z.object({
    items: z.array(
      z.object({
        entity: z.string(),
        id: z.string(),
        title: z.string(),
        /** Name of the bot of a flow, else ''. */
        bot: z.string(),
        /** The first block that holds it; '' for a handler's own code and for what is no flow. */
        block: z.string(),
        /** The field of what is no flow. */
        field: z.string().optional(),
      }),
    ),
    complete: z.boolean(),
  }),
)
