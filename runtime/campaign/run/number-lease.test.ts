import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, StoreUnavailable } from '#commands/store/port.ts'
import { NumberLease, RENEW_MS, TokenBucket } from './send-rate.ts'

let folder: string
let store: EventStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lease-'))
  store = await openEmbeddedStore({ folder })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const HOUR_MS = 3_600_000

test('no node takes over a number while another one renews its lease [P-1496]', async () => {
  const [one, other] = [new NumberLease(store, '551', 'one'), new NumberLease(store, '551', 'other')]
  const began = Date.parse('2026-05-05T13:00:00Z')
  let taken = 0
  for (let now = began; now < began + HOUR_MS; now += RENEW_MS) {
    expect(await one.hold(now)).toBe(true)
    if (await other.hold(now + RENEW_MS / 2)) taken += 1
  }
  expect(taken).toBe(0)
})

test('a number whose lease is not renewed goes to another node, and the first one learns of it [P-1496]', async () => {
  const [one, other] = [new NumberLease(store, '551', 'one'), new NumberLease(store, '551', 'other')]
  const began = Date.parse('2026-05-05T13:00:00Z')
  expect([await one.hold(began), one.isTakenOver]).toEqual([true, false])
  expect([await other.hold(began + 29_000), other.isTakenOver]).toEqual([false, false])
  expect([await other.hold(began + 31_000), other.isTakenOver]).toEqual([true, true])
  expect([await other.hold(began + 41_000), other.isTakenOver]).toEqual([true, false])
  expect(await one.hold(began + 32_000)).toBe(false)
})

test('a renewal that was written although the store did not answer is not taken for that of another node [P-1496]', async () => {
  let isLate = false
  let late: (() => Promise<unknown>) | undefined
  const slow = new Proxy(store, {
    get(target, name) {
      if (name !== 'append') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return async (...args: Parameters<EventStore['append']>) => {
        if (isLate) {
          late = () => target.append(...args)
          throw new StoreUnavailable('no answer')
        }
        await late?.()
        late = undefined
        return target.append(...args)
      }
    },
  })
  const one = new NumberLease(slow, '551', 'one')
  const began = Date.parse('2026-05-05T13:00:00Z')
  expect(await one.hold(began)).toBe(true)
  isLate = true
  await expect(one.hold(began + RENEW_MS)).rejects.toThrow(StoreUnavailable)
  isLate = false
  expect(await one.hold(began + RENEW_MS + 1)).toBe(true)
})

test('a node that takes over a number begins with the rate of the node before, not with the initial one [P-1542]', async () => {
  const began = Date.parse('2026-05-05T13:00:00Z')
  const nodeOf = (name: string) => {
    let bucket = new TokenBucket(began)
    const lease = new NumberLease(store, '551', name, {
      rate: () => bucket.rate,
      resume: rate => {
        bucket = new TokenBucket(began, rate)
      },
    })
    return { lease, bucket: () => bucket }
  }
  const [one, other] = [nodeOf('one'), nodeOf('other')]
  expect(await one.lease.hold(began)).toBe(true)
  for (let second = 1; second <= 40; second++) one.bucket().take(1_000, 60, began + second * 1_000)
  expect(one.bucket().rate).toBe(50)
  expect(await one.lease.hold(began + RENEW_MS)).toBe(true)
  expect(await other.lease.hold(began + 31_000 + RENEW_MS)).toBe(true)
  expect(other.bucket().rate).toBe(50)
  // Refusals at the other node count for the first one, which has its own earlier rate.
  for (let n = 0; n < 5; n++) {
    other.bucket().slow()
    other.bucket().take(1, 60, began)
  }
  expect(await other.lease.hold(began + 31_000 + 2 * RENEW_MS)).toBe(true)
  expect(await one.lease.hold(began + 70_000 + 2 * RENEW_MS)).toBe(true)
  expect(one.bucket().rate).toBe(1.6)
})
