import { expect, test } from 'vitest'
import { runAfter } from './working-hour.ts'

test('returns the run time after minutes, hours or days [D-9.23]', () => {
  const after = (unit: string, quantity: number) => runAfter(0, unit, quantity)
  expect([after('minute', 5), after('hour', 1), after('day', 2)]).toEqual([300_000, 3_600_000, 172_800_000])
  expect([after('week', 1), after('hour', 0), after('day', 1e12), after('day', Number.NaN)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
