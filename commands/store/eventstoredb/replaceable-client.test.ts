import type { KurrentDBClient } from '@kurrent/kurrentdb-client'
import { expect, test } from 'vitest'
import { ReplaceableClient } from './replaceable-client.ts'

test('a client that got no answer for 5 s is replaced, and calls go to the new one [P-1501]', () => {
  let now = 0
  const disposed: number[] = []
  let made = 0
  const connect = () => {
    made += 1
    const number = made
    const client = { readAll: () => number, dispose: async () => void disposed.push(number) }
    return client as unknown as KurrentDBClient
  }
  const replaceable = new ReplaceableClient(connect, () => now)
  const used = () => replaceable.client.readAll() as unknown
  now = 4000
  replaceable.failed()
  expect(used()).toBe(1)
  replaceable.answered()
  now = 8999
  replaceable.failed()
  expect(used()).toBe(1)
  now = 9000
  replaceable.failed()
  expect(used()).toBe(2)
  expect(disposed).toEqual([1])
  // The new one gets its time.
  now = 13_000
  replaceable.failed()
  expect(used()).toBe(2)
})
