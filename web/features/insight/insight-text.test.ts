import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { lastDays } from './insight-query.ts'
import { growthOf, percentText, pointsOf, rateOf, shareText, sumOf } from './insight-text.ts'

beforeAll(() => void i18next.init({ lng: 'en', resources: {} }))

test('shows counts instead of a rate under 30 closed conversations [P-2878]', () => {
  const few = (part: string, whole: string) => `${part} of ${whole}`
  expect(shareText({ part: 12, whole: 29 }, few)).toBe('12 of 29')
  expect(shareText({ part: 12, whole: 30 }, few)).toBe('40%')
  expect(shareText({ part: 0, whole: 0 }, few)).toBe('–')
  expect([rateOf({ part: 3, whole: 29 }), rateOf({ part: 3, whole: null })]).toEqual([undefined, undefined])
  expect([0.068, 0.7149, 0].map(percentText)).toEqual(['6.8%', '71%', '0%'])
})

test('shows hidden counts as fewer than five, and leaves them out of sums [P-2075]', () => {
  const few = (part: string, whole: string) => `${part} of ${whole}`
  expect(shareText({ part: null, whole: 400 }, few)).toBe('< 5 of 400')
  expect([shareText({ part: 0, whole: null }, few), shareText({ part: null, whole: null }, few)]).toEqual([
    '0 of < 5',
    '< 5',
  ])
  expect([sumOf(null, 10), sumOf(null, 0), sumOf(0, 0)]).toEqual([10, null, 0])
})

test('compares rates only where both have enough conversations [P-2878]', () => {
  expect(pointsOf({ part: 71, whole: 100 }, { part: 34, whole: 50 })).toBeCloseTo(3)
  expect(pointsOf({ part: 71, whole: 100 }, { part: 20, whole: 29 })).toBeUndefined()
  expect(growthOf(112, 100)).toBeCloseTo(12)
  expect([growthOf(112, 0), growthOf(null, 100)]).toEqual([undefined, undefined])
})

test('counts back from the present day of the bot, not of the console [P-2228] [P-2869]', () => {
  // In São Paulo 00:30 and 21:30.
  const late = Date.parse('2027-01-01T03:30:00Z')
  expect(lastDays(1, 'America/Sao_Paulo', late)).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(lastDays(1, 'America/Manaus', late)).toEqual({ from: '2026-12-31', to: '2026-12-31' })
  expect(lastDays(7, 'Europe/Lisbon', Date.parse('2027-01-01T00:30:00Z'))).toEqual({
    from: '2026-12-26',
    to: '2027-01-01',
  })
  // A day of 25 hours in New York: 24 hours before its end it had begun.
  expect(lastDays(2, 'America/New_York', Date.parse('2026-11-02T04:30:00Z'))).toEqual({
    from: '2026-10-31',
    to: '2026-11-01',
  })
  // A zone that the browser does not know.
  expect(lastDays(1, 'Mars/Olympus_Mons', late)).toEqual({ from: '2027-01-01', to: '2027-01-01' })
})
