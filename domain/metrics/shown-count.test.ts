import { expect, test } from 'vitest'
import { countForAll, shownFigures } from './shown-count.ts'

const { count, mean, micros } = shownFigures(false)

/** All counts that are shown in this way. */
const meaningsOf = (shown: number | null): readonly number[] =>
  Array.from({ length: 400 }, (_, n) => n).filter(n => count(n) === shown)

test('hides counts from 1 to 4, and rounds the others to multiples of five [P-2075]', () => {
  expect([0, 1, 4, 5, 9, 10, 12, 13, 1003].map(count)).toEqual([0, null, null, 5, 5, 10, 10, 15, 1005])
  expect([0, 1, 4, 5].map(countForAll)).toEqual([0, '1–4', '1–4', 5])
  const exact = shownFigures(true)
  expect([0, 3, 7].map(exact.count)).toEqual([0, 3, 7])
  expect([exact.mean(22, 7), exact.mean(0, 0), exact.micros(999n, 3)]).toEqual([22 / 7, null, 999n])
})

test('a total and its other parts leave every value of a hidden part possible [P-2075]', () => {
  for (let hidden = 1; hidden < 5; hidden += 1)
    for (const parts of [[], [5], [8], [31], [47], [104], [12, 61], [5, 9, 233]]) {
      const total = parts.reduce((sum, part) => sum + part, hidden)
      // Bounds of the sum of the shown parts, and of the total.
      const least = parts.reduce((sum, part) => sum + (meaningsOf(count(part))[0] ?? 0), 0)
      const most = parts.reduce((sum, part) => sum + (meaningsOf(count(part)).at(-1) ?? 0), 0)
      const totals = meaningsOf(count(total))
      const possible = [1, 2, 3, 4].filter(
        n => n + least <= (totals.at(-1) ?? 0) && n + most >= (totals[0] ?? Number.POSITIVE_INFINITY),
      )
      expect([hidden, parts, possible]).toEqual([hidden, parts, [1, 2, 3, 4]])
    }
})

test('a shown total leaves more than one value of two hidden parts possible [P-2075]', () => {
  for (let one = 1; one < 5; one += 1)
    for (let other = 1; other < 5; other += 1) {
      const totals = meaningsOf(count(one + other))
      const possible = [1, 2, 3, 4].filter(n => [1, 2, 3, 4].some(m => totals.includes(n + m)))
      expect([one, other, possible.length > 1]).toEqual([one, other, true])
    }
})

test('neither a mean nor a price reveals the number that it was divided by [P-2075]', () => {
  expect([mean(22, 7), mean(330, 105), mean(1234, 1), mean(0, 0)]).toEqual([3.1, 3.1, null, null])
  // 0.05 each.
  expect([micros(5_150_000n, 103), micros(150_000n, 3), micros(0n, 0)]).toEqual([5_250_000n, null, null])
})
