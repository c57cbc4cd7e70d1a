import i18next from 'i18next'
import { expect, test } from 'vitest'
import { dayOf, minuteOf, momentOf, timeIn } from './time.ts'

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

test('shows dates and times as in Brazil, in the time of São Paulo, for any language [C-1.08]', async () => {
  const time = '2026-11-22T02:05:00Z'
  for (const language of ['en', 'pt', 'es']) {
    await i18next.init({ lng: language, resources: {} })
    expect(dayOf(time)).toBe('21/11/2026')
    expect(minuteOf(time)).toBe('23:05')
    expect(momentOf(time)).toBe('21/11/2026 23:05')
    expect(dayOf('2026-11-22')).toBe('22/11/2026')
  }
})
