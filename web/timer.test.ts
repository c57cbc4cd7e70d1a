import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearNamedTimer, setNamedTimer } from './timer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('clears the timer of the same name, and no other [C-4.32]', () => {
  const done: string[] = []
  setNamedTimer('a', () => done.push('first a'), 100)
  setNamedTimer('b', () => done.push('b'), 100)
  vi.advanceTimersByTime(50)
  setNamedTimer('a', () => done.push('second a'), 100)
  vi.advanceTimersByTime(60)
  expect(done).toEqual(['b'])
  vi.advanceTimersByTime(60)
  expect(done).toEqual(['b', 'second a'])
  setNamedTimer('c', () => done.push('c'), 10)
  clearNamedTimer('c')
  vi.advanceTimersByTime(60)
  expect(done).toHaveLength(2)
})
