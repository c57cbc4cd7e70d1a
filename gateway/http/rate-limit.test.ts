import { afterEach, describe, expect, test, vi } from 'vitest'
import { Hints, MemoryBus } from '#realtime/cluster/hints.ts'
import { settingsSchema } from '#schemas/settings.ts'
import { PublicRouteLimits, RateLimits } from './rate-limit.ts'

const closing: RateLimits[] = []
afterEach(() => {
  for (const limits of closing.splice(0)) limits.close()
})

const join = (bus: MemoryBus, now = () => 0) => {
  const end = bus.join()
  const hints = new Hints({ bus: end, store: 's', key: 'k' })
  const limits = new RateLimits({ hints, now })
  closing.push(limits)
  return { end, hints, limits }
}
const settled = () => new Promise(resolve => setTimeout(resolve, 5))
const batched = () => new Promise(resolve => setTimeout(resolve, 200))

describe('a rate limit', () => {
  test('allows so many within the window, and returns the seconds to wait', () => {
    let now = 0
    const limit = new RateLimits({ now: () => now }).add('failures', 3)
    for (const time of [0, 10_000, 20_000]) {
      now = time
      expect(limit.wait('a')).toBeUndefined()
      limit.count('a')
    }
    expect(limit.wait('a')).toBe(40)
    expect(limit.wait('b')).toBeUndefined()
    now = 60_000
    expect(limit.wait('a')).toBeUndefined()
  })

  test('counts no refused call', () => {
    let now = 0
    const limit = new RateLimits({ now: () => now }).add('calls', 2, 10_000)
    expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([
      undefined,
      undefined,
      10,
      undefined,
    ])
    now = 10_000
    expect(limit.take('a')).toBeUndefined()
  })
})

describe('the rate limits of several nodes', () => {
  test('count together, each limit for itself [P-1541]', async () => {
    const bus = new MemoryBus()
    const nodes = [join(bus), join(bus), join(bus)]
    const failures = nodes.map(({ limits }) => limits.add('failures', 6))
    const others = nodes.map(({ limits }) => limits.add('other', 6))
    for (const limit of failures) for (let n = 0; n < 2; n++) limit.count('a')
    await batched()
    expect(failures.map(limit => limit.wait('a'))).toEqual([60, 60, 60])
    expect(failures.map(limit => limit.wait('b'))).toEqual([undefined, undefined, undefined])
    expect(others.map(limit => limit.wait('a'))).toEqual([undefined, undefined, undefined])
  })

  test('of a node count its own calls alone [P-1541]', async () => {
    const bus = new MemoryBus()
    const settings = settingsSchema.parse({ LIMIT_MESSAGES_NODE: '2', LIMIT_MESSAGES_BOT: '3' })
    const [one, two] = [join(bus), join(bus)].map(({ limits }) => new PublicRouteLimits(settings, { rates: limits }))
    const take = (limits: PublicRouteLimits | undefined, address: string) =>
      limits?.take('message', { address, bot: 'b' })
    expect([take(one, 'a'), take(one, 'b'), take(one, 'c')]).toEqual([undefined, undefined, 60])
    await batched()
    expect([take(two, 'd'), take(two, 'e')]).toEqual([undefined, 60])
  })

  test('are sent as one message of hashed keys for the calls of 150 ms [P-1541]', async () => {
    const bus = new MemoryBus()
    const [one] = [join(bus), join(bus)]
    const send = vi.spyOn(one.hints, 'send')
    const limit = one.limits.add('failures', 100)
    for (let n = 0; n < 50; n++) limit.count(`192.0.2.${n % 2}`)
    await batched()
    expect(send).toHaveBeenCalledOnce()
    expect(send.mock.calls[0]?.[1]).toEqual({
      kind: 'counts',
      counts: [
        { limit: 'failures', key: expect.stringMatching(/^[\w-]{22}$/), calls: 25 },
        { limit: 'failures', key: expect.stringMatching(/^[\w-]{22}$/), calls: 25 },
      ],
    })
  })

  test('count alone while the bus is away, and keep nothing for later [P-1541]', async () => {
    const bus = new MemoryBus()
    const [one, two] = [join(bus), join(bus)]
    const limits = [one.limits.add('failures', 2), two.limits.add('failures', 2)]
    let isConnected = false
    Object.defineProperty(one.end, 'connected', { get: () => isConnected })
    for (let n = 0; n < 2; n++) limits[0]?.count('a')
    expect(limits.map(limit => limit.wait('a'))).toEqual([60, undefined])
    isConnected = true
    await batched()
    expect(limits.map(limit => limit.wait('a'))).toEqual([60, undefined])
  })

  test('keep a bounded number of keys, and no message of another node evicts their own [P-1541]', async () => {
    const bus = new MemoryBus()
    const [one, two] = [join(bus), join(bus)]
    const limit = one.limits.add('failures', 2)
    for (let n = 0; n < 2; n++) limit.count('a')
    for (let batch = 0; batch < 110; batch++) {
      const counts = Array.from({ length: 1_000 }, (_, n) => ({
        limit: 'failures',
        key: `k${batch} ${n}`,
        calls: 1_000_000,
      }))
      two.hints.send('counts', { kind: 'counts', counts })
      two.hints.send('counts', { kind: 'counts', counts: [{ limit: `made up ${batch}`, key: 'k', calls: 1 }] })
    }
    await settled()
    expect(limit.size).toBe(100_001)
    expect(limit.wait('a')).toBe(60)
  })
})
