import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { RelyingParty } from '#domain/people/passkey.ts'
import type { Result } from '#schemas/refusal.ts'
import { type Forgery, SoftwareAuthenticator, withCertificate } from '#test/doubles/software-authenticator.ts'
import { openPeople } from './authentication.ts'
import { openPeopleBench } from './fixture/people-bench.ts'
import { sessionId } from './session.ts'

const bench = await openPeopleBench()
afterAll(() => bench.close())
afterEach(() => vi.restoreAllMocks())

const PASSWORD = 'Senha-forte-1'
const MINUTE = 60_000
const PARTY: RelyingParty = { id: 'console.example', origin: 'https://console.example' }
const SEEN = { address: '192.0.2.1', agent: null }

const codeOf = (result: Result<unknown>) => (result.ok ? null : result.refusal.code)
const granted = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}

let count = 0
let challenges = 0
const newChallenge = () => `challenge-${++challenges}`

const makePerson = async (more: object = {}) => {
  count += 1
  const username = `pessoa${count}`
  const { id } = await bench.must('user', 'create', '', { username, password: PASSWORD, ...more })
  const signedIn = granted(await bench.people.signIn({ username, password: PASSWORD }))
  const caller = { user: id, session: sessionId(signedIn.token ?? '') }
  return { id, username, caller }
}
type Made = Awaited<ReturnType<typeof makePerson>>

const addTo = async ({ caller }: Pick<Made, 'caller'>, forged: Forgery = {}, counts = true) => {
  const authenticator = new SoftwareAuthenticator(PARTY.origin, counts)
  const options = granted(await bench.people.passkeys.creationOptions(PARTY, newChallenge(), caller.user))
  const answer = authenticator.create(options, forged) as never
  const added = await bench.people.passkeys.add(caller, 'Telefone de Ana', {
    ...{ party: PARTY, challenge: options.challenge, answer },
  })
  return { authenticator, added }
}

const shownBy = (authenticator: SoftwareAuthenticator, forged: Forgery = {}) => {
  const challenge = newChallenge()
  const answer = authenticator.get({ challenge, rpId: PARTY.id }, forged) as never
  return { party: PARTY, challenge, answer, seen: SEEN }
}
const types = async (id: string) => (await bench.events(`user-${id}`)).map(({ type }) => type)

describe('adding a passkey', () => {
  it('asks for user verification, no attestation and a credential that needs no name [P-2683]', async () => {
    const { caller, username } = await makePerson()
    const { authenticator } = await addTo({ caller })
    const options = granted(await bench.people.passkeys.creationOptions(PARTY, 'c', caller.user))
    expect(options).toMatchObject({
      ...{ rp: { id: 'console.example' }, user: { name: username }, attestation: 'none' },
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.id, type: 'public-key', transports: ['internal'] }],
    })
    expect(Buffer.from(options.user.id, 'base64url').toString()).toBe(caller.user)
  })

  it.each<[string, Forgery]>([
    ['another origin', { origin: 'https://console.example.evil' }],
    ['another relying party', { rpId: 'example' }],
    ['another challenge', { challenge: 'other' }],
    ['no user verification', { userVerified: false }],
    ['the data of a sign-in', { type: 'webauthn.get' }],
    ['a certificate', { statement: { fmt: 'packed', attStmt: withCertificate() } }],
    ['an attestation of a TPM', { statement: { fmt: 'tpm', attStmt: withCertificate() } }],
  ])('is refused with %s [P-2684]', async (_, forged) => {
    const person = await makePerson()
    expect(codeOf((await addTo(person, forged)).added)).toBe('auth.passkey')
    expect((await bench.people.passkeys.list(person.id)).items).toEqual([])
  })

  it('keeps at most ten, and each once [P-2688]', async () => {
    const person = await makePerson()
    for (let n = 0; n < 10; n++) expect(codeOf((await addTo(person)).added)).toBeNull()
    expect(codeOf((await addTo(person)).added)).toBe('user.passkey.many')
    const other = await makePerson()
    const { authenticator } = await addTo(other)
    const options = granted(await bench.people.passkeys.creationOptions(PARTY, newChallenge(), other.id))
    const again = { party: PARTY, challenge: options.challenge, answer: authenticator.create(options) as never }
    expect(codeOf(await bench.people.passkeys.add(other.caller, 'Outra', again))).toBe('user.passkey.exists')
  })
})

describe('a proof of who the caller is', () => {
  it('counts for five minutes from the sign-in, and again from each confirmation [P-2686]', async () => {
    const person = await makePerson()
    const { caller } = person
    const { passkeys } = bench.people
    const { authenticator } = await addTo(person)
    bench.later(5 * MINUTE - 1)
    expect(await passkeys.isProven(caller)).toBe(true)
    bench.later(1)
    expect(await passkeys.isProven(caller)).toBe(false)
    expect(codeOf(await bench.people.registerTwoFactor(caller))).toBe('auth.confirm')
    expect(codeOf(await passkeys.confirm(caller, { password: 'errada' }))).toBe('user.password.original')
    expect(codeOf(await passkeys.confirm(caller, { token: '123456' }))).toBe('auth.twofactor')
    expect(await passkeys.isProven(caller)).toBe(false)
    for (const proof of [{ password: PASSWORD }, shownBy(authenticator)]) {
      expect(codeOf(await passkeys.confirm(caller, proof))).toBeNull()
      expect(await passkeys.isProven(caller)).toBe(true)
      expect(codeOf(await bench.people.registerTwoFactor(caller))).toBeNull()
      bench.later(5 * MINUTE)
      expect(await passkeys.isProven(caller)).toBe(false)
    }
  })

  it('is of the caller: the passkey of another person and a copied one are none [P-2686]', async () => {
    const [ana, bia] = [await makePerson(), await makePerson()]
    const { authenticator } = await addTo(bia)
    const { passkeys } = bench.people
    expect(codeOf(await passkeys.confirm(ana.caller, shownBy(authenticator)))).toBe('auth.passkey')
    expect(codeOf(await passkeys.confirm(bia.caller, shownBy(authenticator, { counter: 1 })))).toBe('auth.passkey')
    expect((await types(bia.id)).at(-1)).toBe('UserPasskeyRefused')
  })
})

describe('a passkey as the second factor that must be', () => {
  it('has no password in its place: not to sign in, register an authenticator or renew a password [P-2687]', async () => {
    const { caller, username, id } = await makePerson()
    const { authenticator } = await addTo({ caller })
    await bench.must('user', 'change', id, { enabletwofactor: true })
    const claim = { username, password: PASSWORD }
    expect(codeOf(await bench.people.signIn(claim))).toBe('auth.passkeyneeded')
    expect(codeOf(await bench.people.signIn({ ...claim, password: 'errada' }))).toBe('auth.invalid')
    expect(codeOf(await bench.people.registerTwoFactor(claim))).toBe('auth.passkeyneeded')
    const change = { old: PASSWORD, new: 'Senha-nova-2', confirm: 'Senha-nova-2' }
    expect(codeOf(await bench.people.changePassword({ username }, change))).toBe('auth.passkeyneeded')
    expect(codeOf(await bench.people.signInByPasskey(shownBy(authenticator)))).toBeNull()
  })

  it('stays while it is the last one [P-2687]', async () => {
    const person = await makePerson()
    const { passkeys } = bench.people
    await addTo(person)
    await bench.must('user', 'change', person.id, { enabletwofactor: true })
    const [first] = (await passkeys.list(person.id)).items
    expect(codeOf(await passkeys.remove(person.caller, first?.id ?? ''))).toBe('user.passkey.last')
    await addTo(person)
    expect(codeOf(await passkeys.remove(person.caller, first?.id ?? ''))).toBeNull()
    expect(codeOf(await passkeys.remove(person.caller, first?.id ?? ''))).toBe('entity.notfound')
    const [second] = (await passkeys.list(person.id)).items
    expect(codeOf(await passkeys.remove(person.caller, second?.id ?? ''))).toBe('user.passkey.last')
    await bench.must('user', 'change', person.id, { enabletwofactor: false, breakglass: true })
    expect(codeOf(await passkeys.remove(person.caller, second?.id ?? ''))).toBe('user.passkey.last')
    await bench.must('user', 'change', person.id, { breakglass: false })
    expect(codeOf(await passkeys.remove(person.caller, second?.id ?? ''))).toBeNull()
  })

  it('goes with a reset of the second factor, and with a forgotten person [P-2687]', async () => {
    const [reset, forgotten] = [await makePerson(), await makePerson()]
    for (const { caller, id, action, input } of [
      { ...reset, action: 'reset2fa', input: {} },
      { ...forgotten, action: 'forget', input: { confirm: 'CONFIRM' } },
    ]) {
      const { authenticator } = await addTo({ caller })
      await bench.must('user', action, id, input)
      expect(codeOf(await bench.people.signInByPasskey(shownBy(authenticator)))).toBe('auth.passkey')
      expect((await bench.people.passkeys.list(id)).items).toEqual([])
    }
    expect(JSON.stringify(await bench.events(`user-${reset.id}`))).not.toContain('Telefone')
  })
})

describe('with OIDC_ONLY', () => {
  it('a passkey signs in administrators with emergency access alone, on record and with a notice [P-2691]', async () => {
    const people = await openPeople({
      ...{ ...bench, sessionHours: 12, loginAttempts: 5, issuer: 'Parley', grain: 1, onlyProviders: true },
    })
    const boss = await makePerson({ usergroup: [bench.ids.group] })
    const { authenticator } = await addTo(boss)
    expect(codeOf(await people.signInByPasskey(shownBy(authenticator)))).toBe('auth.passwordoff')
    expect(await people.hasBreakglass()).toBe(false)
    await bench.must('user', 'change', boss.id, { breakglass: true })
    expect(await people.hasBreakglass()).toBe(true)
    const { username } = boss
    expect(codeOf(await people.signIn({ username, password: PASSWORD }))).toBe('auth.passkeyneeded')
    expect(codeOf(await people.signInByPasskey(shownBy(authenticator)))).toBeNull()
    expect(await types(boss.id)).toContain('UserBreakglass')
    // A mark without the rights of an administrator opens nothing.
    const clerk = await makePerson()
    const { authenticator: own } = await addTo(clerk)
    await bench.must('user', 'change', clerk.id, { breakglass: true })
    expect(codeOf(await people.signInByPasskey(shownBy(own)))).toBe('auth.passwordoff')
    const [notice] = (await bench.events(`notice-user-${boss.id}`)).slice(-1)
    expect(notice?.data).toMatchObject({ message: 'user.breakglass', recipients: expect.arrayContaining([boss.id]) })
  })
})

describe('an unknown passkey', () => {
  it('takes the same check of a signature as a known one, and the same multiple of the grain [P-2689]', async () => {
    const person = await makePerson()
    const { authenticator } = await addTo(person)
    const grain = 80
    const people = await openPeople({ ...bench, sessionHours: 12, loginAttempts: 5, issuer: 'Parley', grain })
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const trace = async (forged: Forgery) => {
      verify.mockClear()
      const began = performance.now()
      const code = codeOf(await people.signInByPasskey(shownBy(authenticator, forged)))
      return { code, checks: verify.mock.calls.length, waited: performance.now() - began >= grain }
    }
    const nobody = Buffer.from('11111111-2222-4333-8444-555555555555').toString('base64url')
    for (const forged of [{ foreignKey: true }, { id: 'dW5rbm93bg' }, { userHandle: nobody }])
      expect(await trace(forged)).toEqual({ code: 'auth.passkey', checks: 1, waited: true })
  })
})
