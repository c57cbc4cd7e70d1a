import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type VersionContentStored, versionContentStream } from '#schemas/events/version-content.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { NO_STREAM, type Tail } from '../integrity/hash-chain.ts'
import { append } from '../pipeline/append.ts'
import { type Author, draft } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { upcastFile } from './upcast-file.ts'

const PIECE = 600_000
const MAX_BYTES = 256 * 1024 * 1024

interface Stored {
  /** Bytes of the version file. */
  readonly size: number
  /** SHA-256 of it, lower-case hex. */
  readonly hash: string
}

/** Keeps a version file, given as JSON, as a group of chunks; a group that was broken off does not count. */
export const writeContent = async (
  { store }: Pick<CommandContext, 'store'>,
  author: Author,
  id: string,
  level: string | null,
  file: string,
): Promise<Stored> => {
  const text = Buffer.from(file)
  const packed = await promisify(gzip)(text)
  const n = Math.max(1, Math.ceil(packed.length / PIECE))
  const group = crypto.randomUUID()
  const stream = versionContentStream(id)
  let tail = await endOf({ store }, stream)
  for (let k = 1; k <= n; k += 1) {
    const piece = packed.subarray((k - 1) * PIECE, k * PIECE).toString('base64')
    const event = draft(author, '', 'VersionContentStored', level, { group, k, n, piece })
    tail = await append(store, stream, tail, [{ ...event, id: crypto.randomUUID() }])
  }
  return { size: text.length, hash: createHash('sha256').update(text).digest('hex') }
}

export const readContent = async (
  context: Pick<CommandContext, 'store'>,
  id: string,
): Promise<VersionFile | undefined> => {
  const text = await readContentText(context, id)
  return text === undefined ? undefined : (upcastFile(JSON.parse(text)) as unknown as VersionFile)
}

/** The version file as JSON; undefined when nothing complete was kept. */
export const readContentText = async (
  { store }: Pick<CommandContext, 'store'>,
  id: string,
): Promise<string | undefined> => {
  let pieces: { readonly group: string; readonly parts: Buffer[] } | undefined
  let complete: Buffer | undefined
  for await (const event of store.read(versionContentStream(id))) {
    const { group, k, n, piece } = event.data as VersionContentStored & typeof event.data
    if (k === 1) pieces = { group, parts: [] }
    if (pieces?.group !== group || pieces.parts.length !== k - 1) pieces = undefined
    pieces?.parts.push(Buffer.from(piece, 'base64'))
    if (pieces !== undefined && k === n) complete = Buffer.concat(pieces.parts)
  }
  if (complete === undefined) return undefined
  const text = await promisify(gunzip)(complete, { maxOutputLength: MAX_BYTES })
  return text.toString()
}

const endOf = async ({ store }: Pick<CommandContext, 'store'>, stream: string): Promise<Tail> => {
  for await (const { revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash }
  return NO_STREAM
}
