import * as Y from 'yjs'

type Content = Y.Item['content']

/**
 * Whether the document has the content of a struct at the clocks that both have. Content deleted on either side is not
 * compared.
 */
export const isSameContent = (doc: Y.Doc, struct: Y.AbstractStruct): boolean => {
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
