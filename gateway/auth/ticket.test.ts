import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { CHALLENGE_MS } from '#commands/people/passkey.ts'
import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import { PasskeyChallenges } from './passkey-route.ts'
import { createTickets } from './session-cookie.ts'

describe('a ticket', () => {
  it('opens its session once, within half a minute', () => {
    let now = 0
    const tickets = createTickets(30_000, () => now)
    const [used, late] = [tickets.issue('one'), tickets.issue('two')]
    expect(tickets.redeem(used)).toBe('one')
    expect(tickets.redeem(used)).toBeUndefined()
    now = 30_000
    expect(tickets.redeem(late)).toBeUndefined()
    expect(tickets.redeem('made-up')).toBeUndefined()
  })

  it('is a challenge for a passkey for five minutes, once [P-2684]', async () => {
    let now = 0
    const challenges = new PasskeyChallenges(
      createTickets(CHALLENGE_MS, () => now),
      () => 'https://console.example',
    )
    const shown = async (challenge: string) => {
      const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url')
      const answer = { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON } } as PasskeyAssertion
      return (await challenges.shown({} as FastifyRequest, answer)).challenge
    }
    const [used, late] = [await challenges.issue('get '), await challenges.issue('get ')]
    expect(Buffer.from(used, 'base64url')).toHaveLength(32)
    now = 5 * 60_000 - 1
    expect(await shown(used)).toBe(used)
    expect(await shown(used)).toBeUndefined()
    now = 5 * 60_000
    expect(await shown(late)).toBeUndefined()
  })
})
