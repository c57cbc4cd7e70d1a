import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Names that public name servers never resolve (RFC 6761, 6762, 8375 and the private-use `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa|intranet)$/u
/** Names of loopback: `localhost.example`, and public names that resolve to it. */
const LOOPBACK_NAME = /^localhost\.|(^|\.)(localtest\.me|lvh\.me)$/u

/** Whether a host, as in `URL.hostname`, can be public. Judges names by their form, without a lookup. */
export const isPublicHost = (host: string): boolean => {
  const name = (host.startsWith('[') ? host.slice(1, -1) : host).toLowerCase().replace(/\.$/u, '')
  if (isIP(name) !== 0) return isPublicAddress(name)
  return name.includes('.') && !LOCAL_NAME.test(name) && !LOOPBACK_NAME.test(name)
}
