import { describe, expect, test } from 'vitest'
import { classifyCloseCode, reconnectDelay } from './ack-socket.ts'

describe('the end of a connection', () => {
  test('asks for what the close code says', () => {
    expect(classifyCloseCode(4401, 0, 0).kind).toBe('session')
    expect(classifyCloseCode(4403, 0, 0).kind).toBe('forbidden')
    expect(classifyCloseCode(4404, 0, 0).kind).toBe('missing')
    expect(classifyCloseCode(4400, 0, 0).kind).toBe('refused')
    expect(classifyCloseCode(4413, 0, 0).kind).toBe('large')
    for (const code of [4429, 4503, 1006, 1001]) expect(classifyCloseCode(code, 0, 0).kind).toBe('retry')
  })

  test('waits longer after each failure, never the same for everyone, never beyond eight seconds', () => {
    expect(reconnectDelay(0, 0)).toBeLessThan(reconnectDelay(3, 0))
    expect(reconnectDelay(2, 0)).toBeLessThan(reconnectDelay(2, 0.9))
    expect(reconnectDelay(40, 0.999)).toBeLessThanOrEqual(8_000)
  })

  test('waits longer when the server said that there were too many messages', () => {
    const limited = classifyCloseCode(4429, 0, 0.5)
    const normal = classifyCloseCode(4503, 0, 0.5)
    if (limited.kind !== 'retry' || normal.kind !== 'retry') throw new Error('both are tried again')
    expect(limited.after).toBeGreaterThan(normal.after)
  })
})
