import { expect, test } from 'vitest'
import { createKeyedTimeout } from './flow-reader.ts'

test('answers nothing when a task is overdue, and does not start its like before it ends', async () => {
  const waitFor = createKeyedTimeout()
  const { promise, resolve } = Promise.withResolvers<number>()
  let started = 0
  const run = () => {
    started += 1
    return promise
  }
  expect(await waitFor('a', 1, run)).toBeUndefined()
  expect(await waitFor('a', 60_000, run)).toBeUndefined()
  expect(started).toBe(1)
  expect(await waitFor('b', 60_000, async () => 7)).toBe(7)

  resolve(5)
  await promise
  await new Promise(done => setImmediate(done))
  expect(await waitFor('a', 60_000, run)).toBe(5)
  expect(started).toBe(2)
})

test('answers nothing when no time is left, and fails when a task fails in its time', async () => {
  const waitFor = createKeyedTimeout()
  expect(await waitFor('a', 0, async () => 1)).toBeUndefined()
  await expect(waitFor('a', 60_000, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
})
