import { expect, test, vi } from 'vitest'
import type { Applied, ReadModels } from '#projections/port.ts'
import type { Rooms } from '#realtime/port.ts'
import { watchAccess } from '../http/guard.ts'

test('a question about rights that gets no answer is put again, so that nobody stays because it was lost', async () => {
  let applied: ((batch: Applied) => void) | undefined
  const read = {
    onApplied: (listener: (batch: Applied) => void) => {
      applied = listener
      return () => undefined
    },
  } as unknown as ReadModels
  const recheck = vi
    .fn()
    .mockRejectedValueOnce(new Error('too many questions are waiting'))
    .mockResolvedValue(undefined)
  const ended = vi.fn()
  watchAccess(read, { recheck, present: () => [] } as unknown as Rooms, ended)
  applied?.({ position: '1', touched: [{ entity: 'role', id: 'r' }], notices: [] })
  expect(ended).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(recheck).toHaveBeenCalledTimes(2))
  await new Promise(resolve => setTimeout(resolve, 400))
  expect(recheck).toHaveBeenCalledTimes(2)
})
