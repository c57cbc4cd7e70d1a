import { z } from 'zod'

/**
 * `SessionStarted`, first event of `session-<id>`; the id is the SHA-256 of the access token, which is kept nowhere.
 * The envelope's level is the user's home level, its actor the user.
 */
export const sessionStartedSchema = z.object({
  user: z.string(),
  /** Level it works in until it changes. */
  level: z.string(),
  /** ISO time of expiry without an event. */
  expires: z.string(),
})

/** `SessionLevelChanged`. */
export const sessionLevelChangedSchema = z.object({ user: z.string(), level: z.string() })

/** `SessionViewStarted` and `SessionViewEnded`: the console is shown as the person `as` sees it. */
export const sessionViewSchema = z.object({ user: z.string(), as: z.string() })

/** `elsewhere`: its user ended it from another session. `administrator`: another authorized person ended it. */
export const SESSION_ENDS = [
  'signout',
  'password',
  'locked',
  'removed',
  'forgotten',
  'reset',
  'elsewhere',
  'administrator',
] as const

/** `SessionEnded`. */
export const sessionEndedSchema = z.object({ user: z.string(), reason: z.enum(SESSION_ENDS) })

export const SESSION_PREFIX = 'session-'
export const sessionStream = (id: string): string => SESSION_PREFIX + id
