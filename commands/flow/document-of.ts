import * as Y from 'yjs'
import { openFlow } from '#domain/flow/document.ts'
import type { FlowState } from './flow-job.ts'
import { pauses } from './pauses.ts'

/** A state as a document, made update by update so that others have their turn in between. */
export const documentOf = async (state: FlowState): Promise<Y.Doc> => {
  const doc = openFlow(new Y.Doc())
  const pause = pauses()
  for (const update of state) {
    Y.applyUpdate(doc, update)
    await pause()
  }
  return doc
}
