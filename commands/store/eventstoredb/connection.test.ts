import type { KurrentDBClient } from '@kurrent/kurrentdb-client'
import { expect, test, vi } from 'vitest'
import { ReplaceableClient } from './connection.ts'

/** Clients that are numbers, and a clock. */
const openReplaceable = () => {
  const clock = { now: 0 }
  const disposed: number[] = []
  let made = 0
  const connect = () => {
    made += 1
    const number = made
    const client = { readAll: () => number, dispose: async () => void disposed.push(number) }
    return client as unknown as KurrentDBClient
  }
  const replaced = vi.fn()
  const replaceable = new ReplaceableClient(connect, () => clock.now, replaced)
  return { clock, disposed, replaceable, replaced, used: () => replaceable.client.readAll() as unknown }
}

test('replaces a client that got no answer for 5 s, and sends calls to the new one [P-1501] [P-1562]', () => {
  const { clock, disposed, replaceable, replaced, used } = openReplaceable()
  clock.now = 4000
  replaceable.failed('reads')
  expect(used()).toBe(1)
  replaceable.answered('reads')
  clock.now = 8999
  replaceable.failed('reads')
  expect(used()).toBe(1)
  expect(replaced).not.toHaveBeenCalled()
  clock.now = 9000
  replaceable.failed('reads')
  expect(used()).toBe(2)
  expect(disposed).toEqual([1])
  expect(replaced).toHaveBeenCalledOnce()
  // The new one gets its time.
  clock.now = 13_000
  replaceable.failed('reads')
  expect(used()).toBe(2)
})

test('replaces a client whose appends get no answer while its reads are answered [P-1526]', () => {
  const { clock, replaceable, used } = openReplaceable()
  clock.now = 5000
  replaceable.answered('reads')
  replaceable.failed('calls')
  expect(used()).toBe(2)
  clock.now = 9999
  replaceable.failed('calls')
  expect(used()).toBe(2)
})
