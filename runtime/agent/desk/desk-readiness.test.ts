import { expect, test, vi } from 'vitest'
import type { ReadModels } from '#projections/port.ts'
import { followDeskReadiness } from './desk-readiness.ts'

const CHANNEL = { id: 'c', bot: 'b', type: 'parley', configured: true }

test('decides nothing by read models that are being built [P-2049]', async () => {
  vi.useFakeTimers()
  let isWhole = false
  const rows: Record<string, readonly object[]> = { agentchannel: [CHANNEL] }
  const read = {
    onTouched: () => () => undefined,
    onApplied: () => () => undefined,
    reached: async (position: string) => position === '7' && isWhole,
    list: async (_scope: unknown, entity: string) => ({ items: rows[entity] ?? [], total: rows[entity]?.length ?? 0 }),
    detail: async () => undefined,
    holdersAt: () => [],
    levels: async () => [],
  } as unknown as ReadModels
  const execute = vi.fn(async () => ({ ok: true }) as never)
  const failed = vi.fn()
  const stop = followDeskReadiness({ store: { head: async () => '7' }, read, commands: { execute }, failed })
  try {
    await vi.advanceTimersByTimeAsync(1_000)
    expect(execute).not.toHaveBeenCalled()
    // Its only queue was removed while the gateway was away.
    isWhole = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(failed.mock.calls).toEqual([])
    expect(execute).toHaveBeenCalledOnce()
    expect(execute.mock.calls[0]).toMatchObject([{ entity: 'agentchannel', id: 'c', input: { configured: false } }])
  } finally {
    stop()
    vi.useRealTimers()
  }
})
