import { isIP } from 'node:net'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isUnknownName } from './failure.ts'
import { isPublicAddress } from './public-address.ts'

/** An address with its resolved IP addresses: the name is resolved once, and the call connects to that result. */
export interface Target {
  readonly url: URL
  /** At least one. */
  readonly addresses: readonly string[]
}

/** Resolves all addresses of a name. @throws errors of dns.lookup */
export type Resolve = (host: string) => Promise<readonly string[]>

const MAX_URL_LENGTH = 8_000

/** Parses a configured address; refuses anything but http and https. */
export const readAddress = (text: string, base?: URL): Result<URL> => {
  const trimmed = text.trim()
  const url = trimmed === '' || trimmed.length > MAX_URL_LENGTH ? null : URL.parse(trimmed, base?.href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return refused('outbound.address')
  if (url.username !== '' || url.password !== '') return refused('outbound.credentials')
  return accepted(url)
}

/** The host of a URL; IPv6 without brackets. */
const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** Returns no addresses for an unknown name. @throws any other error */
const unknownName = (error: unknown): readonly string[] => {
  if (error instanceof Error && 'code' in error && isUnknownName(String(error.code))) return []
  throw error
}

/**
 * Resolves an address. A single address that is not public refuses the name, with the same refusal as an unknown name,
 * so that the answer does not reveal the names of the private network.
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
