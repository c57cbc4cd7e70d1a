/** Address of NATS, in its client's format. */
interface ServerAddress {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  readonly tls?: Record<string, never>
}

const ADDRESS = /^(?:(nats|tls):\/\/)?(?:([^@]*)@)?([^@/]+)\/?$/

/**
 * Reads NATS_URL: one address or several, separated by commas; any of them may contain credentials, as user:password@
 * or token@.
 */
export const serverAddress = (urls: string): ServerAddress => {
  const read = urls.split(',').map(url => ADDRESS.exec(url.trim()))
  const claim = read.map(parts => parts?.[2]).find(given => given !== undefined && given !== '')
  const isSecure = read.some(parts => parts?.[1] === 'tls')
  return {
    servers: read.flatMap(parts => parts?.[3] ?? []),
    ...(claim === undefined ? {} : claimOf(claim)),
    ...(isSecure ? { tls: {} } : {}),
  }
}

const claimOf = (claim: string): Pick<ServerAddress, 'user' | 'pass' | 'token'> => {
  const colon = claim.indexOf(':')
  if (colon === -1) return { token: decoded(claim) }
  return { user: decoded(claim.slice(0, colon)), pass: decoded(claim.slice(colon + 1)) }
}

/** A literal percent sign stays unchanged. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
