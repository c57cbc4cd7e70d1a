import { z } from 'zod'
import { named } from './name.ts'

/** What a connection test of a channel found: never a secret. */
export const channelTestAnswer = named(
  'ChannelTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    checks: z.array(
      z.object({
        part: z.enum(['settings', 'address', 'provider']),
        ok: z.boolean(),
        /** What the provider says of the account; why it does not work, in the caller's language. */
        detail: z.string(),
        /** Of what does not work. */
        code: z.string().optional(),
        /** Names of fields that are missing. */
        missing: z.array(z.string()),
      }),
    ),
  }),
)
