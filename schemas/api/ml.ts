import { z } from 'zod'
import { named } from './common.ts'

/** Result of a connection test of an external system: no key, and only version and name from answers. */
export const mlTestAnswer = named(
  'MlTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    checks: z.array(
      z.object({
        part: z.enum(['system', 'credentials', 'understanding', 'actions', 'models']),
        ok: z.boolean(),
        /** A version or a name; why it does not work, in the caller's language. */
        detail: z.string(),
        /** Of what does not work. */
        code: z.string().optional(),
      }),
    ),
  }),
)
