import * as Y from 'yjs'
import { MOVES_PER_STEP, movesAt } from '#domain/flow/document/integration-cost.ts'

export type Decoded = ReturnType<typeof Y.decodeUpdate>

/** Structs and deleted ranges of one message: ten times what the largest flow that people draw has. */
const MAX_STRUCTS = 300_000
/** Characters that one client can have written: clocks above it are no clocks of a client. */
const MAX_CLOCK = 2 ** 40
/** Yjs draws client ids from 32 bits. */
const MAX_CLIENT = 2 ** 32
/** Number of `ContentDoc` in the encoding: a document within the document, which is built while it is read. */
const CONTENT_DOC = 9
const CONTENT_BITS = 31

/** More structs than a message may bring. */
export class TooManyStructs extends Error {
  override readonly name = 'TooManyStructs'
}

/** Not as Yjs writes it, or not to be read at all. */
export class MalformedUpdate extends Error {
  override readonly name = 'MalformedUpdate'
}

/** Counts while it reads, so that what is too much is not read to its end. */
class BoundedDecoder extends Y.UpdateDecoderV1 {
  #structs = 0

  override readInfo(): number {
    this.#count()
    const info = super.readInfo()
    if ((info & CONTENT_BITS) === CONTENT_DOC) throw new TypeError('a document within the document')
    return info
  }

  override readDsLen(): number {
    this.#count()
    return super.readDsLen()
  }

  #count(): void {
    this.#structs += 1
    if (this.#structs > MAX_STRUCTS) throw new TooManyStructs()
  }
}

/**
 * Reads an update that is as Yjs writes it: one section for each client, structs that are not empty, deleted ranges in
 * order and apart. Throws `MalformedUpdate` on any other, which costs time with the square of its size or has clocks that are no integers.
 */
export const decodeUpdate = (update: Uint8Array): Decoded => {
  try {
    const decoded = Y.decodeUpdateV2(update, BoundedDecoder)
    checkStructs(decoded.structs)
    for (const [client, ranges] of decoded.ds.clients) checkRanges(client, ranges)
    return decoded
  } catch (error) {
    if (error instanceof TooManyStructs) throw error
    throw new MalformedUpdate('malformed update', { cause: error })
  }
}

const checkStructs = (structs: Decoded['structs']): void => {
  const ended = new Set<number>()
  let current: number | undefined
  for (const { id, length } of structs) {
    if (length <= 0 || id.clock + length > MAX_CLOCK)
      throw new RangeError('a struct without length or beyond any clock')
    if (id.client === current) continue
    if (id.client >= MAX_CLIENT) throw new RangeError('no id of a client')
    if (ended.has(id.client)) throw new RangeError('a client in two places')
    ended.add(id.client)
    current = id.client
  }
}

const checkRanges = (client: number, ranges: readonly { readonly clock: number; readonly len: number }[]): void => {
  if (client >= MAX_CLIENT) throw new RangeError('no id of a client')
  let end = -1
  for (const { clock, len } of ranges) {
    if (len <= 0 || clock <= end || clock + len > MAX_CLOCK) throw new RangeError('deleted ranges out of order')
    end = clock
    end += len - 1
  }
}

type Content = Y.Item['content']

/**
 * Whether the document has the content of a struct at the clocks that both have. Content deleted on either side is not
 * compared.
 */
const isSameContent = (doc: Y.Doc, struct: Y.AbstractStruct): boolean => {
  const structs = doc.store.clients.get(struct.id.client)
  if (structs === undefined || !(struct instanceof Y.Item) || struct.content instanceof Y.ContentDeleted) return true
  const { clock } = struct.id
  const end = Math.min(clock + struct.length, Y.getState(doc.store, struct.id.client))
  for (let index = Y.findIndexSS(structs, clock); ; index++) {
    const held = structs[index]
    if (held === undefined || held.id.clock >= end) return true
    if (held instanceof Y.Item && !held.deleted && !agrees(doc, held, struct, end)) return false
  }
}

/** From the first clock that both have up to `end`. */
const agrees = (doc: Y.Doc, held: Y.Item, sent: Y.Item, end: number): boolean => {
  const from = Math.max(held.id.clock, sent.id.clock)
  const to = Math.min(held.id.clock + held.length, end)
  if (from === sent.id.clock && !isSamePlace(doc, held, sent)) return false
  return isSamePiece(held.content, from - held.id.clock, sent.content, from - sent.id.clock, to - from)
}

const isSamePlace = (
  { share }: Y.Doc,
  held: Y.Item,
  { id, origin, rightOrigin, parent, parentSub }: Y.Item,
): boolean => {
  const left = held.id.clock === id.clock ? held.origin : Y.createID(id.client, id.clock - 1)
  if (!Y.compareIDs(left, origin) || !Y.compareIDs(held.rightOrigin, rightOrigin)) return false
  // With a neighbour it lies where that one lies.
  if (origin !== null || rightOrigin !== null || !(held.parent instanceof Y.AbstractType)) return true
  const isParent =
    typeof parent === 'string'
      ? share.get(parent) === held.parent
      : parent instanceof Y.ID && Y.compareIDs(held.parent._item?.id ?? null, parent)
  return isParent && held.parentSub === parentSub
}

const isSamePiece = (held: Content, heldFrom: number, sent: Content, sentFrom: number, length: number): boolean => {
  if (held.constructor !== sent.constructor) return false
  if (held instanceof Y.ContentString && sent instanceof Y.ContentString) {
    return (
      withoutHalves(held.str.slice(heldFrom, heldFrom + length)) ===
      withoutHalves(sent.str.slice(sentFrom, sentFrom + length))
    )
  }
  if (held instanceof Y.ContentType && sent instanceof Y.ContentType) {
    return held.type.constructor === sent.type.constructor
  }
  if (held instanceof Y.ContentFormat && sent instanceof Y.ContentFormat) {
    return held.key === sent.key && isSameValue(held.value, sent.value)
  }
  return isSameValue(
    held.getContent().slice(heldFrom, heldFrom + length),
    sent.getContent().slice(sentFrom, sentFrom + length),
  )
}

/** Yjs replaces both halves of a character that was split. */
const withoutHalves = (text: string): string => text.replace(/[\uD800-\uDFFF]/g, '\uFFFD')

const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export interface UpdateValidation {
  /** It builds on structs that neither the document nor it has: applied, it would wait inside the document. */
  readonly missing: boolean
  /** It holds a struct or a deletion that the document does not have yet. */
  readonly news: boolean
  /** It says something else than the document at clocks that both have: two clients use one id. */
  readonly contradicts: boolean
  /** Client ids of its new structs with their clock range [from, to). */
  readonly ranges: readonly ClientRange[]
  /** Steps that its deletions take (domain/flow/document/integration-cost.ts). */
  readonly deletionSteps: number
}

export interface ClientRange {
  readonly client: number
  readonly from: number
  readonly to: number
}

/** Effects of an update on a document, without applying it. */
export const validateUpdate = (doc: Y.Doc, decoded: Decoded): UpdateValidation => {
  const ends = new Map<number, number>()
  const end = (client: number) => ends.get(client) ?? Y.getState(doc.store, client)
  let missing = false
  let contradicts = false
  for (const struct of decoded.structs) {
    const { client, clock } = struct.id
    if (clock > end(client) || struct instanceof Y.Skip) missing = true
    ends.set(client, Math.max(end(client), clock + struct.length))
    contradicts ||= clock < Y.getState(doc.store, client) && !isSameContent(doc, struct)
  }
  const ranges = [...ends].flatMap(([client, to]) => {
    const from = Y.getState(doc.store, client)
    return to > from ? [{ client, from, to }] : []
  })
  return {
    missing: missing || !isComplete(decoded, end),
    news: ranges.length > 0 || deletesMore(doc, decoded),
    contradicts,
    ranges,
    deletionSteps: deletionSteps(doc, decoded),
  }
}

const isComplete = ({ structs, ds }: Decoded, end: (client: number) => number): boolean => {
  const isKnown = (id: Y.ID | null) => id === null || id.clock < end(id.client)
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) continue
    const parent = struct.parent instanceof Y.ID ? struct.parent : null
    if (!isKnown(struct.origin) || !isKnown(struct.rightOrigin) || !isKnown(parent)) return false
  }
  for (const [client, ranges] of ds.clients) {
    if (ranges.some(range => range.clock + range.len > end(client))) return false
  }
  return true
}

const deletesMore = (doc: Y.Doc, { ds }: Decoded): boolean => {
  for (const [client, ranges] of ds.clients) {
    if (ranges.some(range => !isDeleted(doc, client, range))) return true
  }
  return false
}

const isDeleted = (doc: Y.Doc, client: number, range: { clock: number; len: number }): boolean => {
  const structs = doc.store.clients.get(client)
  if (structs === undefined || Y.getState(doc.store, client) < range.clock + range.len) return false
  const end = range.clock + range.len
  for (let index = Y.findIndexSS(structs, range.clock); ; index++) {
    const struct = structs[index]
    if (struct === undefined || !struct.deleted) return false
    if (struct.id.clock + struct.length >= end) return true
  }
}

/** A range that begins or ends within a struct splits it. They are in order, so that earlier splits move nothing more. */
const deletionSteps = ({ store }: Y.Doc, { ds }: Decoded): number => {
  let moves = 0
  for (const [client, ranges] of ds.clients) {
    const state = Y.getState(store, client)
    for (const { clock, len } of ranges) {
      for (const at of [clock, clock + len])
        if (splitsAt(store, state, client, at)) moves += movesAt(store, { client, clock: at })
    }
  }
  return moves / MOVES_PER_STEP
}

const splitsAt = ({ clients }: Y.Doc['store'], state: number, client: number, clock: number): boolean => {
  const structs = clients.get(client)
  if (structs === undefined || clock >= state) return false
  const struct = structs[Y.findIndexSS(structs, clock)]
  return struct !== undefined && !struct.deleted && struct.id.clock < clock
}
