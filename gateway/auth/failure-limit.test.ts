import { describe, expect, it } from 'vitest'
import { createFailureLimit } from './failure-limit.ts'
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
