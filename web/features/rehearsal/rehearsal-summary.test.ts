import { expect, test } from 'vitest'
import { summaryOf } from './rehearsal-summary.ts'

const WHOLE = { state: 'done' as const, total: 30, done: 30, same: 28, ways: 2, elsewhere: 0, unknown: [] }

test('says that all would end the same only when the end of each conversation is known [P-2489]', () => {
  expect(summaryOf(WHOLE)).toEqual({ text: 'allsame', count: 30, total: 30 })
  expect(summaryOf({ ...WHOLE, state: 'stopped', done: 12, same: 11, ways: 1 })).toEqual({
    text: 'noother',
    count: 12,
    total: 12,
  })
  const unknown = [{ why: 'call' as const, count: 5 }]
  expect(summaryOf({ ...WHOLE, same: 25, ways: 0, unknown })).toEqual({ text: 'noother', count: 25, total: 30 })
  expect(summaryOf({ ...WHOLE, same: 0, ways: 0, unknown })).toEqual({ text: 'unknowable', count: 0, total: 30 })
  expect(summaryOf({ ...WHOLE, state: 'stopped', done: 0, same: 0, ways: 0 })).toEqual({
    text: 'unknowable',
    count: 0,
    total: 0,
  })
})

test('counts other ends among the conversations that were run, and hides counts below five [P-2489]', () => {
  expect(summaryOf({ ...WHOLE, state: 'stopped', done: 12, elsewhere: 6 })).toEqual({
    text: 'elsewhere',
    count: 6,
    total: 12,
  })
  expect(summaryOf({ ...WHOLE, elsewhere: null })).toEqual({ text: 'elsewhere', count: null, total: 30 })
  const few = { ...WHOLE, state: 'stopped' as const, done: null, same: null, ways: null }
  expect(summaryOf(few)).toEqual({ text: 'noother', count: null, total: null })
})
