import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keyEvent } from '../keys/shared-ring.ts'
import { openEmbeddedStore } from './embedded/open-embedded-store.ts'
import { follow, followersOf, lateFollower } from './follow.ts'
import { type EventStore, START, StoreUnavailable, type Subscriber } from './port.ts'

let folder: string
let store: EventStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-follow-'))
  store = await openEmbeddedStore({ folder })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (...types: string[]) => Promise.all(types.map(type => store.append(`s-${type}`, 0, [keyEvent(type, {})])))
const away = new StoreUnavailable('away')

describe('a follower of the log', () => {
  test('hands on what was there, says that it caught up, then what comes [P-1492]', async () => {
    await write('a', 'b')
    const seen: string[] = []
    const follower = follow(store, {
      name: 'x',
      from: START,
      event: ({ type }) => void seen.push(type),
      failed: () => undefined,
    })
    await follower.caughtUp
    expect(seen.toSorted()).toEqual(['a', 'b'])
    await write('c')
    await vi.waitFor(() => expect(seen.at(-1)).toBe('c'))
    await follower.stop()
    await write('d')
    expect(seen).toHaveLength(3)
  })

  test('tries an event again whose handler fails, in order, and reports a row of failures once [P-1493]', async () => {
    await write('a')
    await write('b')
    const seen: string[] = []
    const failures: unknown[] = []
    let left = 3
    const follower = follow(store, {
      name: 'x',
      from: START,
      event: async ({ type }) => {
        if (type === 'a' && left-- > 0) throw away
        seen.push(type)
      },
      recovered: () => seen.push('recovered'),
      failed: error => failures.push(error),
    })
    await vi.waitFor(() => expect(follower.isFailing).toBe(true))
    expect(lateFollower(store)).toBeUndefined()
    expect(lateFollower(store, Date.now() + 11_000)?.name).toBe('x')
    expect(follower.isFailing).toBe(true)
    await follower.caughtUp
    expect(seen).toEqual(['a', 'recovered', 'b'])
    expect(failures).toEqual([away])
    expect(follower.isFailing).toBe(false)
    expect(lateFollower(store, Date.now() + 11_000)).toBeUndefined()
    await follower.stop()
  })

  test('has an age and a lag while its handler keeps an event, and none while it waits for one [P-1507]', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const follower = follow(store, { name: 'slow', from: START, event: () => promise, failed: () => undefined })
    await follower.caughtUp
    expect([follower.age(), follower.lag()]).toEqual([0, 0])
    await write('a')
    const later = () => Date.now() + 11_000
    await vi.waitFor(() => expect(follower.age(later())).toBeGreaterThan(10_000))
    expect(follower.lag(later())).toBeGreaterThan(10_000)
    expect(follower.isFailing).toBe(false)
    expect(lateFollower(store, later())).toBe(follower)
    resolve()
    await vi.waitFor(() => expect(follower.age(later())).toBe(0))
    expect([follower.lag(later()), lateFollower(store, later()), followersOf(store)]).toEqual([
      0,
      undefined,
      [follower],
    ])
    await follower.stop()
    expect(followersOf(store)).toEqual([])
  })

  test('begins in the end although its first reads fail [P-1494]', async () => {
    await write('a')
    let left = 2
    const head = async () => {
      if (left-- > 0) throw away
      return store.head()
    }
    const seen: string[] = []
    const follower = follow(store, {
      name: 'x',
      from: head,
      event: ({ type }) => void seen.push(type),
      failed: () => undefined,
    })
    await follower.caughtUp
    await write('b')
    await vi.waitFor(() => expect(seen).toEqual(['b']))
    await follower.stop()
  })

  test('subscribes again from its place when its subscription ends [P-1495]', async () => {
    await write('a')
    const subscribers: Subscriber[] = []
    const asked: string[] = []
    const ending = new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'subscribe') return value.bind(target)
        return (...[after, subscriber, filter]: Parameters<EventStore['subscribe']>) => {
          subscribers.push(subscriber)
          asked.push(after)
          return target.subscribe(after, subscriber, filter)
        }
      },
    })
    const seen: string[] = []
    const follower = follow(ending, {
      name: 'x',
      from: START,
      event: ({ type }) => void seen.push(type),
      failed: () => undefined,
    })
    await follower.caughtUp
    subscribers[0]?.ended?.(away)
    const head = await store.head()
    await vi.waitFor(() => expect(asked).toEqual([START, head]))
    await write('b')
    await vi.waitFor(() => expect(seen.filter(type => type === 'b').length).toBeGreaterThan(0))
    // The first subscription, which did not really end, may hand on the event before the second has caught up.
    await vi.waitFor(() => expect(follower.isFailing).toBe(false))
    await follower.stop()
  })

  test('stops while its handler fails [P-1493]', async () => {
    await write('a')
    const follower = follow(store, {
      name: 'x',
      from: START,
      event: () => {
        throw away
      },
      failed: () => undefined,
    })
    await vi.waitFor(() => expect(follower.isFailing).toBe(true))
    await follower.stop()
    expect(lateFollower(store, Date.now() + 11_000)).toBeUndefined()
  })
})
