import type { Page } from 'playwright-core'

/** JavaScript heap of a page after its garbage was collected, MB. */
export const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  // Memory released by a finalizer needs a second collection.
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}
