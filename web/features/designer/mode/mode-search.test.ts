import { expect, test } from 'vitest'
import { modeIn, searchOf } from './mode-address.ts'

const ALL = { test: true, funnel: true }

test('names the mode of an address, and the editor for modes that may not be opened [P-1823]', () => {
  const mode = (search: string, allowed = ALL) => modeIn(new URLSearchParams(search), allowed)
  expect(mode('')).toBe('edit')
  expect(mode('mode=test')).toBe('test')
  expect(mode('mode=funnel')).toBe('funnel')
  expect(mode('mode=history')).toBe('history')
  expect(mode('at=12')).toBe('history')
  expect(mode('mode=other')).toBe('edit')
  expect(mode('mode=test', { test: false, funnel: true })).toBe('edit')
  expect(mode('mode=funnel', { test: true, funnel: false })).toBe('edit')
})

test('keeps what belongs to the flow and drops the moment and the filter of another mode [P-1823]', () => {
  const search = (before: string, mode: 'edit' | 'history' | 'test' | 'funnel', selected?: string) =>
    searchOf(new URLSearchParams(before), mode, selected)
  const past = 'pid=b&mode=history&at=285&compare=now&block=x'
  expect(search(past, 'edit')).toBe('?pid=b')
  expect(search(past, 'edit', 'y')).toBe('?pid=b&block=y')
  expect(search(past, 'funnel')).toBe('?pid=b&block=x&mode=funnel')
  expect(search('mode=funnel&days=7&channel=rest', 'test')).toBe('?mode=test')
  expect(search('mode=test&from=c&turn=2&step=1', 'history')).toBe('?mode=history')
  expect(search('mode=history', 'edit')).toBe('')
})
