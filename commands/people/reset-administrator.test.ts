import { generateSync } from 'otplib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPeople } from './authentication.ts'
import { bootstrap } from './bootstrap.ts'
import { ADMIN_PASSWORD, openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import { resetAdministrator } from './reset-administrator.ts'
import { sessionId } from './session.ts'

let bench: PeopleBench
beforeEach(async () => {
  bench = await openPeopleBench()
})
afterEach(() => bench.close())

const signIn = async (username: string, password: string) => {
  const result = await bench.people.signIn({ username, password })
  return result.ok ? result.value.token : undefined
}

describe('the first start', () => {
  it('happens once: later starts make nobody and leave the password alone', async () => {
    const head = await bench.store.head()
    expect(await bootstrap({ ...bench, password: 'Another-1' })).toEqual({ first: false })
    expect(await bench.store.head()).toBe(head)
    expect(await signIn('admin', ADMIN_PASSWORD)).toBeDefined()
  })
})

describe('the way back in', () => {
  it('unlocks the first user, takes the second factor away, ends sessions and gives every right back', async () => {
    const { user, group, role } = bench.ids
    const session = sessionId((await signIn('admin', ADMIN_PASSWORD)) ?? '')
    await bench.must('user', 'create', '', { username: 'other', usergroup: [group] })
    await bench.must('user', 'change', user, { enabletwofactor: true, usergroup: [] })
    await bench.must('user', 'lock', user)
    await bench.must('role', 'change', role, { services: ['user', 'usergroup', 'role'], actions: [] })
    const { username, password } = await resetAdministrator(bench.store, bench.keys)
    expect(username).toBe('admin')
    expect(await signIn('admin', ADMIN_PASSWORD)).toBeUndefined()
    expect(await signIn('admin', password)).toBeDefined()
    expect(await bench.people.sessions.read(session)).toBeUndefined()
    expect(await bench.lookup.administrators()).toContain(user)
    expect((await bench.lookup.permissionsOfGroups([group])).has('deletebot')).toBe(true)
  })

  it('brings a removed user back, and makes a new one after a forgotten one', async () => {
    const { user, group } = bench.ids
    const other = { username: 'other', usergroup: [group] }
    await bench.must('user', 'create', '', other)
    await bench.must('user', 'remove', user, { confirm: 'CONFIRM' })
    expect(await signIn('admin', (await resetAdministrator(bench.store, bench.keys)).password)).toBeDefined()
    await bench.must('user', 'forget', user, { confirm: 'CONFIRM' })
    expect(await signIn('admin', (await resetAdministrator(bench.store, bench.keys)).password)).toBeDefined()
  })
})

describe('with OIDC_ONLY', () => {
  const signInOnly = (password: string, token?: string) =>
    openPeople({ ...bench, sessionHours: 12, loginAttempts: 5, issuer: 'Parley', onlyProviders: true, grain: 1 }).then(
      people => people.signIn({ username: 'admin', password, token }),
    )

  it('refuses passwords of accounts that are not marked, once they are right [P-2545]', async () => {
    expect(await signInOnly(ADMIN_PASSWORD)).toMatchObject({ refusal: { code: 'auth.passwordoff' } })
    expect(await signInOnly('Wrong-2026!')).toMatchObject({ refusal: { code: 'auth.invalid' } })
  })

  it('gives a password that asks for a second factor, and then signs in [P-2592] [P-2545]', async () => {
    const people = () =>
      openPeople({ ...bench, sessionHours: 12, loginAttempts: 5, issuer: 'Parley', onlyProviders: true, grain: 1 })
    expect(await (await people()).hasBreakglass()).toBe(false)
    const { password } = await resetAdministrator(bench.store, bench.keys, { onlyProviders: true })
    expect(await (await people()).hasBreakglass()).toBe(true)
    expect(await signInOnly(password)).toMatchObject({ ok: true, value: { enabletwofactor: true, token: undefined } })
    const begun = await (await people()).registerTwoFactor({ username: 'admin', password })
    if (!begun.ok) throw new Error(begun.refusal.code)
    const signed = await signInOnly(
      password,
      generateSync({ secret: begun.value.secret, epoch: Math.floor(bench.now().getTime() / 1000) }),
    )
    expect(signed).toMatchObject({ ok: true, value: { token: expect.any(String) } })
    const types = []
    for await (const { type } of bench.store.read(`user-${bench.ids.user}`)) types.push(type)
    expect(types.slice(-2)).toEqual(['UserBreakglass', 'UserSignedIn'])
    const notices = []
    for await (const { data } of bench.store.read(`notice-user-${bench.ids.user}`)) notices.push(data)
    expect(notices).toMatchObject([{ message: 'user.breakglass', recipients: [bench.ids.user] }])
  })
})
