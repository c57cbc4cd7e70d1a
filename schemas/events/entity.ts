import { z } from 'zod'
import type { Json } from '../event.ts'

/**
 * Data of every event in an entity's stream `<entity>-<id>`, declared or custom (`BotStarted`, `DialogPublished`):
 * `fields` holds the new values of the changed fields (of all fields for Created and Restored), so that lists, details,
 * history and audit are built from any entity's events in one way. Secrets are {"$secret": …}, personal values
 * {"$personal": …}. The verb of an event is its type without the entity's prefix, lower case: `published`.
 */
const entityEventSchema = z.object({
  fields: z.record(z.string(), z.json() as z.ZodType<Json>),
  /** Restored or changed by restoring: the revision the values come from. */
  from: z.int().optional(),
  /** Its cause besides the caller, e.g. {kind: 'version', id}. */
  source: z.object({ kind: z.string(), id: z.string().optional() }).optional(),
})

export type EntityEvent = z.infer<typeof entityEventSchema>

export const entityStream = (entity: string, id: string): string => `${entity}-${id}`
/** `BotStarted` of `Bot` → `started`. */
export const verbOf = (prefix: string, type: string): string =>
  (type.startsWith(prefix) ? type.slice(prefix.length) : type).toLowerCase()
/** The place that a sealed secret or personal value is tied to: it opens nowhere else. */
export const sealContext = (entity: string, id: string, field: string): string => `${entity}-${id}.${field}`
