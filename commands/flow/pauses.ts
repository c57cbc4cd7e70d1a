import { setImmediate as breath } from 'node:timers/promises'

/** ms of work without a pause: rooms and requests share the thread. */
const SLICE = 8

/** Returns a function for each step of long work: it yields to other tasks after each time slice. */
export const pauses = (): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE) return
    await breath()
    begun = performance.now()
  }
}
