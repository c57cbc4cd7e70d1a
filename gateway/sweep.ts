import { setTimeout as pause } from 'node:timers/promises'
import { sweepRequests } from '#commands/pipeline/sweep-requests.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { FileStorage } from './storage/port.ts'

const FIRST_MS = 5 * 60_000
const EVERY_MS = 3_600_000

/** Every hour: answers of expired idempotency keys and uploads that nothing used go. Returns how to stop. */
export const startSweep = (
  store: EventStore,
  storage: Pick<FileStorage, 'sweep'>,
  failed: (error: unknown) => void,
): (() => Promise<void>) => {
  const stop = new AbortController()
  const going = (async () => {
    for (let wait = FIRST_MS; ; wait = EVERY_MS) {
      await pause(wait, undefined, { ref: false, signal: stop.signal })
      await sweepRequests(store, new Date()).catch(failed)
      await storage.sweep().catch(failed)
    }
  })().catch(error => {
    if (!stop.signal.aborted) failed(error)
  })
  return async () => {
    stop.abort()
    await going
  }
}
