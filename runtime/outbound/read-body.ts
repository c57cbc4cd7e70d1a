import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

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
