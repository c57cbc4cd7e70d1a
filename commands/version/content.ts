import { type VersionContentStored, versionContentStream } from '#schemas/events/release.ts'
import type { PackedText, Pieces } from '../packed-text.ts'
import { type Author, append, draft, endOf } from '../pipeline/append.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { TimeSlicer } from '../time-slicer.ts'

type Stored = Pick<PackedText, 'size' | 'hash'>

/** Stores a packed version file as a group of chunks; a group that was broken off does not count. */
export const writeContent = async (
  { store }: Pick<CommandContext, 'store'>,
  author: Author,
  id: string,
  level: string | null,
  { packed, size, hash }: PackedText,
): Promise<Stored> => {
  const n = packed.length
  const group = crypto.randomUUID()
  const stream = versionContentStream(id)
  const slices = new TimeSlicer()
  let tail = await endOf(store, stream)
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
  const slices = new TimeSlicer()
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
