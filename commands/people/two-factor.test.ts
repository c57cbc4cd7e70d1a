import { generateSync } from 'otplib'
import { afterAll, describe, expect, it } from 'vitest'
import type { Result } from '#schemas/refusal.ts'
import { openPeopleBench } from './fixture/people-bench.ts'
import { newToken, sessionId } from './session.ts'

const bench = await openPeopleBench()
afterAll(() => bench.close())

const PASSWORD = 'Senha-forte-1'
const PERIOD = 30_000
const codeOf = (result: Result<unknown>) => (result.ok ? null : result.refusal.code)
const secretOf = (result: Result<{ secret: string }>) => (result.ok ? result.value.secret : '')
const code = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(bench.now().getTime() / 1000) + steps * 30 })

let count = 0
const makeUser = async (enabletwofactor: boolean) => {
  count += 1
  const username = `person${count}`
  const { id } = await bench.must('user', 'create', '', { username, password: PASSWORD, enabletwofactor })
  return { id, claim: { username, password: PASSWORD } }
}

const registered = async () => {
  const made = await makeUser(true)
  const secret = secretOf(await bench.people.registerTwoFactor(made.claim))
  await bench.people.signIn({ ...made.claim, token: code(secret) })
  bench.later(PERIOD)
  return { ...made, secret }
}

describe('a second factor', () => {
  it('is registered without a session by who it is demanded of, and confirmed by its first code [C-4.16]', async () => {
    const { id, claim } = await makeUser(true)
    expect(await bench.people.signIn(claim)).toEqual({
      ok: true,
      value: { token: undefined, twofactorenabled: false, enabletwofactor: true },
    })
    const secret = secretOf(await bench.people.registerTwoFactor(claim))
    expect(codeOf(await bench.people.signIn({ ...claim, token: '000000' }))).toBe('auth.twofactor')
    expect(await bench.people.signIn({ ...claim, token: code(secret) })).toMatchObject({
      value: { token: expect.any(String), twofactorenabled: true },
    })
    expect(await bench.fields('user', id)).toMatchObject({ twofactorenabled: true, twofactorpending: null })
    expect(JSON.stringify(await bench.events(`user-${id}`))).not.toContain(secret)
  })

  it('asks for a code from then on, one step early or late', async () => {
    const { claim, secret } = await registered()
    expect(await bench.people.signIn(claim)).toMatchObject({ value: { token: undefined, twofactorenabled: true } })
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(secret, -2) }))).toBe('auth.twofactor')
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(secret, 2) }))).toBe('auth.twofactor')
    expect(
      codeOf(
        await bench.people.signIn({ ...claim, token: ` ${code(secret, 1).slice(0, 3)} ${code(secret, 1).slice(3)}` }),
      ),
    ).toBeNull()
  })

  it('takes a code once, also when it is shown twice at the same moment', async () => {
    const { claim, secret } = await registered()
    const token = code(secret)
    const codes = await Promise.all([1, 2].map(async () => codeOf(await bench.people.signIn({ ...claim, token }))))
    expect(codes.toSorted()).toEqual(['auth.twofactor', null])
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(secret, -1) }))).toBe('auth.twofactor')
  })

  it('counts wrong codes like wrong passwords', async () => {
    const { claim } = await registered()
    for (let left = 5; left > 0; left -= 1) {
      expect(codeOf(await bench.people.signIn({ ...claim, token: '000000' }))).toBe('auth.twofactor')
    }
    expect(codeOf(await bench.people.signIn(claim))).toBe('auth.locked')
  })

  it('cannot be registered again with the password alone', async () => {
    const { claim } = await registered()
    expect(codeOf(await bench.people.registerTwoFactor(claim))).toBe('auth.twofactor')
  })

  it('is registered with a session, and the old one counts until the new one is confirmed', async () => {
    const { id, claim, secret } = await registered()
    const token = newToken()
    await bench.people.sessions.start({ id, level: bench.ids.level }, token)
    const who = { user: id, session: sessionId(token) }
    const next = secretOf(await bench.people.registerTwoFactor(who))
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(secret, 1) }))).toBeNull()
    expect(codeOf(await bench.people.verifyTwoFactor(who, code(secret)))).toBe('auth.twofactor')
    expect(codeOf(await bench.people.verifyTwoFactor(who, code(next)))).toBeNull()
    expect(codeOf(await bench.people.verifyTwoFactor(who, code(next)))).toBe('auth.twofactor')
    bench.later(PERIOD)
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(secret) }))).toBe('auth.twofactor')
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(next) }))).toBeNull()
  })

  it('is reset by an administrator and registered again at the next sign-in [C-4.11]', async () => {
    const { id, claim, secret: first } = await registered()
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(first, 1) }))).toBeNull()
    await bench.must('user', 'reset2fa', id)
    expect(await bench.people.signIn(claim)).toMatchObject({
      value: { token: undefined, twofactorenabled: false, enabletwofactor: true },
    })
    const secret = secretOf(await bench.people.registerTwoFactor(claim))
    expect(codeOf(await bench.people.signIn({ ...claim, token: code(secret) }))).toBeNull()
  })

  it('is required to change an expired password', async () => {
    const { claim, secret } = await registered()
    const change = { old: PASSWORD, new: 'Outra-senha-2', confirm: 'Outra-senha-2' }
    const without = await bench.people.changePassword({ username: claim.username, token: undefined }, change)
    expect(codeOf(without)).toBe('auth.twofactor')
    const token = code(secret)
    expect(codeOf(await bench.people.changePassword({ username: claim.username, token }, change))).toBeNull()
    const again = { ...claim, password: 'Outra-senha-2', token }
    expect(codeOf(await bench.people.signIn(again))).toBe('auth.twofactor')
  })
})
