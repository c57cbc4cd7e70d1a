import { isIP } from 'node:net'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isUnknownName } from './failure.ts'
import { isPublicAddress } from './public-address.ts'

/** An address to call, and where exactly: a name is asked for once, and what it said then is what is connected to. */
export interface Target {
  readonly url: URL
  /** At least one. */
  readonly addresses: readonly string[]
}

/** All addresses of a name. @throws what dns.lookup throws */
export type Resolve = (host: string) => Promise<readonly string[]>

const MAX_URL_LENGTH = 8_000

/** What people wrote as an address, if it is one of the web. */
export const readAddress = (text: string, base?: URL): Result<URL> => {
  const trimmed = text.trim()
  const url = trimmed === '' || trimmed.length > MAX_URL_LENGTH ? null : URL.parse(trimmed, base?.href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return refused('outbound.address')
  if (url.username !== '' || url.password !== '') return refused('outbound.credentials')
  return accepted(url)
}

/** The host of a URL; IPv6 without its brackets. */
const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** No addresses for a name that does not resolve. @throws any other error */
const unknownName = (error: unknown): readonly string[] => {
  if (error instanceof Error && 'code' in error && isUnknownName(String(error.code))) return []
  throw error
}

/**
 * Where an address leads. One address of its name that is not public is enough to refuse it, in the same way as a name
 * that does not resolve: the answer does not tell which names the private network has.
 */
export const resolveTarget = async (url: URL, resolve: Resolve, allowPrivate: boolean): Promise<Result<Target>> => {
  const host = hostOf(url)
  if (isIP(host) !== 0) {
    if (allowPrivate || isPublicAddress(host)) return accepted({ url, addresses: [host] })
    return refused('outbound.private', { params: { host } })
  }
  const addresses = await resolve(host).catch(unknownName)
  if (addresses.length === 0 || !(allowPrivate || addresses.every(isPublicAddress))) return refused('outbound.unknown')
  return accepted({ url, addresses })
}
