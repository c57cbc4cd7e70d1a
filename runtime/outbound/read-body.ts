import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

export interface Body {
  readonly bytes: Uint8Array
  /** There was more. */
  readonly truncated: boolean
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants

/** What Parley understands; a body that was cut off gives what can be made of it. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  'x-gzip': () => zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ finishFlush: Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
}

/** Reads until it ends or `most` bytes are there, and then no further: however much would come of it, no more is made. */
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
 * The body of an answer, unpacked, at most `most` bytes as it comes and as many unpacked.
 * @throws `{code: 'Z_…'}` when it is not packed as it says
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
