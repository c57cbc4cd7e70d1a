import { z } from 'zod'

const mentionSchema = z.object({ id: z.string(), type: z.string(), title: z.string() })
const changeSchema = mentionSchema.extend({ fields: z.array(z.string()) })
const linkSchema = z.object({ id: z.string(), from: z.string(), to: z.string() })

/** Changes of an edit, shaped as schemas/flow/summary.ts. */
const summarySchema = z.object({
  added: z.array(mentionSchema),
  changed: z.array(changeSchema),
  removed: z.array(mentionSchema),
  links: z.object({ added: z.array(linkSchema), changed: z.array(linkSchema), removed: z.array(linkSchema) }),
  script: z.boolean(),
})

/**
 * `FlowEdited` in stream `flow-<dialog or handler id>`: one durable append of a room, or one change made by a command.
 * Edits over 1 MiB are split into events that share `part.group`; only the last of them carries bindings, authors,
 * ranges and summary, and replay applies complete groups alone.
 */
export const flowEditedSchema = z.object({
  /** Yjs update, v1 encoding, base64 (a piece of it when `part` is there). */
  update: z.string(),
  part: z.object({ group: z.string(), k: z.int().min(1), n: z.int().min(2) }).optional(),
  /** Users whose edits these are, in order of first edit. */
  authors: z.array(z.string()),
  /** Yjs client ids bound to a user by this event, for good. */
  bindings: z.array(z.object({ client: z.int(), user: z.string() })),
  /** Clock ranges [from, to) of the client ids that it carries. */
  ranges: z.array(z.object({ client: z.int(), from: z.int(), to: z.int() })),
  summary: summarySchema,
  /** Its origin when it was not drawn in a room. */
  source: z
    .object({
      kind: z.enum(['restore', 'import', 'version', 'sample', 'duplicate', 'migration', 'rename', 'replace']),
      revision: z.int().optional(),
      version: z.string().optional(),
      from: z.string().optional(),
      /** The new name of a variable that was called `from`. */
      to: z.string().optional(),
    })
    .optional(),
  /**
   * The update is the whole document; nothing before it belongs to the flow any longer (docs/adr/0018). Such events are
   * written as version 2, all others as version 1: a program that does not know of it stops there.
   */
  startsOver: z.literal(true).optional(),
})

export type FlowEdited = z.infer<typeof flowEditedSchema>
export type FlowSource = NonNullable<FlowEdited['source']>

export const flowStream = (id: string): string => `flow-${id}`
