import Holidays from 'date-holidays'
import { describe, expect, it } from 'vitest'
import { createHolidayCheck, holidaysOf, regions } from './holiday.ts'

const inBrazil = (state: string, year: number) => holidaysOf({ country: 'BR', state }, year)

describe('the holidays of a place', () => {
  it('are those of its country and state, by type [D-3A.25] [D-9.22]', () => {
    expect(inBrazil('', 2026)).toContainEqual({ day: '2026-09-07', name: 'Dia da Independência', type: 'public' })
    expect(inBrazil('SP', 2026).map(({ day }) => day)).toContain('2026-07-09')
    expect(inBrazil('MG', 2026).map(({ day }) => day)).not.toContain('2026-07-09')
  })

  it.each(['', 'AM', 'MT', 'RJ', 'SP', 'BA'])('include 20 November once in BR %s since 2024', state => {
    expect(inBrazil(state, 2026).filter(({ day, type }) => day === '2026-11-20' && type === 'public')).toHaveLength(1)
  })

  it('are none for a place that is not known', () => {
    expect(holidaysOf({ country: 'XX', state: '' }, 2026)).toEqual([])
    expect(holidaysOf({ country: 'BR', state: 'XX' }, 2026)).toEqual(holidaysOf({ country: 'BR', state: '' }, 2026))
  })

  it('last as long as the calendar says: Carnival has its Sunday', () => {
    const days = inBrazil('', 2026).filter(({ name }) => name.startsWith('Carnaval'))
    expect(days.map(({ day }) => day)).toEqual(['2026-02-14', '2026-02-15', '2026-02-16', '2026-02-17', '2026-02-18'])
  })

  it('continue into the next year when they begin at the end of a year', () => {
    const israel = (year: number) =>
      holidaysOf({ country: 'IL', state: '' }, year).filter(({ name }) => name === 'חנוכה')
    expect(
      israel(2024)
        .map(({ day }) => day)
        .at(-1),
    ).toBe('2024-12-31')
    expect(israel(2025).map(({ day }) => day)).toEqual(expect.arrayContaining(['2025-01-01', '2025-01-02']))
  })

  it.each(['BR', 'PT', 'TR', 'IL', 'AE', 'VE', 'AR', 'AT', 'IS'])(
    'hold every day between start and end in %s',
    country => {
      const calendar = new Holidays(country)
      for (const year of [2025, 2026, 2027]) {
        const days = new Set(holidaysOf({ country, state: '' }, year).map(({ day, name }) => `${day} ${name}`))
        for (const { date, start, end, name } of calendar.getHolidays(year)) {
          // Noon of each day, counted from the first: outside every change of the clock.
          const noon = Date.parse(`${date.slice(0, 10)}T12:00:00Z`)
          const last = noon + (end.getTime() - start.getTime()) - 86_400_000
          for (let at = noon; at <= last; at += 86_400_000) {
            const day = new Date(at).toISOString().slice(0, 10)
            if (day.startsWith(`${year}-`)) expect(days).toContain(`${day} ${name}`)
          }
        }
      }
    },
  )

  it('count only when their type is selected', () => {
    const told = (...types: string[]) => createHolidayCheck({ country: 'BR', state: '' }, types)
    expect(told('public')('2026-12-25')).toBe(true)
    expect(told('bank')('2026-12-25')).toBe(false)
    expect(told()('2026-12-25')).toBe(false)
  })

  it('are known of many countries and their states', () => {
    expect(regions()).toMatchObject({ BR: 'Brasil', PT: 'Portugal' })
    expect(regions('BR')).toMatchObject({ SP: 'São Paulo' })
    expect(regions('XX')).toEqual({})
  })
})
