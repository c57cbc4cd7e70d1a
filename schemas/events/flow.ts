import { z } from 'zod'

/** A block as summaries name it; `fields` only where it changed. */
export const touchedBlockSchema = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  fields: z.array(z.string()).optional(),
})

/**
 * `FlowEdited` in stream `flow-<dialog or handler id>`: one durable append of a room, or one change made by a command.
 * What is over 1 MiB is split into events that share `part.group`; only the last of them carries bindings, authors and
 * summary, and replay applies complete groups alone.
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
  summary: z.object({
    added: z.array(touchedBlockSchema),
    changed: z.array(touchedBlockSchema),
    removed: z.array(touchedBlockSchema),
    links: z.object({ added: z.int(), changed: z.int(), removed: z.int() }).optional(),
  }),
  /** Where it came from when it was not drawn in a room. */
  source: z
    .object({
      kind: z.enum(['restore', 'import', 'version', 'sample', 'duplicate', 'migration']),
      revision: z.int().optional(),
      version: z.string().optional(),
      from: z.string().optional(),
    })
    .optional(),
})

export type FlowEdited = z.infer<typeof flowEditedSchema>
export type TouchedBlock = z.infer<typeof touchedBlockSchema>

export const flowStream = (id: string): string => `flow-${id}`
