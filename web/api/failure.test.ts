import { expect, test } from 'vitest'
import { failureOf } from './failure.ts'
import { Problem } from './problem.ts'

test('a refusal is told as it is; what fails otherwise is told as what could not be done', () => {
  const told = (status: number, code: string) => failureOf(new Problem(status, { code, detail: 'why' }), 'could not')

  expect(told(409, 'entity.name.taken')).toBe('why')
  expect(told(500, 'server.error')).toBe('could not')
  expect(told(0, 'network')).toBe('could not')
  expect(told(503, 'store.readonly')).toBe('could not (why)')
  expect(failureOf(new TypeError('x is undefined'), 'could not')).toBe('could not')
})
