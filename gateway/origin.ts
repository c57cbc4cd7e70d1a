import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const WILDCARD = ['0.0.0.0', '[::]']

/**
 * Whether an `Origin` is this console's own. `publicUrl` decides; a loopback address goes by any of its names, and a
 * gateway that listens on every address without a PUBLIC_URL takes the name it was called by.
 */
export const isOwnOrigin = (origin: string, publicUrl: string, headers: IncomingHttpHeaders): boolean => {
  const own = new URL(publicUrl)
  const given = URL.parse(origin)
  if (given === null || given.protocol !== own.protocol) return false
  if (given.host === own.host) return true
  if (LOOPBACK.includes(own.hostname)) return LOOPBACK.includes(given.hostname) && given.port === own.port
  return WILDCARD.includes(own.hostname) && given.host === headers.host
}
