import * as Y from 'yjs'
import { openFlow } from '#domain/flow/document/document.ts'
import { keepMarks, meteredLoad } from '#domain/flow/document/integration-cost.ts'
import type { FlowState } from './flow-job.ts'
import { pauses } from './pauses.ts'

/** A state as a document, made update by update so that others have their turn in between. Rejects with `TooCostly`. */
export const documentOf = async (state: FlowState): Promise<{ readonly doc: Y.Doc; readonly steps: number }> => {
  const doc = openFlow(new Y.Doc())
  keepMarks(doc)
  const pause = pauses()
  let taken = 0
  for (const update of state) {
    taken += meteredLoad(() => Y.applyUpdate(doc, update), taken)
    await pause()
  }
  return { doc, steps: taken }
}
