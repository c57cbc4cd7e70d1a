import { setTimeout as pause } from 'node:timers/promises'
import { sweepRequests } from '#commands/pipeline/sweep-requests.ts'
import type { EventStore } from '#commands/store/port.ts'

const FIRST_MS = 5 * 60_000
const EVERY_MS = 3_600_000

/** Forgets, every hour, the answers that were kept for idempotency keys and are due. Returns how to stop. */
export const startSweep = (store: EventStore, failed: (error: unknown) => void): (() => Promise<void>) => {
  const stop = new AbortController()
  const going = (async () => {
    for (let wait = FIRST_MS; ; wait = EVERY_MS) {
      await pause(wait, undefined, { ref: false, signal: stop.signal })
      await sweepRequests(store, new Date()).catch(failed)
    }
  })().catch(error => {
    if (!stop.signal.aborted) failed(error)
  })
  return async () => {
    stop.abort()
    await going
  }
}
