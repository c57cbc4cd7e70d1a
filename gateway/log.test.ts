import { expect, test } from 'vitest'
import { countErrors } from './log.ts'

test('equal errors are one line in a minute, which says how many were left out [P-1499]', () => {
  let now = 0
  const leftOut = countErrors(() => now)
  const away = (id: number) => new Error(`conversation-4f0d2a9${id} at 00000${id}: the store is away`)
  expect(leftOut(away(1))).toBe(0)
  for (let n = 2; n < 1000; n += 1) expect(leftOut(away(n))).toBeUndefined()
  expect(leftOut(new TypeError('another cause'))).toBe(0)
  now = 60_000
  expect(leftOut(away(5))).toBe(998)
  expect(leftOut(away(6))).toBeUndefined()
})
