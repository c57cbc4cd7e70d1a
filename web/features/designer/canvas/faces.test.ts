import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFaces, IN_FRAME } from './faces.ts'
import { createMotion, HURRY, REST } from './motion.ts'

const FRAME = 16

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, FRAME))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a view hurries when it moves in long steps, until it did not for a while', () => {
  const { hurrying, moved } = createMotion()
  const told: boolean[] = []
  hurrying.subscribe(() => told.push(hurrying.get()))
  for (let step = 0; step < 20; step++) {
    moved(HURRY - 1)
    vi.advanceTimersByTime(FRAME)
  }
  expect(told).toEqual([])
  moved(HURRY)
  vi.advanceTimersByTime(REST - 1)
  moved(HURRY)
  vi.advanceTimersByTime(REST - 1)
  expect(told).toEqual([true])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([true, false])
})

test('a block that comes into a hurrying view gets no face before the view rests, then some in each frame do', () => {
  const { hurrying, moved } = createMotion()
  const faces = createFaces(hurrying)
  const shown: number[] = []
  expect(faces.atOnce()).toBe(true)
  moved(Number.POSITIVE_INFINITY)
  expect(faces.atOnce()).toBe(false)
  const stops = Array.from({ length: 3 * IN_FRAME }, (_, block) => faces.wait(() => shown.push(block)))
  for (let move = 0; move < 50; move++) {
    vi.advanceTimersByTime(FRAME)
    moved(HURRY)
  }
  expect(shown).toEqual([])
  // It was passed by.
  stops[2]?.()
  vi.advanceTimersByTime(REST + FRAME)
  expect(shown).toHaveLength(IN_FRAME)
  vi.advanceTimersByTime(2 * FRAME)
  expect(shown).toHaveLength(3 * IN_FRAME - 1)
  expect(shown).not.toContain(2)
})

test('a view that hurries on interrupts the making of faces', () => {
  const { hurrying, moved } = createMotion()
  const faces = createFaces(hurrying)
  moved(HURRY)
  const shown: number[] = []
  for (let block = 0; block < 3 * IN_FRAME; block++) faces.wait(() => shown.push(block))
  vi.advanceTimersByTime(REST + FRAME)
  moved(Number.POSITIVE_INFINITY)
  vi.advanceTimersByTime(REST - 1)
  expect(shown).toHaveLength(IN_FRAME)
  vi.advanceTimersByTime(1 + 2 * FRAME)
  expect(shown).toHaveLength(3 * IN_FRAME)
})
