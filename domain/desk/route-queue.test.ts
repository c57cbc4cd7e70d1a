import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PACE_MS } from './place.ts'
import { inQueueOrder, type RoutedMember, routeQueue, type WaitingChat } from './route-queue.ts'

const NOW = 1_000_000
const member = (user: string, more: Partial<RoutedMember> = {}): RoutedMember => ({
  user,
  priority: 1,
  isThere: true,
  load: 0,
  capacity: 4,
  lastAuto: 0,
  lastAssigned: 0,
  ...more,
})
const chat = (id: string, more: Partial<WaitingChat> = {}): WaitingChat => ({
  id,
  since: 0,
  queued: 0,
  priority: 0,
  ...more,
})
const route = (chats: readonly WaitingChat[], members: readonly RoutedMember[], more: object = {}) =>
  routeQueue({ mode: 'leastbusy', chats, members, stickyWait: 30_000, now: NOW, ...more })

describe('the router of a queue', () => {
  test('gives the most urgent and then the longest wait first [P-2316]', () => {
    const order = inQueueOrder([chat('a', { since: 2 }), chat('b', { since: 1 }), chat('c', { since: 3, priority: 2 })])
    expect(order.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })

  test('chooses the smallest load, then the longest since the last assignment, then the id [P-2317]', () => {
    const members = [member('c', { load: 1 }), member('b', { lastAssigned: 5 }), member('a', { lastAssigned: 9 })]
    expect(route([chat('1')], members).assigned).toEqual([{ chat: '1', user: 'b' }])
    const turn = [member('b', { load: 3, lastAssigned: 5 }), member('a', { lastAssigned: 9 })]
    expect(route([chat('1')], turn, { mode: 'roundrobin' }).assigned).toEqual([{ chat: '1', user: 'b' }])
    expect(route([chat('1')], [member('z'), member('y')]).assigned).toEqual([{ chat: '1', user: 'y' }])
    expect(route([chat('1')], turn, { mode: 'manual' }).assigned).toEqual([])
  })

  test('takes members of the best priority while they have a place [P-2317]', () => {
    const members = [member('a', { priority: 2 }), member('b', { load: 3 })]
    const chats = [chat('1', { since: 1 }), chat('2', { since: 2 })]
    expect(route(chats, members).assigned).toEqual([
      { chat: '1', user: 'b' },
      { chat: '2', user: 'a' },
    ])
  })

  test('waits for a preferred agent who is full, and no longer than the queue says [P-2318]', () => {
    const members = [member('a', { load: 4 }), member('b')]
    const waiting = chat('1', { preferred: 'a', queued: NOW - 10_000 })
    expect(route([waiting], members)).toEqual({ assigned: [], again: NOW + 20_000 })
    expect(route([{ ...waiting, queued: NOW - 30_000 }], members).assigned).toEqual([{ chat: '1', user: 'b' }])
    expect(route([waiting], [member('a'), member('b')]).assigned).toEqual([{ chat: '1', user: 'a' }])
    expect(route([waiting], [member('a', { isThere: false }), member('b')]).assigned).toEqual([
      { chat: '1', user: 'b' },
    ])
    expect(route([{ ...waiting, hiddenFrom: new Set(['a']) }], [member('a'), member('b')]).assigned).toEqual([
      { chat: '1', user: 'b' },
    ])
  })

  const anyMember = fc.record({
    user: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    priority: fc.integer({ min: 1, max: 3 }),
    isThere: fc.boolean(),
    load: fc.integer({ min: 0, max: 5 }),
    capacity: fc.integer({ min: 1, max: 5 }),
    lastAuto: fc.integer({ min: NOW - 10_000, max: NOW }),
    lastAssigned: fc.integer({ min: 0, max: NOW }),
  })
  const anyChat = fc.record({
    id: fc.uuid(),
    since: fc.integer({ min: 0, max: 20 }),
    queued: fc.integer({ min: NOW - 60_000, max: NOW }),
    priority: fc.integer({ min: 0, max: 3 }),
    preferred: fc.option(fc.constantFrom('a', 'b', 'z'), { nil: undefined }),
    hiddenFrom: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')).map(users => new Set(users)),
  })
  const anyQueue = fc.record({
    mode: fc.constantFrom('leastbusy' as const, 'roundrobin' as const, 'manual' as const),
    members: fc.uniqueArray(anyMember, { selector: ({ user }) => user }),
    chats: fc.uniqueArray(anyChat as fc.Arbitrary<WaitingChat>, { selector: ({ id }) => id, maxLength: 12 }),
  })

  test('never overfills an agent, paces them, and leaves nobody waiting beside a free one [P-2319]', () => {
    fc.assert(
      fc.property(anyQueue, ({ mode, members, chats }) => {
        const { assigned, again } = routeQueue({ mode, members, chats, stickyWait: 30_000, now: NOW })
        const of = new Map<string, RoutedMember>(members.map(one => [one.user, one]))
        const given = new Map<string, number>()
        for (const { chat: id, user } of assigned) {
          const one = of.get(user)
          given.set(user, (given.get(user) ?? 0) + 1)
          expect(one?.isThere).toBe(true)
          expect(NOW - (one?.lastAuto ?? 0)).toBeGreaterThanOrEqual(PACE_MS)
          expect(chats.find(each => each.id === id)?.hiddenFrom?.has(user)).toBe(false)
        }
        expect([...given.values()].every(count => count === 1)).toBe(true)
        for (const [user] of given)
          expect((of.get(user)?.load ?? 0) + 1).toBeLessThanOrEqual(of.get(user)?.capacity ?? 0)
        expect(new Set(assigned.map(({ chat: id }) => id)).size).toBe(assigned.length)
        if (mode === 'manual') return
        const left = chats.filter(({ id }) => !assigned.some(one => one.chat === id))
        for (const waiting of left) {
          const free = members.filter(
            ({ user, isThere, load, capacity, lastAuto }) =>
              isThere &&
              load < capacity &&
              !given.has(user) &&
              NOW - lastAuto >= PACE_MS &&
              !waiting.hiddenFrom?.has(user),
          )
          const isHeldForSomebody = waiting.preferred !== undefined && NOW < waiting.queued + 30_000
          if (free.length > 0) expect(isHeldForSomebody).toBe(true)
          if (isHeldForSomebody && free.length > 0) expect(again).toBeGreaterThan(NOW)
        }
      }),
    )
  })

  test('returns the same assignments for any order of chats and members [P-2319]', () => {
    fc.assert(
      fc.property(anyQueue, queue => {
        const given = { ...queue, stickyWait: 30_000, now: NOW }
        const turned = { ...given, members: queue.members.toReversed(), chats: queue.chats.toReversed() }
        expect(routeQueue(turned)).toEqual(routeQueue(given))
      }),
    )
  })
})
