import { expect, test } from 'vitest'
import { calledBy, callersOf } from './references.ts'

test('returns all direct and indirect callers of a dialog, also in cycles', () => {
  const calls = new Map([
    ['menu', ['order', 'help']],
    ['order', ['pay']],
    ['pay', ['menu', 'pay']],
    ['help', []],
    ['other', ['help']],
  ])
  expect(callersOf(calls, 'pay')).toEqual(new Set(['pay', 'order', 'menu']))
  expect(callersOf(calls, 'help')).toEqual(new Set(['menu', 'other', 'pay', 'order']))
  expect(callersOf(calls, 'other')).toEqual(new Set())
})

test('a sub-dialog is run, a dialog that one goes to is not', () => {
  const targets = [{ to: 'dialog', id: 'pay' } as const]
  expect(calledBy({ type: 'subdialog', targets })).toEqual(['pay'])
  expect(calledBy({ type: 'gototask', targets })).toEqual([])
})
