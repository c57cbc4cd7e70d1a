import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding'
import * as Y from 'yjs'

/** Effect of a frame on a document according to Yjs alone, without Parley's code. */
export interface FrameEffect {
  /** `unsound`: no client could have sent it, or it builds on what nobody has. */
  readonly kind: 'unsound' | 'edit' | 'none'
  readonly update?: Uint8Array
  /** The document says something else at clocks that both have: another client took the id. */
  readonly contradicts?: true
  /** A question that the room answers. */
  readonly asks?: true
}

const UNSOUND: FrameEffect = { kind: 'unsound' }
const NONE: FrameEffect = { kind: 'none' }

export const effectOf = (doc: Y.Doc, frame: Uint8Array): FrameEffect => {
  try {
    const decoder = createDecoder(frame)
    const type = readVarUint(decoder)
    const step = type === 0 ? readVarUint(decoder) : 0
    if (type === 3) return NONE
    const body = readVarUint8Array(decoder)
    if (type === 1) return NONE
    if (type !== 0 || step > 2) return UNSOUND
    if (step === 0) {
      Y.encodeStateAsUpdate(doc, body)
      return { kind: 'none', asks: true }
    }
    return effectOfUpdate(doc, body)
  } catch {
    return UNSOUND
  }
}

const effectOfUpdate = (doc: Y.Doc, update: Uint8Array): FrameEffect => {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  const before = Y.snapshot(copy)
  Y.applyUpdate(copy, update)
  const { pendingStructs, pendingDs } = copy.store
  const isSame = Y.equalSnapshots(before, Y.snapshot(copy))
  copy.destroy()
  if (pendingStructs !== null || pendingDs !== null) return UNSOUND
  const contradicts = contradictsIn(doc, update) ? ({ contradicts: true } as const) : {}
  return isSame ? { ...NONE, ...contradicts } : { kind: 'edit', update, ...contradicts }
}

const contradictsIn = (doc: Y.Doc, update: Uint8Array): boolean =>
  Y.decodeUpdate(update).structs.some(struct => {
    if (!(struct instanceof Y.Item) || struct.id.clock >= Y.getState(doc.store, struct.id.client)) return false
    const held: unknown = Y.getItem(doc.store, struct.id)
    if (!(held instanceof Y.Item) || held.deleted || held.id.clock !== struct.id.clock) return false
    return textOf(held) !== textOf(struct) || placeOf(held) !== placeOf(struct) || !liesIn(doc, held, struct)
  })

const textOf = ({ content }: Y.Item): string =>
  content instanceof Y.ContentType ? content.type.constructor.name : JSON.stringify(content.getContent())

const placeOf = ({ origin, rightOrigin }: Y.Item): string => JSON.stringify([origin, rightOrigin])

/** Of a struct without neighbours, which says itself where it lies. */
const liesIn = (doc: Y.Doc, held: Y.Item, { origin, rightOrigin, parent, parentSub }: Y.Item): boolean => {
  if (origin !== null || rightOrigin !== null || !(held.parent instanceof Y.AbstractType)) return true
  const own = held.parent._item
  const isParent =
    typeof parent === 'string'
      ? doc.share.get(parent) === held.parent
      : parent instanceof Y.ID && own !== null && Y.compareIDs(own.id, parent)
  return isParent && held.parentSub === parentSub
}
