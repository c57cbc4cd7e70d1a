/** Days after which addresses, browsers and names that were tried are removed. */
export const ORIGIN_DAYS = 90

export const ORIGIN_PREFIX = 'origin-'
/** One stream a day, so that retention removes whole streams. */
export const originStream = (time: string): string => ORIGIN_PREFIX + time.slice(0, 10)

/** Whether a causation is the id of a session, an attempt or an API token: ids of events are UUIDs. */
export const isOriginId = (causation: string | null): causation is string =>
  causation !== null && /^(token:)?[0-9a-f]{64}$/.test(causation)

const SESSION_PREFIX = 'token:'
/** The session id of a token's requests, which the events that they cause have as their causation. */
export const tokenSession = (id: string): string => SESSION_PREFIX + id
/** The token of a session; undefined for a session of a sign-in. */
export const tokenOfSession = (session: string | null): string | undefined =>
  session?.startsWith(SESSION_PREFIX) ? session.slice(SESSION_PREFIX.length) : undefined
