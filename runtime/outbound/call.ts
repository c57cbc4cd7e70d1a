import { lookup } from 'node:dns/promises'
import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import type { Transform } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import zlib from 'node:zlib'
import { NO_TRACER, type Tracer } from '#commands/tracer.ts'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'

/** Not imported: an ES import of that module loads an HTTP client along with it, 14 MB. */
const http = process.getBuiltinModule('node:http')

type Network = readonly [address: string, bits: number]

/** IPv4 networks that IANA's special-purpose registry does not list as globally reachable. */
const CLOSED_IPV4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // cloud services, in addition to 169.254.169.254
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** The allocated part of IPv6. Embedded IPv4 addresses (mapped, NAT64) and all local networks are outside it. */
const OPEN_IPV6: readonly Network[] = [['2000::', 3]]
const CLOSED_IPV6: readonly Network[] = [
  ['2001::', 23], // Teredo and other protocols
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
]

const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [address, bits] of networks) list.addSubnet(address, bits, family)
  return list
}

const closedIpv4 = listOf(CLOSED_IPV4, 'ipv4')
const openIpv6 = listOf(OPEN_IPV6, 'ipv6')
const closedIpv6 = listOf(CLOSED_IPV6, 'ipv6')

/** Whether an address is reachable from the whole internet; false for invalid addresses. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closedIpv4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return openIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6')
}

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
interface Target {
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

const TIMEOUT_MS = 2_000
/** An answer is used again for this long: a redirect does not ask the name server each time. */
const KEPT_MS = 60_000
const MAX_KEPT = 1_000

interface OpenHostOptions {
  readonly allowPrivate: boolean
  readonly resolve?: Resolve
  readonly now?: () => number
}

/**
 * Whether a short address may lead to a host: neither its form nor any address of its name is private. A name without
 * an address leads nowhere and is allowed.
 */
export const createPublicHostCheck = ({ allowPrivate, resolve = resolveName, now = Date.now }: OpenHostOptions) => {
  const kept = new Map<string, { readonly until: number; readonly isOpen: Promise<boolean> }>()
  const ask = async (host: string): Promise<boolean> => {
    const addresses = await Promise.race([resolve(host).catch(() => []), pause(TIMEOUT_MS, [], { ref: false })])
    return addresses.every(isPublicAddress)
  }
  return async (host: string): Promise<boolean> => {
    if (allowPrivate) return true
    if (!isPublicHost(host)) return false
    const known = kept.get(host)
    if (known !== undefined && known.until > now()) return known.isOpen
    if (kept.size >= MAX_KEPT) kept.clear()
    const isOpen = ask(host.startsWith('[') ? host.slice(1, -1) : host)
    kept.set(host, { until: now() + KEPT_MS, isOpen })
    return isOpen
  }
}

/** One HTTP/1.1 request. */
interface Exchange {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly ca?: string
  readonly agent?: Agent
}

/** Maximum bytes of all response headers; more abort the call. */
const MAX_HEADER_BYTES = 16_384

/** Returns the addresses that were checked, so that a changed DNS answer has no effect. */
export const pinned = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, { all }, done) => {
    if (all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/** An unused connection is closed after this time: sooner than servers close theirs, ms. */
const IDLE_MS = 1500
/** Frequent calls resolve the name of their host again after this time, ms. */
const RESOLVED_MS = 10_000
const MAX_RESOLVED = 100

/** Connections and addresses that frequent calls use again. */
class FrequentHosts {
  readonly #http = new http.Agent({ keepAlive: true, timeout: IDLE_MS })
  readonly #https = new https.Agent({ keepAlive: true, timeout: IDLE_MS })
  readonly #targets = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>()

  agentOf({ protocol }: URL): Agent {
    return protocol === 'https:' ? this.#https : this.#http
  }

  /** The target of an address; `locate` resolves and checks its host. */
  async locate(url: URL, locate: (url: URL) => Promise<Result<Target>>): Promise<Result<Target>> {
    const known = this.#targets.get(url.host)
    if (known !== undefined && known.until > performance.now()) return accepted({ url, addresses: known.addresses })
    const found = await locate(url)
    if (this.#targets.size >= MAX_RESOLVED) this.#targets.clear()
    if (found.ok)
      this.#targets.set(url.host, { addresses: found.value.addresses, until: performance.now() + RESOLVED_MS })
    return found
  }
}

/**
 * Sends one request to the addresses of its target, over a new connection without an agent; leaves the body unread.
 * @throws errors of node:http, and the signal's reason
 */
const exchange = (target: Target, { method, headers, body, ca, agent }: Exchange, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { url, addresses } = target
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      agent: agent ?? false,
      lookup: pinned(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(ca === undefined ? {} : { ca }),
      signal,
    }
    const request = (url.protocol === 'https:' ? https : http).request(url, options)
    request.on('response', resolve)
    request.on('error', reject)
    // Other protocols are not supported.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('upgraded'), { code: 'HPE_UPGRADE' }))
    })
    // With a text, Node would encode the headers like the body.
    request.end(body === undefined ? undefined : Buffer.from(body))
  })

interface Body {
  readonly bytes: Uint8Array
  /** More bytes followed. */
  readonly truncated: boolean
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants

/** Supported encodings; a truncated body is decoded as far as possible. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  'x-gzip': () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ finishFlush: Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
}

/** Reads at most `most` bytes and then stops, so that a decoder produces no further output. */
const takeUpTo = async (stream: AsyncIterable<Uint8Array>, most: number): Promise<Body> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), truncated: true }
  }
  return { bytes: Buffer.concat(chunks), truncated: false }
}

/**
 * The decoded body of a response: at most `most` raw bytes and as many decoded ones.
 * @throws `{code: 'Z_…'}` when the body does not have its declared encoding
 */
const readBody = async (answer: IncomingMessage, most: number): Promise<Body> => {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const raw = await takeUpTo(answer, most)
  if (encoding === 'identity' || encoding === '' || raw.bytes.length === 0) return raw
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined
  if (decoder === undefined) throw Object.assign(new Error(encoding), { code: 'Z_UNKNOWN' })
  decoder.end(raw.bytes)
  const body = await takeUpTo(decoder, most)
  return { bytes: body.bytes, truncated: body.truncated || raw.truncated }
}

/** Encodings that this module decodes, for the header `accept-encoding`. */
const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

const MAX_HEADERS = 100
const MAX_HEADER_LENGTH = 8_000

/** Headers that control the transport; they cannot be configured. */
const CARRYING = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'],
  ...['accept-encoding', 'proxy-authorization', 'proxy-connection', 'http2-settings'],
])
/** Headers without data of the first site; they may be sent to another one. */
const HARMLESS = new Set(['accept', 'accept-language', 'accept-encoding', 'content-type', 'user-agent'])

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers to send, by lower-case names, including Parley's own. Refuses headers that cannot be sent unchanged. */
const readHeaders = (
  given: readonly (readonly [name: string, value: string])[],
): Result<Readonly<Record<string, string>>> => {
  const read = new Map([
    ['accept', '*/*'],
    ['user-agent', 'Parley'],
  ])
  if (given.length > MAX_HEADERS) return refused('outbound.header', { params: { name: given[MAX_HEADERS]?.[0] ?? '' } })
  for (const [name, value] of given) {
    const key = name.trim().toLowerCase()
    const fine = NAME.test(key) && !CARRYING.has(key) && VALUE.test(value) && value.length <= MAX_HEADER_LENGTH
    if (!fine) return refused('outbound.header', { params: { name: name.slice(0, 100) } })
    read.set(key, value.trim())
  }
  return accepted(Object.fromEntries([...read, ['accept-encoding', ACCEPTED_ENCODINGS]]))
}

type Headers = Readonly<Record<string, string>>
const only = (headers: Headers, keeps: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keeps(name)))

/** Headers that may be sent to a site other than the configured one. */
const withoutSecrets = (headers: Headers): Headers => only(headers, name => HARMLESS.has(name))

const withoutBody = (headers: Headers): Headers => only(headers, name => !name.startsWith('content-'))

export interface OutboundRequest {
  readonly method: string
  /** As configured. */
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** Binary body, instead of `body`. */
  readonly bytes?: Uint8Array
  /** Default: 5. */
  readonly maxRedirects?: number
  /** ms for the whole call, including redirects and the body. */
  readonly timeout: number
  /** Maximum bytes of the decoded body; the rest is cut off. */
  readonly most: number
  /** PEM of the certificate or authority to trust instead of the public ones. */
  readonly ca?: string
  /** One of many calls to its host: its connection, and for some seconds the host's addresses, are used again. */
  readonly isFrequent?: boolean
}

export interface OutboundAnswer {
  readonly status: number
  /** Final address after redirects. */
  readonly url: string
  readonly redirects: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly truncated: boolean
}

export type Call = (request: OutboundRequest) => Promise<Result<OutboundAnswer>>

interface CallOptions {
  readonly allowPrivate: boolean
  readonly resolve?: Resolve
  readonly inside?: (request: OutboundRequest) => OutboundAnswer | Promise<Result<OutboundAnswer>> | undefined
  /** Names the trace of a call to hosts that may know it. */
  readonly tracer?: Pick<Tracer, 'headersFor'> | undefined
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Rejects when the signal aborts, although the work continues. */
const unless = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])

/** A name without a public address is refused at a multiple of this, to hide the resolver's response time. */
const REFUSAL_STEP_MS = 500

const untilStep = async (started: number, signal: AbortSignal): Promise<void> => {
  const passed = performance.now() - started
  await pause(Math.ceil(passed / REFUSAL_STEP_MS) * REFUSAL_STEP_MS - passed, undefined, { signal })
}

/**
 * The only way to call configured addresses: http and https only, public addresses only unless `allowPrivate`, each
 * redirect checked again, limited in time and size. Never throws for errors of the other side. `inside` answers calls
 * that Parley handles itself.
 */
export const createCall = ({ allowPrivate, resolve = resolveName, inside, tracer = NO_TRACER }: CallOptions): Call => {
  const hosts = new FrequentHosts()
  return async request => {
    const own = inside?.(request)
    if (own !== undefined) return own instanceof Promise ? own : accepted(own)
    const signal = AbortSignal.timeout(request.timeout)
    const locate = async (url: URL) => {
      const started = performance.now()
      const target = await unless(signal, resolveTarget(url, resolve, allowPrivate))
      if (!target.ok && target.refusal.code === 'outbound.unknown') await untilStep(started, signal)
      return target
    }
    try {
      if (request.isFrequent !== true) return await follow({ request, signal, tracer }, locate)
      const agentOf = (url: URL) => hosts.agentOf(url)
      return await follow({ request, signal, tracer, agentOf }, url => hosts.locate(url, locate))
    } catch (error) {
      // An aborted call fails with various errors.
      return refusalOf(signal.aborted ? signal.reason : error, request.timeout)
    }
  }
}

/** The request of one hop. */
interface Hop {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

interface Followed {
  readonly request: OutboundRequest
  readonly signal: AbortSignal
  readonly tracer: Pick<Tracer, 'headersFor'>
  readonly agentOf?: (url: URL) => Agent
}

async function follow(
  { request, signal, tracer, agentOf }: Followed,
  locate: (url: URL) => ReturnType<typeof resolveTarget>,
): Promise<Result<OutboundAnswer>> {
  const url = readAddress(request.url)
  if (!url.ok) return url
  const headers = readHeaders(request.headers)
  if (!headers.ok) return headers
  let hop: Hop = { method: request.method, url: url.value, headers: headers.value, body: request.body ?? request.bytes }
  const most = request.maxRedirects ?? MAX_REDIRECTS
  const trust = request.ca === undefined ? {} : { ca: request.ca }
  for (let redirects = 0; redirects <= most; redirects++) {
    const target = await locate(hop.url)
    if (!target.ok) return target
    const { body: content, ...sent } = hop
    const told = { headers: { ...sent.headers, ...tracer.headersFor(hostOf(hop.url)) } }
    const connection = agentOf === undefined ? {} : { agent: agentOf(hop.url) }
    const whole = { ...sent, ...told, ...(content === undefined ? {} : { body: content }), ...trust, ...connection }
    const answer = await exchange(target.value, whole, signal)
    const { statusCode: status = 0 } = answer
    const { location } = answer.headers
    if (!REDIRECTS.has(status) || location === undefined) {
      const { bytes, truncated } = await readBody(answer, request.most)
      return accepted({
        status,
        url: hop.url.href,
        redirects,
        headers: pairsOf(answer.rawHeaders),
        body: bytes,
        truncated,
      })
    }
    answer.destroy()
    const next = readAddress(location, hop.url)
    if (!next.ok) return next
    hop = redirected(hop, status, next.value)
  }
  return refused('outbound.redirects', { params: { most } })
}

/** Redirects as browsers do; headers that may be secret are not sent to another origin. */
function redirected({ method, url, headers, body }: Hop, status: number, next: URL): Hop {
  const reads = method === 'GET' || method === 'HEAD'
  const becomesGet = status === 303 ? !reads : status < 303 && method === 'POST'
  const kept = next.origin === url.origin ? headers : withoutSecrets(headers)
  return becomesGet
    ? { method: 'GET', url: next, headers: withoutBody(kept), body: undefined }
    : { method, url: next, headers: kept, body }
}

function pairsOf(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? ''] as const] : []))
}
