import { expect, test } from 'vitest'
import { tableCsv } from './chart-card.tsx'
import { exampleDashboard } from './dashboard-query.ts'
import { busiestDay, dailyTable, uniqueNames } from './day-bars.tsx'

const DAYS = ['2026-11-18', '2026-11-19']
const series = (name: string, counts: readonly number[]) => ({ name, counts, color: 'black' })

test('lists the days of a chart newest first, and escapes formulas in its CSV [P-312]', () => {
  const table = dailyTable('Day', DAYS, [series('=1+1', [1, 2]), series('a "b", c', [3, 4])])
  expect(table.rows).toEqual([
    ['2026-11-19', 2, 4],
    ['2026-11-18', 1, 3],
  ])
  expect(tableCsv(table)).toBe('\ufeffDay,\'=1+1,"a ""b"", c"\r\n2026-11-19,2,4\r\n2026-11-18,1,3\r\n')
})

test('names the busiest day over all series, and none where nothing happened [P-312]', () => {
  expect(busiestDay(DAYS, [series('a', [3, 1]), series('b', [0, 4])])).toEqual({ day: '2026-11-19', count: 5 })
  expect(busiestDay(DAYS, [series('a', [0, 0])])).toBeUndefined()
  expect(uniqueNames(['Ana', 'Rui', 'Ana'])).toEqual(['Ana', 'Rui', 'Ana (2)'])
})

test('makes up the same numbers for the same day, one for each day of the period [P-313]', () => {
  const example = exampleDashboard(90, '2026-11-19')
  expect(example.days.at(-1)).toBe('2026-11-19')
  for (const { counts } of example.edits) expect(counts).toHaveLength(90)
  expect(exampleDashboard(7, '2026-11-19').publishes).toEqual(example.publishes.slice(-7))
})
