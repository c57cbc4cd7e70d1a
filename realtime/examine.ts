import * as Y from 'yjs'
import { MOVES_PER_STEP, movesAt } from '#domain/flow/document/integration-cost.ts'
import type { Decoded } from './decode-update.ts'
import { isSameContent } from './same-content.ts'

export interface Examined {
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
export const examine = (doc: Y.Doc, decoded: Decoded): Examined => {
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
