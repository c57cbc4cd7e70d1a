import { describe, expect, test } from 'vitest'
import { openingOf } from './opening-hours.ts'

const week = [
  { day: 1, from: '08:00', to: '12:00' },
  { day: 1, from: '13:00', to: '18:00' },
  { day: 2, from: '22:00', to: '02:00' },
]
const hours = { timezone: 'America/Sao_Paulo', week, specific_dates: [{ date: '2026-11-16' }] }
const at = (local: string) => Date.parse(`${local}:00-03:00`)
const state = (local: string, isHoliday: (day: string) => boolean = () => false) =>
  openingOf(hours, isHoliday, at(local))

describe('the hours of a queue', () => {
  test('are open in each period of a day, in the zone of the queue [P-2321]', () => {
    expect(state('2026-11-09T08:00')).toEqual({ isOpen: true, closes: at('2026-11-09T12:00') })
    expect(state('2026-11-09T12:00')).toEqual({ isOpen: false, opens: at('2026-11-09T13:00') })
    expect(state('2026-11-09T17:59')).toEqual({ isOpen: true, closes: at('2026-11-09T18:00') })
    expect(state('2026-11-09T18:00')).toEqual({ isOpen: false, opens: at('2026-11-10T22:00') })
  })

  test('may end after midnight [P-2321]', () => {
    expect(state('2026-11-11T01:30')).toEqual({ isOpen: true, closes: at('2026-11-11T02:00') })
    expect(state('2026-11-11T02:00')).toMatchObject({ isOpen: false })
  })

  test('leave out holidays and single days [P-2321]', () => {
    expect(state('2026-11-16T09:00')).toEqual({ isOpen: false, opens: at('2026-11-17T22:00') })
    expect(state('2026-11-09T09:00', day => day === '2026-11-09')).toMatchObject({ isOpen: false })
  })

  test('are always where none are given [P-2321]', () => {
    expect(openingOf({ ...hours, week: [] }, () => true, at('2026-11-15T03:00'))).toEqual({ isOpen: true })
  })
})
