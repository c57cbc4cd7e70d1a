import { setTimeout as pause } from 'node:timers/promises'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { exchange, type Resolve, readAddress, readBody, refusalOf, resolveName, resolveTarget } from './exchange.ts'

/** Encodings that `read-body.ts` can decode, for the header `accept-encoding`. */
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
export const createCall =
  ({ allowPrivate, resolve = resolveName, inside }: CallOptions): Call =>
  async request => {
    const own = inside?.(request)
    if (own !== undefined) return own instanceof Promise ? own : accepted(own)
    const signal = AbortSignal.timeout(request.timeout)
    try {
      return await follow(request, signal, async url => {
        const started = performance.now()
        const target = await unless(signal, resolveTarget(url, resolve, allowPrivate))
        if (!target.ok && target.refusal.code === 'outbound.unknown') await untilStep(started, signal)
        return target
      })
    } catch (error) {
      // An aborted call fails with various errors.
      return refusalOf(signal.aborted ? signal.reason : error, request.timeout)
    }
  }

/** The request of one hop. */
interface Hop {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

async function follow(
  request: OutboundRequest,
  signal: AbortSignal,
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
    const whole = { ...sent, ...(content === undefined ? {} : { body: content }), ...trust }
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
