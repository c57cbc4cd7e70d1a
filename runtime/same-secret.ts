import { hash, timingSafeEqual } from 'node:crypto'

/** Compares in constant time for any length. An empty secret never matches. */
export const isSameSecret = (given: string, expected: string): boolean =>
  expected !== '' && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
