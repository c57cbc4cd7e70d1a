import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGunzip, createGzip } from 'node:zlib'
import { TimeSlicer } from './time-slicer.ts'

/** Bytes in pieces, so that no step on the main thread has to handle all of them at once. */
export type Pieces = readonly Uint8Array[]

/** A text packed by gzip. */
export interface PackedText {
  readonly packed: Pieces
  /** Bytes of the text as UTF-8. */
  readonly size: number
  /** SHA-256 of them, lower-case hex. */
  readonly hash: string
}

/** Bytes of a packed piece: with base64 it fits into one event. */
export const PACKED_PIECE = 600_000
/** Bytes that are hashed and packed at once. */
const BLOCK = 256 * 1024

export const splitBytes = (bytes: Uint8Array, length: number): Pieces =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, k) => bytes.subarray(k * length, (k + 1) * length))

/** Packs a text that comes in parts. */
export const packText = async (text: AsyncIterable<string | Uint8Array>): Promise<PackedText> => {
  const gzip = createGzip({ chunkSize: BLOCK })
  const packing = piecesOf(gzip)
  const hash = createHash('sha256')
  const slices = new TimeSlicer()
  let size = 0
  for await (const block of blocksOf(text)) {
    hash.update(block)
    size += block.length
    if (!gzip.write(block)) await once(gzip, 'drain')
    await slices.pause()
  }
  gzip.end()
  return { packed: await packing, size, hash: hash.digest('hex') }
}

/** The text of a packed version file, part by part. */
export const unpacked = (packed: Pieces): NodeJS.ReadableStream => {
  const gunzip = createGunzip({ chunkSize: BLOCK })
  const write = async () => {
    for (const piece of packed) if (!gunzip.write(piece)) await once(gunzip, 'drain')
    gunzip.end()
  }
  // A failure ends the stream, which its reader sees.
  write().catch(() => undefined)
  return gunzip
}

/** Blocks of a text: small parts together, large ones divided. */
async function* blocksOf(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  let small: string[] = []
  let length = 0
  const together = () => {
    const bytes = Buffer.from(small.join(''))
    small = []
    length = 0
    return splitBytes(bytes, BLOCK)
  }
  for await (const part of text) {
    if (typeof part === 'string') {
      small.push(part)
      length += part.length
      if (length >= BLOCK) yield* together()
      continue
    }
    yield* together()
    yield* splitBytes(part, BLOCK)
  }
  yield* together()
}

/** Splits a stream into pieces of the stored size. */
const piecesOf = async (stream: AsyncIterable<Buffer>): Promise<Pieces> => {
  const pieces: Uint8Array[] = []
  let waiting: Buffer[] = []
  let length = 0
  const cut = (least: number) => {
    if (length < least || length === 0) return
    const bytes = Buffer.concat(waiting)
    const whole = least === 1 ? length : length - (length % PACKED_PIECE)
    pieces.push(...splitBytes(bytes.subarray(0, whole), PACKED_PIECE))
    waiting = whole < length ? [bytes.subarray(whole)] : []
    length -= whole
  }
  for await (const chunk of stream) {
    waiting.push(chunk)
    length += chunk.length
    cut(PACKED_PIECE)
  }
  cut(1)
  return pieces
}
