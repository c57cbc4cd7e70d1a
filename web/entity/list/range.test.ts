import { describe, expect, it } from 'vitest'
import { isReversed, parseRange, timesOf } from './list-state.ts'

describe('a range', () => {
  it('has two ends of which one may be open', () => {
    expect(parseRange('number', '1..5')).toEqual({ from: '1', to: '5' })
    expect(parseRange('number', '-2.5..')).toEqual({ from: '-2.5', to: '' })
    expect(parseRange('time', '..2026-02-28')).toEqual({ from: '', to: '2026-02-28' })
  })

  it('is refused when an end is missing, no number or no day', () => {
    for (const text of ['', '5', '..', '1..2..3', 'a..b', '1..x']) expect(parseRange('number', text)).toBeUndefined()
    for (const text of ['2026-13-01..', '2026-1-1..', 'soon..']) expect(parseRange('time', text)).toBeUndefined()
  })

  it('compares numbers as numbers and days as days', () => {
    expect(isReversed('number', { from: '9', to: '10' })).toBe(false)
    expect(isReversed('number', { from: '10', to: '9' })).toBe(true)
    expect(isReversed('time', { from: '2026-11-02', to: '2026-11-01' })).toBe(true)
    expect(isReversed('time', { from: '2026-11-02', to: '' })).toBe(false)
  })

  it('becomes times from the first to the last millisecond of its days, in the zone that the console shows', () => {
    expect(timesOf('2026-11-19..2026-11-19')).toBe('2026-11-19T03:00:00.000Z..2026-11-20T02:59:59.999Z')
    expect(timesOf('2018-12-24..')).toBe('2018-12-24T02:00:00.000Z..')
  })
})
