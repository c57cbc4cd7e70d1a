import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'
import { isPublicAddress } from './public-address.ts'

const UNKNOWN_NAME = /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EINVAL$)/

/** Whether an error's code says that a name has no address. */
const isUnknownName = (code: string): boolean => UNKNOWN_NAME.test(code)

/** By the start of an error's code; the first match counts. */
const KINDS: readonly (readonly [pattern: RegExp, code: RefusalCode])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'outbound.unknown'],
  [/^HPE_HEADER_OVERFLOW$/, 'outbound.headers'],
  [/^(HPE_|Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/, 'outbound.answer'],
  [/CERT|^(UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO)/, 'outbound.certificate'],
  [/^ERR_(INVALID_CHAR|INVALID_HTTP_TOKEN)$/, 'outbound.header'],
  [/^(ECONN|EHOST|ENET|EPIPE|EADDRNOTAVAIL|EINVAL|EACCES|EPERM|ETIMEDOUT|ERR_SOCKET)/, 'outbound.unreachable'],
]

/**
 * The refusal for an error of a call.
 * @throws the error itself if no call can cause it
 */
export const refusalOf = (error: unknown, timeout: number): Result<never> => {
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return refused('outbound.timeout', { params: { ms: timeout } })
  const reason = 'code' in error ? String(error.code) : ''
  const kind = KINDS.find(([pattern]) => pattern.test(reason))
  if (kind === undefined) throw error
  return refused(kind[1], { params: { reason } })
}

/** An address with its resolved IP addresses: the name is resolved once, and the call connects to that result. */
export interface Target {
  readonly url: URL
  /** At least one. */
  readonly addresses: readonly string[]
}

/** Resolves all addresses of a name. @throws errors of dns.lookup */
export type Resolve = (host: string) => Promise<readonly string[]>

export const resolveName: Resolve = async host => (await lookup(host, { all: true })).map(({ address }) => address)

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
