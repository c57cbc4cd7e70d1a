import { expect, test } from 'vitest'
import { failureOf, Problem } from './failure.ts'

test('returns the text of a refusal, and the failed action for other failures', () => {
  const told = (status: number, code: string) => failureOf(new Problem(status, { code, detail: 'why' }), 'could not')

  expect(told(409, 'entity.name.taken')).toBe('why')
  expect(told(500, 'server.error')).toBe('could not')
  expect(told(0, 'network')).toBe('could not')
  expect(told(503, 'store.readonly')).toBe('could not (why)')
  expect(failureOf(new TypeError('x is undefined'), 'could not')).toBe('could not')
})
