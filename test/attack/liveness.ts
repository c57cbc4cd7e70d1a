import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Parley } from '#test/api/harness.ts'

/** Longest wait for `/health/live` until the work is done, without what this process itself waited for its processor. */
export const livenessDuring = async (parley: Parley, work: Promise<unknown>): Promise<number> => {
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
    expect((await parley.anyone.get('/health/live')).status).toBe(200)
    longest = Math.max(longest, performance.now() - began - lag)
    await pause(20)
  }
  clearInterval(timer)
  await done
  return longest
}
