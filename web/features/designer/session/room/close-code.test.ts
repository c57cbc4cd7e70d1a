import { describe, expect, test } from 'vitest'
import { endingOf, pauseBefore } from './ack-socket.ts'

describe('the end of a connection', () => {
  test('asks for what the close code says', () => {
    expect(endingOf(4401, 0, 0).kind).toBe('session')
    expect(endingOf(4403, 0, 0).kind).toBe('forbidden')
    expect(endingOf(4404, 0, 0).kind).toBe('missing')
    expect(endingOf(4400, 0, 0).kind).toBe('refused')
    expect(endingOf(4413, 0, 0).kind).toBe('large')
    for (const code of [4429, 4503, 1006, 1001]) expect(endingOf(code, 0, 0).kind).toBe('retry')
  })

  test('waits longer after each failure, never the same for everyone, never beyond eight seconds', () => {
    expect(pauseBefore(0, 0)).toBeLessThan(pauseBefore(3, 0))
    expect(pauseBefore(2, 0)).toBeLessThan(pauseBefore(2, 0.9))
    expect(pauseBefore(40, 0.999)).toBeLessThanOrEqual(8_000)
  })

  test('waits longer when the server said that there were too many messages', () => {
    const limited = endingOf(4429, 0, 0.5)
    const normal = endingOf(4503, 0, 0.5)
    if (limited.kind !== 'retry' || normal.kind !== 'retry') throw new Error('both are tried again')
    expect(limited.after).toBeGreaterThan(normal.after)
  })
})
