import { expect, test } from 'vitest'
import type { Turn } from './conversation-query.ts'
import { pathOf } from './walked-path.ts'

const step = (dialog: string, block: string, type: string, more: object = {}) => ({
  frame: 1,
  dialog,
  block,
  type,
  out: 'output_1',
  ms: 1000,
  wrote: [],
  ...more,
})
const turn = (number: number, time: string, steps: readonly object[]): Turn =>
  ({ turn: number, time: `2026-11-20T12:${time}.000Z`, steps }) as unknown as Turn
const at = (time: string): number => Date.parse(`2026-11-20T12:${time}.000Z`)

test('a path has a part for each marker and dialog that ran, with its time and its errors [P-985]', () => {
  const turns = [
    turn(1, '00:02', [step('a', 'start', 'start'), step('a', 'hello', 'marker')]),
    turn(2, '01:00', [step('a', 'ask', 'prompt', { out: null, tries: 1 })]),
    turn(3, '02:02', [step('b', 'start', 'start'), step('b', 'call', 'restservice', { problem: 'rest.failed' })]),
  ]
  expect(pathOf(turns)).toEqual([
    { dialog: 'a', marker: 'hello', turn: 1, start: at('00:01'), end: at('02:00'), errors: 1 },
    { dialog: 'b', marker: undefined, turn: 3, start: at('02:00'), end: at('02:02'), errors: 1 },
  ])
  expect(pathOf([])).toEqual([])
})
