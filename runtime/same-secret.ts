import { hash, timingSafeEqual } from 'node:crypto'

/** Compares in constant time, whatever the lengths. An empty secret is nobody's. */
export const isSameSecret = (given: string, expected: string): boolean =>
  expected !== '' && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
