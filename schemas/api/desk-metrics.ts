import { z } from 'zod'
import { named } from './common.ts'

const id = z.string().max(200)

export const DESK_METRIC_GROUPS = ['day', 'queue', 'agent', 'reason'] as const

/** Days in America/Sao_Paulo, both included, at most 366; by default the last 14. The day of a chat is that of its request. */
export const deskMetricsQuery = z.strictObject({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  by: z.enum(DESK_METRIC_GROUPS).default('day'),
  queue: id.optional(),
})

/**
 * Times in ms; null without any. `inside`: only the time inside the opening hours of the queue. `p50` and `p90` are
 * exact to two digits.
 */
const times = { mean: z.int().nullable(), p50: z.int().nullable(), p90: z.int().nullable() }
const timeSchema = z.object({ count: z.int(), ...times, inside: z.object(times) })

const metricSchema = {
  /** Chats that came to the desk; by agent: those that the agent held first. */
  requested: z.int(),
  /** Of those: an agent came; the person gave up before. */
  served: z.int(),
  givenup: z.int(),
  waiting: timeSchema,
  first: timeSchema,
  answer: timeSchema,
  handle: timeSchema,
  /** Chats with a goal for the first answer, and those that met it; `inside`: within the opening hours. */
  goal: z.object({ count: z.int(), met: z.int(), inside: z.int() }),
  /** `good`: satisfied persons among `rated`. */
  csat: z.object({ asked: z.int(), rated: z.int(), good: z.int() }),
  nps: z.object({ asked: z.int(), rated: z.int(), promoters: z.int(), detractors: z.int() }),
  /** ms in which agents were available, and in which chats took their capacity; null where it is not theirs alone. */
  occupancy: z.object({ available: z.int(), busy: z.int() }).nullable(),
}

export const deskMetricSchema = z.object(metricSchema)

export const deskMetricsSchema = named(
  'DeskMetrics',
  z.object({
    from: z.string(),
    to: z.string(),
    by: z.enum(DESK_METRIC_GROUPS),
    /** Whether the figures are those of the caller alone. */
    own: z.boolean(),
    /** `key`: a day, the id of a queue or a user, or the key of a reason; empty: chats that are open, or nobody's. */
    rows: z.array(z.object({ key: z.string(), name: z.string(), ...metricSchema })),
    total: deskMetricSchema,
    /** Of the definitions. */
    version: z.int(),
  }),
)
export type DeskMetrics = z.output<typeof deskMetricsSchema>
export type DeskMetric = DeskMetrics['total']
