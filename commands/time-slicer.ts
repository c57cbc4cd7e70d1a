import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Refusal, refused } from '#schemas/refusal.ts'

const SLICE_MS = 5

/** Divides long work on the main thread: the event loop serves others between two slices. */
export class TimeSlicer {
  #since = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#since >= SLICE_MS
  }

  async next(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }

  /** Ends the slice when it has taken its time. */
  async pause(): Promise<void> {
    if (this.isOver) await this.next()
  }
}

/** s after which a caller may try again. */
const RETRY_S = 10

/** No process was free in time for work on an input, or the work was aborted: the input itself may be correct. */
export class WorkBusy extends Error {
  override readonly name: string = 'WorkBusy'
}

/** Refusal of a call for whose work no process was free in time. */
export const BUSY: { readonly ok: false; readonly refusal: Refusal } = refused('request.toomany', {
  params: { retryAfter: RETRY_S },
})
