import { z } from 'zod'
import { named } from './common.ts'

/** Result of a connection test of an agent system: no keys, and only version and name from answers. */
export const agentTestAnswer = named(
  'AgentTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    checks: z.array(
      z.object({
        part: z.enum(['system', 'credentials', 'queue', 'agents', 'profile']),
        ok: z.boolean(),
        /** A version or a name; why it does not work, in the caller's language. */
        detail: z.string(),
        /** Of what does not work. */
        code: z.string().optional(),
      }),
    ),
  }),
)

/** Waiting people of an agent channel, longest first, and people talking to agents (D-3.2.02). */
export const agentQueueAnswer = named(
  'AgentQueue',
  z.object({
    /** Whether the channel's queue is shown at all. */
    enabled: z.boolean(),
    /** Whether those who wait may be taken out. */
    clearing: z.boolean(),
    /** From so many waiting people on, the page warns; null: never. */
    alert: z.int().nullable(),
    waiting: z.int(),
    talking: z.int(),
    items: z.array(
      z.object({
        conversation: z.string(),
        channeltype: z.string(),
        /** ISO 8601 UTC. */
        requested: z.string(),
        /** Since when they wait; null: an agent is there. */
        waiting: z.string().nullable(),
      }),
    ),
  }),
)

/** One who waits, or all of them. */
export const clearQueueBody = z.strictObject({ conversation: z.string().max(100).optional() })

export const clearQueueAnswer = named('ClearedQueue', z.object({ cleared: z.int() }))
