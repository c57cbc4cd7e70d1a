const SESSION_PREFIX = 'token:'
/** The session id of a token's requests, which the events that they cause have as their causation. */
export const tokenSession = (id: string): string => SESSION_PREFIX + id
/** The token of a session; undefined for a session of a sign-in. */
export const tokenOfSession = (session: string | null): string | undefined =>
  session?.startsWith(SESSION_PREFIX) ? session.slice(SESSION_PREFIX.length) : undefined
