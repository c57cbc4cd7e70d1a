import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { Target } from './target.ts'

/** One HTTP/1.1 request. */
export interface Exchange {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Maximum bytes of all response headers; more abort the call. */
const MAX_HEADER_BYTES = 16_384

/** Returns the addresses that were checked, so that a changed DNS answer has no effect. */
const pinned = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, { all }, done) => {
    if (all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/**
 * Sends one request over a new connection to the addresses of its target; does not read the response body.
 * @throws errors of node:http, and the signal's reason
 */
export const exchange = (target: Target, { method, headers, body }: Exchange, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { url, addresses } = target
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      agent: false,
      lookup: pinned(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
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
