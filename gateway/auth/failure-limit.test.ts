import { describe, expect, it } from 'vitest'
import { createFailureLimit, sourceOf } from './failure-limit.ts'
import { createTickets } from './ticket.ts'

describe('the limit on failures', () => {
  it('lets an address fail so often within a minute, and says how long to wait', () => {
    let now = 0
    const limit = createFailureLimit(3, () => now)
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
})

describe('where failures come from', () => {
  it('is a whole network of IPv6, and one address of IPv4 however it is written', () => {
    const one = ['2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:fffe', '2001:0DB8:0000:0007::9', '2001:db8:0:7::%eth0']
    expect(new Set(one.map(sourceOf))).toEqual(new Set(['2001:db8:0:7']))
    expect(sourceOf('2001:db8:0:8::1')).not.toBe(sourceOf('2001:db8:0:7::1'))
    expect(sourceOf('::1')).toBe('0:0:0:0')
    expect(['::ffff:192.0.2.7', '192.0.2.7'].map(sourceOf)).toEqual(['192.0.2.7', '192.0.2.7'])
    expect(sourceOf('192.0.2.8')).toBe('192.0.2.8')
  })
})

describe('a ticket', () => {
  it('opens its session once, within half a minute', () => {
    let now = 0
    const tickets = createTickets(() => now)
    const [used, late] = [tickets.issue('one'), tickets.issue('two')]
    expect(tickets.redeem(used)).toBe('one')
    expect(tickets.redeem(used)).toBeUndefined()
    now = 30_000
    expect(tickets.redeem(late)).toBeUndefined()
    expect(tickets.redeem('made-up')).toBeUndefined()
  })
})
