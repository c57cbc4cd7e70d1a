import * as Y from 'yjs'
import { emptyFlowUpdate } from '#domain/flow/document/document.ts'
import { keepMarks, meteredLoad, TooCostly } from '#domain/flow/document/integration-cost.ts'

/**
 * The updates before the first that cannot be integrated in time. The flow goes on from them, so that what clients hold
 * of it is still the same document.
 */
export const readablePart = (state: readonly Uint8Array[]): readonly Uint8Array[] => {
  const doc = new Y.Doc()
  keepMarks(doc)
  let taken = 0
  let readable = 0
  try {
    for (const update of state) {
      taken += meteredLoad(() => Y.applyUpdate(doc, update), taken)
      readable += 1
    }
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
  } finally {
    doc.destroy()
  }
  return readable === 0 ? [emptyFlowUpdate()] : state.slice(0, readable)
}
