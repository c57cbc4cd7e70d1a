import { z } from 'zod'
import { named } from './common.ts'

/** Result of a token request, without the token. */
export const oauthTestAnswer = named(
  'OAuthTestAnswer',
  z.object({
    ok: z.boolean(),
    /** ms until the answer was read. */
    time: z.int(),
    token_type: z.string().nullable().optional(),
    /** Seconds. */
    expires_in: z.number().nullable().optional(),
    scope: z.string().nullable().optional(),
    /** Why there is no token, its text in the caller's language. */
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
  }),
)
