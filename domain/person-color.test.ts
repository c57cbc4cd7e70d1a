import { expect, test } from 'vitest'
import { personColor } from './color.ts'

test('a person keeps their colour, and the colours are shared out evenly', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 8000; n++) {
    const color = personColor(`3f2b8c1e-0000-8000-9000-${String(n * 7919).padStart(12, '0')}`)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  expect(counts.size).toBe(8)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  expect(personColor('ana')).toBe(personColor('ana'))
})
