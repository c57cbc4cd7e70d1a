import { z } from 'zod'
import { named } from './common.ts'
import { personSchema } from './write.ts'

const comment = z.object({
  id: z.string(),
  revision: z.int(),
  /** Mentions appear as `<@id>`. */
  text: z.string(),
  author: personSchema.nullable(),
  mentioned: z.array(personSchema),
  created_at: z.iso.datetime(),
  edited_at: z.iso.datetime().nullable(),
})

/** Threads about a flow, newest first, and how many of each block are open. */
export const commentPageSchema = named(
  'CommentThreads',
  z.object({
    items: z.array(
      comment.extend({
        block: z.string(),
        /** It was removed and stays for its answers, without its text. */
        withdrawn: z.boolean(),
        resolved: z.boolean(),
        resolved_by: personSchema.nullable(),
        resolved_at: z.iso.datetime().nullable(),
        answers: z.array(comment),
      }),
    ),
    total: z.int(),
    page: z.int(),
    size: z.int(),
    open: z.record(z.string(), z.int()),
  }),
)

export const readersSchema = named('FlowReaders', z.object({ items: z.array(personSchema) }))
