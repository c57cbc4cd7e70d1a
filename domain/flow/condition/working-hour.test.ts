import { describe, expect, it } from 'vitest'
import { nextOpenings } from './working-hour.ts'

const never = () => false
const hours = { timezone: 'America/Sao_Paulo', startTime: '08:00', endTime: '18:00' }
const iso = (openings: ReturnType<typeof nextOpenings>) =>
  openings.map(({ from, to }) => [new Date(from).toISOString(), new Date(to).toISOString()])

/** Friday 20 November 2026, 17:00 in São Paulo. */
const FRIDAY = Date.parse('2026-11-20T20:00:00Z')

describe('the next openings', () => {
  it('begin with the present one and pass over the weekend [D-3A.24]', () => {
    expect(iso(nextOpenings(hours, never, FRIDAY, 3))).toEqual([
      ['2026-11-20T11:00:00.000Z', '2026-11-20T21:00:00.000Z'],
      ['2026-11-23T11:00:00.000Z', '2026-11-23T21:00:00.000Z'],
      ['2026-11-24T11:00:00.000Z', '2026-11-24T21:00:00.000Z'],
    ])
  })

  it('pass over holidays of the place and those that a person put down', () => {
    const own = { ...hours, specificHolidaysMenu: true, specificHolidays: [{ date: '2026-11-23', name: 'Ponte' }] }
    const [first] = nextOpenings(own, day => day === '2026-11-20', FRIDAY, 1)
    expect(new Date(first?.from ?? 0).toISOString()).toBe('2026-11-24T11:00:00.000Z')
  })

  it('take a weekday’s own times, and a weekend that is worked', () => {
    const own = {
      ...hours,
      hours: { monday: { closed: true }, saturday: { closed: false, startTime: '09:00', endTime: '12:00' } },
    }
    expect(iso(nextOpenings(own, never, Date.parse('2026-11-20T22:00:00Z'), 2))).toEqual([
      ['2026-11-21T12:00:00.000Z', '2026-11-21T15:00:00.000Z'],
      ['2026-11-24T11:00:00.000Z', '2026-11-24T21:00:00.000Z'],
    ])
  })

  it('may last beyond midnight', () => {
    const night = { ...hours, startTime: '22:00', endTime: '06:00' }
    const [first] = nextOpenings(night, never, Date.parse('2026-11-20T05:00:00Z'), 1)
    expect([first?.from, first?.to].map(each => new Date(each ?? 0).toISOString())).toEqual([
      '2026-11-20T01:00:00.000Z',
      '2026-11-20T09:00:00.000Z',
    ])
  })

  it('keep the clock’s time where the clock is changed', () => {
    const paris = {
      ...hours,
      timezone: 'Europe/Paris',
      hours: { saturday: { closed: false }, sunday: { closed: false } },
    }
    const at = nextOpenings(paris, never, Date.parse('2026-10-23T20:00:00Z'), 3).map(({ from }) =>
      new Date(from).toISOString().slice(5, 16),
    )
    expect(at).toEqual(['10-24T06:00', '10-25T07:00', '10-26T07:00'])
  })

  it('are none where nothing is open', () => {
    expect(nextOpenings({ ...hours, startTime: '' }, never, FRIDAY, 3)).toEqual([])
    expect(nextOpenings(hours, () => true, FRIDAY, 3)).toEqual([])
  })
})
