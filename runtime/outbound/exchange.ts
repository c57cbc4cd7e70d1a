import type { IncomingMessage, RequestOptions } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
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

export interface Body {
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
export const readBody = async (answer: IncomingMessage, most: number): Promise<Body> => {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const raw = await takeUpTo(answer, most)
  if (encoding === 'identity' || encoding === '' || raw.bytes.length === 0) return raw
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined
  if (decoder === undefined) throw Object.assign(new Error(encoding), { code: 'Z_UNKNOWN' })
  decoder.end(raw.bytes)
  const body = await takeUpTo(decoder, most)
  return { bytes: body.bytes, truncated: body.truncated || raw.truncated }
}
