import * as Y from 'yjs'
import { emptyFlowUpdate } from '#domain/flow/document/document.ts'
import { keepMarks, meteredLoad, TooCostly } from '#domain/flow/document/integration-cost.ts'

/**
 * Updates before the first that takes too long to integrate. The flow continues from them, so clients keep the same
 * document.
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
