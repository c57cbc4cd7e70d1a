import { z } from 'zod'
import { named } from './name.ts'

/** Dialogs and handlers whose blocks hold a file's address; `complete`: all flows that the caller may read were looked through. */
export const fileLinksSchema = named(
  'FileLinks',
  z.object({
    items: z.array(
      z.object({
        entity: z.enum(['dialog', 'handler']),
        id: z.string(),
        title: z.string(),
        /** Name of the bot. */
        bot: z.string(),
        /** The first block that holds it; '' for a handler's own code. */
        block: z.string(),
      }),
    ),
    complete: z.boolean(),
  }),
)
