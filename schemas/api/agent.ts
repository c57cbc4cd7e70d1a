import { z } from 'zod'
import { named } from './name.ts'

/** What a connection test of an agent system found: never a key, and nothing of an answer but version and name. */
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
