import { z } from 'zod'

/**
 * `SignInFailed` in `signin-<HMAC of the folded name that was typed>`, for known and unknown names. The name itself is
 * not stored: it may be a password typed into the wrong field. When `user` is given, `UserSignInFailed` in the user's
 * own stream reports the same for lists, history and audit; the audit takes only those with `user: null` from here.
 */
export const signInFailedSchema = z.object({
  user: z.string().nullable(),
  /** Failures under this name, this one included, since its last sign-in or unlock. */
  attempts: z.int().min(1),
})

export type SignInFailed = z.infer<typeof signInFailedSchema>

const SIGN_IN_PREFIX = 'signin-'
export const signInStream = (hmac: string): string => SIGN_IN_PREFIX + hmac
