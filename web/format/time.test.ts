import { expect, test } from 'vitest'
import { timeIn } from './time.ts'

test('the day stands before the month and hours go to 23, in every language', () => {
  // given the 22nd of November, half past three in the afternoon in São Paulo
  const time = Date.parse('2026-11-22T18:30:00Z')
  const parts = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  // then
  for (const language of ['en', 'pt', 'es']) {
    expect(timeIn(language, parts).format(time), language).toBe('22/11, 15:30')
  }
  expect(timeIn('en', { hour: '2-digit', timeZone: 'America/Manaus' }).format(time)).toBe('14')
})
