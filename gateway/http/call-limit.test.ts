import { expect, test } from 'vitest'
import type { Access } from '#projections/port.ts'
import { createCallLimit, TokenBuckets } from './call-limit.ts'

test('a bucket holds a sixth of a minute, and fills evenly [P-2449]', () => {
  let now = 0
  const buckets = new TokenBuckets(() => now)
  const take = () => buckets.take([{ key: 'a', perMinute: 600 }])
  expect(Array.from({ length: 100 }, take).every(wait => wait === undefined)).toBe(true)
  expect(take()).toBe(1)
  now += 100
  expect([take(), take()]).toEqual([undefined, 1])
  now += 3_600_000
  expect(Array.from({ length: 100 }, take).every(wait => wait === undefined)).toBe(true)
  expect(take()).toBe(1)
})

test('a request that one bucket refuses takes nothing from the other [P-2449]', () => {
  const buckets = new TokenBuckets(() => 0)
  const all = { key: 'all', perMinute: 12 }
  const writes = { key: 'writes', perMinute: 6 }
  expect([buckets.take([all, writes]), buckets.take([all, writes])]).toEqual([undefined, 10])
  expect([buckets.take([all]), buckets.take([all])]).toEqual([undefined, 5])
})

const SETTINGS = {
  LIMIT_CALLS_SESSION: 3_000,
  LIMIT_WRITES_SESSION: 600,
  LIMIT_CALLS_TOKEN: 600,
  LIMIT_WRITES_TOKEN: 120,
  LIMIT_CALLS_SCIM: 3_000,
}
const accessOf = (session: string, rate?: number | null): Access =>
  ({ session, ...(rate === undefined ? {} : { token: { id: session, rate } }) }) as unknown as Access

test('limits sessions and tokens differently, and a token by its rate [P-2449]', () => {
  const waitOf = createCallLimit(SETTINGS)
  const countWhile = (take: () => number | undefined) => {
    let count = 0
    while (count < 2_000 && take() === undefined) count += 1
    return count
  }
  const most = (access: Access, writes: boolean) => countWhile(() => waitOf.api(access, writes))
  // A bucket refills while it is emptied.
  const about = (count: number, expected: number) => {
    expect(count).toBeGreaterThanOrEqual(expected)
    expect(count).toBeLessThan(expected * 1.5)
  }
  about(most(accessOf('s'), false), 500)
  about(most(accessOf('w'), true), 100)
  about(most(accessOf('t', null), false), 100)
  about(most(accessOf('u', null), true), 20)
  about(most(accessOf('v', 60), false), 10)
  about(most(accessOf('x', 100_000), false), 100)
  about(
    countWhile(() => waitOf.scim(accessOf('t', null))),
    500,
  )
  about(
    countWhile(() => waitOf.scim(accessOf('y', 60))),
    10,
  )
})
