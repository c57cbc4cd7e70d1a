import { expect, test } from 'vitest'
import { uploadLimit } from './upload-limit.ts'

test('a person who uploads too much waits for the next hour, others do not', () => {
  let time = Date.parse('2026-01-01T10:59:00Z')
  const limit = uploadLimit(2, () => time)
  expect([limit('ana'), limit('ana'), limit('ana'), limit('rui')]).toEqual([0, 0, 60, 0])
  time += 59_500
  expect(limit('ana')).toBe(1)
  time += 500
  expect(limit('ana')).toBe(0)
})
