import { expect, test } from 'vitest'
import { visitCount } from '../model/block-appearance.ts'
import { serviceTimes, ticksOf, timeRows } from './time-rows.ts'

const span = (turn: number, block: string | null, kind: 'service' | 'own' | 'typing', start: number, ms: number) => ({
  turn,
  dialog: 'd',
  block,
  kind,
  by: kind === 'typing' ? null : 'rest',
  start,
  ms,
})

test('returns one row per block and turn [P-1050]', () => {
  const rows = timeRows([
    span(1, 'call', 'service', 0, 600),
    span(1, 'call', 'typing', 600, 100),
    span(1, 'tell', 'typing', 700, 1200),
    span(2, 'tell', 'typing', 1900, 50),
    span(2, null, 'service', 1950, 80),
  ])
  expect(rows.map(({ turn, block, bars, ms }) => [turn, block, bars.length, ms])).toEqual([
    [1, 'call', 2, 700],
    [1, 'tell', 1, 1200],
    [2, 'tell', 1, 50],
    [2, null, 1, 80],
  ])
})

test('the axis has at most five steps, at round moments [P-1050]', () => {
  expect(ticksOf(0)).toEqual([0])
  expect(ticksOf(7)).toEqual([0, 2, 4, 6])
  expect(ticksOf(2230)).toEqual([0, 500, 1000, 1500, 2000])
  for (const end of [1, 99, 12_345, 600_000]) expect(ticksOf(end).length).toBeLessThanOrEqual(5)
})

test('calls to the outside are summed by block [P-1050]', () => {
  const times = serviceTimes([
    span(1, 'call', 'service', 0, 600),
    span(2, 'call', 'service', 600, 40),
    span(2, 'call', 'typing', 640, 900),
    span(2, null, 'service', 1540, 80),
  ])
  expect([...times]).toEqual([['call', 640]])
})

test('counts a question with its answer as one visit, and each repetition [P-1841]', () => {
  const asked = { frame: 1, out: null }
  const answered = { frame: 1, out: 'output_1' }
  expect(visitCount([asked, answered])).toBe(1)
  expect(visitCount([asked, asked, answered])).toBe(2)
  expect(visitCount([answered, answered])).toBe(2)
  expect(visitCount([asked, { frame: 2, out: 'output_1' }])).toBe(2)
})
