import { createDecoder, readVarUint, readVarUint8Array } from 'lib0/decoding'
import * as Y from 'yjs'

/** What a frame would do to a document, as Yjs alone understands it: nothing of Parley is asked. */
export interface FrameEffect {
  /** `unsound`: no client could have sent it, or it builds on what nobody has. */
  readonly kind: 'unsound' | 'edit' | 'none'
  readonly update?: Uint8Array
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
  return isSame ? NONE : { kind: 'edit', update }
}
