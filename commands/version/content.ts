import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createGunzip, createGzip } from 'node:zlib'
import { type VersionContentStored, versionContentStream } from '#schemas/events/version-content.ts'
import { NO_STREAM, type Tail } from '../integrity/hash-chain.ts'
import { append } from '../pipeline/append.ts'
import { type Author, draft } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { Slices } from '../slices.ts'
import { inPieces, PACKED_PIECE } from './version-job.ts'
import type { PackedVersion, Pieces } from './version-work.ts'

/** Bytes that are hashed and packed at once. */
const BLOCK = 256 * 1024

type Stored = Pick<PackedVersion, 'size' | 'hash'>

/** Stores a packed version file as a group of chunks; a group that was broken off does not count. */
export const writeContent = async (
  { store }: Pick<CommandContext, 'store'>,
  author: Author,
  id: string,
  level: string | null,
  { packed, size, hash }: PackedVersion,
): Promise<Stored> => {
  const n = packed.length
  const group = crypto.randomUUID()
  const stream = versionContentStream(id)
  const slices = new Slices()
  let tail = await endOf({ store }, stream)
  for (const [index, bytes] of packed.entries()) {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
    const event = draft(author, '', 'VersionContentStored', level, { group, k: index + 1, n, piece })
    tail = await append(store, stream, tail, [{ ...event, id: crypto.randomUUID() }])
    await slices.pause()
  }
  return { size, hash }
}

/** The packed version file; undefined when nothing complete was stored. */
export const readContent = async (
  { store }: Pick<CommandContext, 'store'>,
  id: string,
): Promise<Pieces | undefined> => {
  const slices = new Slices()
  let pieces: { readonly group: string; readonly parts: Buffer[] } | undefined
  let complete: Pieces | undefined
  for await (const event of store.read(versionContentStream(id))) {
    const { group, k, n, piece } = event.data as VersionContentStored & typeof event.data
    if (k === 1) pieces = { group, parts: [] }
    if (pieces?.group !== group || pieces.parts.length !== k - 1) pieces = undefined
    pieces?.parts.push(Buffer.from(piece, 'base64'))
    if (pieces !== undefined && k === n) complete = pieces.parts
    await slices.pause()
  }
  return complete
}

/** Packs a text that comes in parts. */
export const packText = async (text: AsyncIterable<string | Uint8Array>): Promise<PackedVersion> => {
  const gzip = createGzip({ chunkSize: BLOCK })
  const packing = piecesOf(gzip)
  const hash = createHash('sha256')
  const slices = new Slices()
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
    return inPieces(bytes, BLOCK)
  }
  for await (const part of text) {
    if (typeof part === 'string') {
      small.push(part)
      length += part.length
      if (length >= BLOCK) yield* together()
      continue
    }
    yield* together()
    yield* inPieces(part, BLOCK)
  }
  yield* together()
}

/** What a stream writes, in pieces of the stored size. */
const piecesOf = async (stream: AsyncIterable<Buffer>): Promise<Pieces> => {
  const pieces: Uint8Array[] = []
  let waiting: Buffer[] = []
  let length = 0
  const cut = (least: number) => {
    if (length < least || length === 0) return
    const bytes = Buffer.concat(waiting)
    const whole = least === 1 ? length : length - (length % PACKED_PIECE)
    pieces.push(...inPieces(bytes.subarray(0, whole), PACKED_PIECE))
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

const endOf = async ({ store }: Pick<CommandContext, 'store'>, stream: string): Promise<Tail> => {
  for await (const { revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash }
  return NO_STREAM
}
