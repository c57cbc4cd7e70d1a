import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_MS = 5

/** Divides long work on the main thread: the event loop serves others between two slices. */
export class Slices {
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
