import { z } from 'zod'
import { named } from './name.ts'

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
