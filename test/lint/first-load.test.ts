import { expect, test } from 'vitest'
import { bundle } from '../bench/bundle.ts'

test('the first load of the console stays within its limits, with the texts of one language [P-2860]', () => {
  const { detail } = bundle()
  expect(detail?.kilobytes).toBeGreaterThan(100)
  expect(detail?.kilobytes).toBeLessThanOrEqual(170)
  expect(detail?.text).toBeGreaterThan(5)
  // With the addresses of the language's other texts, 2 kB, which are not a request of their own.
  expect(detail?.text).toBeLessThanOrEqual(19.5)
})
