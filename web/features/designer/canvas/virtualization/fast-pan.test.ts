import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { subscribePanShield } from './pan-shield.tsx'
import { createViewMotion, HURRY, REST } from './view-motion.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the veil is up while the view hurries, until it rests, and never while it is dragged', () => {
  const told: boolean[] = []
  const motion = createViewMotion()
  let isDragged = false
  const stop = subscribePanShield(
    motion.hurrying,
    () => isDragged,
    isUp => told.push(isUp),
  )

  motion.moved(HURRY - 1)
  expect(told).toEqual([])
  motion.moved(HURRY)
  expect(told).toEqual([true])
  vi.advanceTimersByTime(REST)
  expect(told).toEqual([true, false])

  isDragged = true
  motion.moved(HURRY)
  vi.advanceTimersByTime(REST)
  expect(told).toEqual([true, false, false, false])
  stop()
})
