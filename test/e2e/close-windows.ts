import { afterAll, afterEach, expect } from 'vitest'
import { broken, closeWindows, shownWindows } from './chromium.ts'

/** Prints the open pages when a test fails: rare failures are found by them. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const shown of await shownWindows()) console.error(`\n${task.name}: ${shown}`)
})

/** Each file has its own windows in the browser that all files of a process share. */
afterAll(async () => {
  await closeWindows()
  expect(broken.splice(0), 'errors in the pages').toEqual([])
})
