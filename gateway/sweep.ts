import { setTimeout as pause } from 'node:timers/promises'

const FIRST_MS = 5 * 60_000
const EVERY_MS = 3_600_000

/** Removes every hour what is past its time, one kind after the other. Returns how to stop. */
export const startSweep = (
  sweeps: readonly (() => Promise<unknown>)[],
  failed: (error: unknown) => void,
): (() => Promise<void>) => {
  const stop = new AbortController()
  const going = (async () => {
    for (let wait = FIRST_MS; ; wait = EVERY_MS) {
      await pause(wait, undefined, { ref: false, signal: stop.signal })
      for (const sweep of sweeps) await sweep().catch(failed)
    }
  })().catch(error => {
    if (!stop.signal.aborted) failed(error)
  })
  return async () => {
    stop.abort()
    await going
  }
}
