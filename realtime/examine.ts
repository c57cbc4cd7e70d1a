import * as Y from 'yjs'

type Decoded = ReturnType<typeof Y.decodeUpdate>

export interface Examined {
  /** It builds on structs that neither the document nor it has: applied, it would wait inside the document. */
  readonly missing: boolean
  /** It holds a struct or a deletion that the document does not have yet. */
  readonly news: boolean
  /** Client ids of its new structs with their clock range [from, to). */
  readonly ranges: readonly { readonly client: number; readonly from: number; readonly to: number }[]
}

/** What an update would bring to a document, without touching it. Throws on a malformed update. */
export const examine = (doc: Y.Doc, update: Uint8Array): Examined => {
  const decoded = Y.decodeUpdate(update)
  const ends = new Map<number, number>()
  const end = (client: number) => ends.get(client) ?? Y.getState(doc.store, client)
  let missing = false
  for (const struct of decoded.structs) {
    const { client, clock } = struct.id
    if (clock > end(client) || struct instanceof Y.Skip) missing = true
    ends.set(client, Math.max(end(client), clock + struct.length))
  }
  const ranges = [...ends].flatMap(([client, to]) => {
    const from = Y.getState(doc.store, client)
    return to > from ? [{ client, from, to }] : []
  })
  return {
    missing: missing || !isComplete(decoded, end),
    news: ranges.length > 0 || deletesMore(doc, decoded),
    ranges,
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
