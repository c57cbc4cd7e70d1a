import { afterEach, expect, test, vi } from 'vitest'
import { preloadWhenIdle } from './preload-designer.ts'

vi.mock('#web/api/session.ts', () => ({ useSession: () => ({ can: () => true }) }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('fetches ahead on an idle page, after 2000 ms at most [C-9.01]', async () => {
  vi.useFakeTimers()
  const asked: number[] = []
  vi.stubGlobal('requestIdleCallback', (_run: () => void, { timeout }: { timeout: number }) => asked.push(timeout))
  vi.stubGlobal('cancelIdleCallback', () => {})
  const cancel = preloadWhenIdle()
  await vi.advanceTimersByTimeAsync(1000)
  await vi.waitFor(() => expect(asked).toEqual([2000]))
  cancel()
})
