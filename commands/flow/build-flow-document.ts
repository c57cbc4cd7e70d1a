import { setImmediate as breath } from 'node:timers/promises'
import * as Y from 'yjs'
import { openFlow } from '#domain/flow/document/document.ts'
import { keepMarks, meteredLoad } from '#domain/flow/document/integration-cost.ts'
import type { FlowState } from './flow-job.ts'

/** ms of work without a pause: rooms and requests share the thread. */
const SLICE = 8

/** Returns a function for each step of long work: it yields to other tasks after each time slice. */
const pauses = (): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE) return
    await breath()
    begun = performance.now()
  }
}

/** A state as a document, made update by update so that others have their turn in between. Rejects with `TooCostly`. */
export const buildFlowDocument = async (state: FlowState): Promise<{ readonly doc: Y.Doc; readonly steps: number }> => {
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
