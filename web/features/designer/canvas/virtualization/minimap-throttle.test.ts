import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CARRYING, createMinimapThrottle } from '../minimap.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a block that is carried on is painted on the map now and then, when it is taken up and dropped at once', () => {
  const asked: string[] = []
  const lifted = new Set(['menu'])
  const pace = createMinimapThrottle(block => lifted.has(block), {
    ask: () => asked.push('again'),
    askAnew: () => asked.push('anew'),
  })
  const menu = new Set(['menu'])

  pace.moved(menu)
  expect(asked).toEqual(['anew'])

  for (let step = 0; step < 30; step++) {
    pace.moved(menu)
    vi.advanceTimersByTime(CARRYING / 30)
  }
  expect(asked).toEqual(['anew', 'again'])

  lifted.clear()
  pace.moved(menu)
  expect(asked).toEqual(['anew', 'again', 'anew'])
  pace.stop()
})
