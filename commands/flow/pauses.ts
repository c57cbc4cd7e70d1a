import { setImmediate as breath } from 'node:timers/promises'

/** ms of work without a pause: rooms and requests share the thread. */
const SLICE = 8

/** Answers what long work calls at each of its steps: it lets others have their turn whenever a slice is over. */
export const pauses = (): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE) return
    await breath()
    begun = performance.now()
  }
}
