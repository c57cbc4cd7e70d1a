import { z } from 'zod'
import { liveBotSchema } from './bot-metrics.ts'
import { named } from './common.ts'
import { auditLineSchema, personSchema } from './write.ts'

const kind = z.enum(['dialog', 'handler'])
const thing = z.object({ id: z.string(), name: z.string() })
const flowState = z.enum(['unpublished', 'modified', 'published'])
/** One number per day of the period. */
const counts = z.array(z.int())
const flowCount = z.object({
  total: z.int(),
  published: z.int(),
  /** Of the published ones, those that were edited since. */
  modified: z.int(),
})

/** Overview of a bot. Omits parts that the caller may not read. */
export const botOverviewSchema = named(
  'BotOverview',
  z.object({
    tasks: z
      .object({
        total: z.int(),
        /** Tasks with dialogs, none of which is the main one: they cannot be published as a whole. */
        nomain: z.array(thing),
      })
      .optional(),
    dialogs: flowCount.optional(),
    handlers: flowCount.optional(),
    /** Flows whose live state is not the published one: main dialogs first, then the newest edit; at most 50. */
    pending: z.object({
      total: z.int(),
      items: z.array(
        thing.extend({
          kind,
          dialogtask: thing,
          /** It is the main dialog of its task. */
          main: z.boolean(),
          state: flowState,
          /** Of the newest edit; null while nobody has edited it. */
          editor: personSchema.nullable(),
          edited_at: z.iso.datetime().nullable(),
        }),
      ),
    }),
    versions: z
      .object({
        total: z.int(),
        latest: thing.extend({ created_at: z.iso.datetime() }).nullable(),
      })
      .optional(),
    live: liveBotSchema.optional(),
    /**
     * Conversations of people by web chat. `first`: the day of the first one. `days`: the last 14 in the time zone of the
     * bot, oldest first; without `readconversation` a count is rounded to a multiple of five, and null below five.
     */
    webchat: z
      .object({
        first: z.iso.date().nullable(),
        days: z.array(z.object({ day: z.iso.date(), started: z.int().nullable() })),
      })
      .optional(),
    /** A person wrote in a conversation that counts: a rehearsal has conversations to run. */
    talked: z.boolean(),
    /** Days of São Paulo, oldest first: `2026-11-19`. */
    days: z.array(z.iso.date()),
    /** Changes by people to the bot and its contents. */
    edits: counts,
    publishes: counts,
    /** People with most of these changes first; at most 8. */
    people: z.array(z.object({ person: personSchema, edits: z.int(), time: z.iso.datetime() })),
    /** Newest first; at most 12. */
    changes: z.array(auditLineSchema),
    /** Its open flows, with their people. */
    editing: z.array(
      thing.extend({
        entity: kind,
        people: z.array(z.object({ user: z.string(), name: z.string(), color: z.string() })),
      }),
    ),
  }),
)

export type BotOverview = z.output<typeof botOverviewSchema>
