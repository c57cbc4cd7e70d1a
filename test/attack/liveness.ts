import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Parley } from '#test/api/harness.ts'
import { processorWait } from '#test/fixture/processor-clock.ts'

/**
 * Longest wait for `/health/live` until the work is done, ms, without the time in which this process or the main thread
 * of the gateway waited for a processor: other programs of a busy machine cause it.
 */
export const livenessDuring = async (
  parley: Parley & { readonly pid: number },
  work: Promise<unknown>,
): Promise<number> => {
  let isDone = false
  let longest = 0
  let lag = 0
  let due = performance.now() + 10
  const timer = setInterval(() => {
    lag = Math.max(lag, performance.now() - due)
    due = performance.now() + 10
  }, 10)
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    lag = 0
    const began = performance.now()
    const waited = processorWait(parley.pid)
    expect((await parley.anyone.get('/health/live')).status).toBe(200)
    longest = Math.max(longest, performance.now() - began - lag - (processorWait(parley.pid) - waited))
    await pause(20)
  }
  clearInterval(timer)
  await done
  return longest
}
