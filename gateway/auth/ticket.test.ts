import type { FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { CHALLENGE_MS } from '#commands/people/passkey.ts'
import type { TokenUse } from '#projections/port.ts'
import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import { createSealedCookies } from './oidc-route.ts'
import { PasskeyChallenges } from './passkey-route.ts'
import { createTickets } from './session-cookie.ts'
import { TokenUses } from './token-use.ts'

afterEach(() => vi.useRealTimers())

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

describe('a sealed cookie', () => {
  it('opens until its end, for its purpose alone [P-2534]', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    const sealed = createSealedCookies({ keys: plainKeys() as never })
    const cookie = await sealed.seal('begin one', { to: '/' }, 600_000)
    expect(await sealed.open('begin two', cookie)).toBeUndefined()
    const foreign = Buffer.from('{"$secret":"9"}').toString('base64url')
    for (const wrong of [foreign, cookie.slice(2), '', undefined])
      expect(await sealed.open('begin one', wrong)).toBeUndefined()
    vi.setSystemTime(599_999)
    expect(await sealed.open('begin one', cookie)).toMatchObject({ to: '/' })
    vi.setSystemTime(600_000)
    expect(await sealed.open('begin one', cookie)).toBeUndefined()
  })
})

describe('the last use of a token', () => {
  it('is shown at most every five minutes, and sent to the other nodes [P-2439]', () => {
    let now = 0
    const shown: TokenUse[] = []
    const sent: unknown[] = []
    const uses = new TokenUses({
      read: { tokenUsed: use => void shown.push(use) },
      hints: { connected: true, listen: () => () => undefined, send: (_topic, hint) => void sent.push(hint) },
      now: () => now,
    })
    uses.used('one', '192.0.2.1')
    now = 5 * 60_000 - 1
    uses.used('one', '192.0.2.2')
    uses.used('two', '192.0.2.3')
    now += 1
    uses.used('one', '192.0.2.4')
    expect(shown.map(({ token, from }) => [token, from])).toEqual([
      ['one', '192.0.2.1'],
      ['two', '192.0.2.3'],
      ['one', '192.0.2.4'],
    ])
    expect(sent).toEqual(shown.map(use => ({ kind: 'tokenused', use })))
    uses.close()
  })
})
