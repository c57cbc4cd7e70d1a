import { z } from 'zod'
import type { Json } from '../event.ts'

/** Ways to begin a session. */
export const SIGN_IN_WAYS = ['password', 'oidc', 'passkey'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

/**
 * `SessionStarted`, first event of `session-<id>`; the id is the SHA-256 of the access token, which is kept nowhere.
 * The envelope's level is the user's home level, its actor the user. Version 1 had no way of the sign-in.
 */
export const sessionStartedSchema = z.object({
  user: z.string(),
  /** Level it works in until it changes. */
  level: z.string(),
  /** ISO time of expiry without an event. */
  expires: z.string(),
  way: z.enum(SIGN_IN_WAYS),
  /** HMACs of the issuer, the account and the session at the identity provider; null for other ways. */
  provider: z.string().nullable(),
  sub: z.string().nullable(),
  sid: z.string().nullable(),
})

export type SessionStarted = z.infer<typeof sessionStartedSchema>

/** `SessionLevelChanged`. */
export const sessionLevelChangedSchema = z.object({ user: z.string(), level: z.string() })

/** `SessionConfirmed`: its user proved again who they are. */
export const sessionConfirmedSchema = z.object({ user: z.string(), way: z.enum(['password', 'code', 'passkey']) })
export type SessionConfirmed = z.infer<typeof sessionConfirmedSchema>

/** `SessionViewStarted` and `SessionViewEnded`: the console is shown as the person `as` sees it. */
export const sessionViewSchema = z.object({ user: z.string(), as: z.string() })

/**
 * `elsewhere`: its user ended it from another session. `administrator`: another authorized person ended it. `provider`:
 * the identity provider ended it.
 */
export const SESSION_ENDS = [
  'signout',
  'password',
  'locked',
  'removed',
  'forgotten',
  'reset',
  'elsewhere',
  'administrator',
  'provider',
] as const

/** `SessionEnded`. */
export const sessionEndedSchema = z.object({ user: z.string(), reason: z.enum(SESSION_ENDS) })

export const SESSION_PREFIX = 'session-'
export const sessionStream = (id: string): string => SESSION_PREFIX + id

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

const json = z.json() as z.ZodType<Json>

/**
 * `OriginSeen` in `origin-<day>`: the address and browser of a session or of an attempt to sign in. `origin` is the id of the
 * session, or 64 random hex digits of an attempt; events that it caused have it as their `causation`. Values of a user are
 * encrypted with the user's key. `name`: beginning and length of the name that was tried, where no user has it.
 */
export const originSeenSchema = z.object({
  origin: z.string(),
  user: z.string().nullable(),
  fields: z.object({ address: json, agent: json, name: z.string().optional() }),
})

const IDENTITY_PREFIX = 'identity-'
/** Stream of one account at an identity provider, by its HMAC. */
export const identityStream = (hmac: string): string => IDENTITY_PREFIX + hmac

/** `IdentityLinked` in `identity-<HMAC of issuer and sub>`: who signs in with that account. The newest one counts. */
export const identityLinkedSchema = z.object({ user: z.string() })
