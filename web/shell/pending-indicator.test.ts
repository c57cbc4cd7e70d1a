import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPendingIndicator } from './pending-indicator.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('shows what takes longer than 200 ms, for at least 200 ms [C-7.14] [C-9.13]', () => {
  let isShown = false
  const pending = createPendingIndicator(shown => {
    isShown = shown
  })
  // Faster than the throttle: never shown.
  pending.set(true)
  vi.advanceTimersByTime(199)
  pending.set(false)
  vi.advanceTimersByTime(1000)
  expect(isShown).toBe(false)

  pending.set(true)
  vi.advanceTimersByTime(200)
  expect(isShown).toBe(true)
  vi.advanceTimersByTime(10)
  pending.set(false)
  vi.advanceTimersByTime(189)
  expect(isShown).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isShown).toBe(false)

  // Another one begins before the first is put away: it stays.
  pending.set(true)
  vi.advanceTimersByTime(300)
  pending.set(false)
  pending.set(true)
  vi.advanceTimersByTime(5000)
  expect(isShown).toBe(true)
  pending.set(false)
  vi.advanceTimersByTime(0)
  expect(isShown).toBe(false)
})
