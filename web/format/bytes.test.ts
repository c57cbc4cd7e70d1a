import { expect, test } from 'vitest'
import { bytesOf } from './bytes.ts'

test('a size is told in the unit that keeps it short', () => {
  expect([0, 999, 1000, 42_781, 1_048_576, 64_000_000_000].map(bytesOf)).toEqual([
    '0 bytes',
    '999 bytes',
    '1 kB',
    '42,8 kB',
    '1 MB',
    '64 GB',
  ])
})
