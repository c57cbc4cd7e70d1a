import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createViewMotion, HURRY, REST } from './view-motion.ts'

const FRAME = 16

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a view hurries when it moves in long steps, until it did not for a while', () => {
  const { hurrying, moved } = createViewMotion()
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

test('a view moves in steps of any length, and longer than it hurries', () => {
  const { hurrying, moving, moved } = createViewMotion()
  moved(1)
  expect([moving.get(), hurrying.get()]).toEqual([true, false])
  moved(Number.POSITIVE_INFINITY)
  vi.advanceTimersByTime(REST - FRAME)
  moved(1)
  vi.advanceTimersByTime(FRAME)
  expect([moving.get(), hurrying.get()]).toEqual([true, false])
  vi.advanceTimersByTime(REST)
  expect(moving.get()).toBe(false)
})

test('a view zooms while its zoom changes, not while it moves however far', () => {
  const { zooming, moved } = createViewMotion()
  moved(1000)
  expect(zooming.get()).toBe(false)
  moved(Number.POSITIVE_INFINITY)
  expect(zooming.get()).toBe(true)
  vi.advanceTimersByTime(REST)
  expect(zooming.get()).toBe(false)
})
