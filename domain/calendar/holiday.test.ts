import { describe, expect, it } from 'vitest'
import { holidaysOf, holidayTeller, regions } from './holiday.ts'

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

  it('count only where their type is asked for', () => {
    const told = (...types: string[]) => holidayTeller({ country: 'BR', state: '' }, types)
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
