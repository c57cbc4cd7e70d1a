import { describe, expect, it } from 'vitest'
import { createTickets } from './session-cookie.ts'

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
