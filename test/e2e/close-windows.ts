import { afterAll, expect } from 'vitest'
import { broken, closeWindows } from './chromium.ts'

/** Each file has its own windows in the browser that all files of a process share. */
afterAll(async () => {
  await closeWindows()
  expect(broken.splice(0), 'errors in the pages').toEqual([])
})
