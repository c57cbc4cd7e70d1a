import { z } from 'zod'

/**
 * `SignInFailed` in `signin-<HMAC of the folded name that was typed>`, whether anybody has that name or not. The name
 * itself is not kept: it may be a password typed into the wrong field. Where `user` is given, `UserSignInFailed` in the
 * user's own stream tells the same for lists, history and audit; the audit takes only those with `user: null` from here.
 */
export const signInFailedSchema = z.object({
  user: z.string().nullable(),
  /** Failures under this name, this one included, since somebody signed in with it or was unlocked. */
  attempts: z.int().min(1),
})

export type SignInFailed = z.infer<typeof signInFailedSchema>

const SIGN_IN_PREFIX = 'signin-'
export const signInStream = (hmac: string): string => SIGN_IN_PREFIX + hmac
