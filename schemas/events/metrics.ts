import { z } from 'zod'

/** `MetricsRecounted` in `metricsrecount`: a node compared a sample of its figures of conversations with the log. */
export const metricsRecountedSchema = z.object({
  node: z.string(),
  /** Compared conversations, and compared days of bots. */
  conversations: z.int(),
  days: z.int(),
  counters: z.int(),
  differences: z.int(),
  /** The first of them, one line each; without words of persons. */
  lines: z.array(z.string()),
  milliseconds: z.int(),
})

export type MetricsRecounted = z.output<typeof metricsRecountedSchema>

export const RECOUNT_STREAM = 'metricsrecount'
