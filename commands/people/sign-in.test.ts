import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Refusal, Result } from '#schemas/refusal.ts'
import { ownClock } from '#test/fixture/processor-clock.ts'
import { openPeople } from './authentication.ts'
import { ADMIN_PASSWORD, openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import { sessionId } from './session.ts'

// Each test has its own clock: days passed in one would expire the passwords of the next.
let bench: PeopleBench
beforeEach(async () => {
  bench = await openPeopleBench()
})
afterEach(() => bench.close())

const PASSWORD = 'Senha-forte-1'
const DAY = 86_400_000

let count = 0
const makeUser = async (more: Readonly<Record<string, string | boolean>> = {}) => {
  count += 1
  const username = `person${count}`
  const { id } = await bench.must('user', 'create', '', {
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
    ...more,
  })
  return { id, username, email: `${username}@example.com` }
}

const refusalOf = (result: Result<unknown>): Refusal | undefined => (result.ok ? undefined : result.refusal)
const attempt = async (username: string, password: string) =>
  refusalOf(await bench.people.signIn({ username, password }))

describe('signing in', () => {
  it('opens a session by username or e-mail address, in any case [C-2.100]', async () => {
    const { id, username, email } = await makeUser()
    for (const name of [username, email, ` ${username.toUpperCase()} `]) {
      const result = await bench.people.signIn({ username: name, password: PASSWORD })
      expect(result).toMatchObject({ ok: true, value: { twofactorenabled: false, enabletwofactor: false } })
      const token = result.ok ? result.value.token : undefined
      expect(await bench.people.sessions.read(sessionId(token ?? ''))).toMatchObject({
        user: id,
        level: bench.ids.level,
      })
    }
    expect(await bench.fields('user', id)).toMatchObject({
      loginattempts: 0,
      login_timestamp: bench.now().toISOString(),
    })
  })

  it('keeps neither the password nor the token nor the typed name in the log [C-3.40]', async () => {
    const { username } = await makeUser()
    const result = await bench.people.signIn({ username, password: PASSWORD })
    await attempt('a-name-that-was-typed', 'a-password-that-was-typed')
    let log = ''
    for await (const event of bench.store.readAll()) log += JSON.stringify(event)
    expect(result.ok && log.includes(result.value.token ?? '')).toBe(false)
    for (const secret of [PASSWORD, ADMIN_PASSWORD, username, 'that-was-typed', 'argon2'])
      expect(log).not.toContain(secret)
  })

  it('counts failures down to zero and then says locked, with the right password too [C-4.09]', async () => {
    const { id, username } = await makeUser()
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      expect(await attempt(username, 'wrong')).toEqual({ code: 'auth.invalid', params: { attemptsRemaining } })
    }
    expect(await attempt(username, 'wrong')).toEqual({ code: 'auth.locked' })
    expect(await attempt(username, PASSWORD)).toEqual({ code: 'auth.locked' })
    expect(await bench.fields('user', id)).toMatchObject({ locked: true })

    await bench.must('user', 'unlock', id)
    expect(await attempt(username, 'wrong')).toEqual({ code: 'auth.invalid', params: { attemptsRemaining: 4 } })
    expect(await attempt(username, PASSWORD)).toBeUndefined()
    expect(await bench.fields('user', id)).toMatchObject({ locked: false, loginattempts: 0 })
  })

  it('answers a name that nobody has in the same way', async () => {
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      expect(await attempt('nobody', PASSWORD)).toEqual({ code: 'auth.invalid', params: { attemptsRemaining } })
    }
    expect(await attempt('nobody', PASSWORD)).toEqual({ code: 'auth.locked' })
  })

  it('reads, hashes and writes the same for a name that nobody has', async () => {
    const { username } = await makeUser()
    const trace = async (name: string) => {
      const reads = vi.spyOn(bench.store, 'read')
      await attempt(name, 'wrong')
      const kinds = reads.mock.calls.map(([stream]) => String(stream).replace(/-[\da-f]{8}.*/, ''))
      reads.mockRestore()
      return kinds.slice(0, 4).sort()
    }
    expect(await trace(username)).toEqual(await trace('nobody-either'))
  })

  it('puts every failure on record: under the user, or with no user', async () => {
    const { id, username } = await makeUser()
    await attempt(username, 'wrong')
    await attempt('nobody', 'wrong')
    expect((await bench.events(`user-${id}`)).map(event => event.type)).toEqual(['UserCreated', 'UserSignInFailed'])
    const failures = []
    for await (const event of bench.store.readAll({ filter: { types: ['SignInFailed'] } }))
      failures.push(event.data.user)
    expect(failures).toEqual([id, null])
  })

  it('does not let parallel guesses pass the limit', async () => {
    const { username } = await makeUser()
    const refusals = await Promise.all(Array.from({ length: 9 }, (_, n) => attempt(username, `guess${n}`)))
    expect(refusals.filter(refusal => refusal?.code === 'auth.invalid')).toHaveLength(5)
    expect(refusals.filter(refusal => refusal?.code === 'auth.locked')).toHaveLength(4)
  })

  it('slows the last administrator down instead of locking them', async () => {
    for (let left = 5; left > 0; left -= 1) await attempt('admin', 'wrong')
    expect(await attempt('admin', 'wrong')).toEqual({ code: 'auth.locked' })
    expect(await bench.fields('user', bench.ids.user)).toMatchObject({ locked: false })
    expect(await attempt('admin', ADMIN_PASSWORD)).toBeUndefined()
  })

  /** People of the same store who pause for this long after too many failures. */
  const pausing = (pause: number) =>
    openPeople({ ...bench, sessionHours: 12, loginAttempts: 5, issuer: 'Parley', pause, maxPause: pause, grain: 1 })

  it('keeps the last administrator waiting for one pause when others guess at the same time [P-64]', async () => {
    for (let left = 5; left > 0; left -= 1) await attempt('admin', 'wrong')
    const people = await pausing(600)
    const guesses = Array.from({ length: 12 }, () => people.signIn({ username: 'admin', password: 'wrong' }))
    const began = ownClock()
    expect(refusalOf(await people.signIn({ username: 'admin', password: ADMIN_PASSWORD }))).toBeUndefined()
    // One after the other the pauses alone take 7.8 s.
    expect(ownClock() - began).toBeLessThan(5_000)
    await Promise.all(guesses)
  })

  it('makes no pause on a known device when others guess at the same name', async () => {
    for (let left = 5; left > 0; left -= 1) await attempt('admin', 'wrong')
    const people = await pausing(2_000)
    let answered = 0
    const guess = (source: string) =>
      people.signIn({ username: 'admin', password: 'wrong', source }).finally(() => {
        answered += 1
      })
    const guesses = Array.from({ length: 24 }, (_, n) => guess(`192.0.2.${n % 2}`))
    const claim = { username: 'admin', password: ADMIN_PASSWORD, device: 'phone' }
    const began = ownClock()
    expect(refusalOf(await people.signIn(claim))).toBeUndefined()
    expect(ownClock() - began).toBeLessThan(2_000)
    // Excess attempts are refused at once, the others still wait.
    expect(answered).toBeLessThan(24)
    await Promise.allSettled(guesses)
  })

  it('reports a lock by an administrator only with the correct password', async () => {
    const { id, username } = await makeUser()
    await bench.must('user', 'lock', id)
    expect(await attempt(username, PASSWORD)).toEqual({ code: 'auth.locked' })
    expect(await attempt(username, 'wrong')).toMatchObject({ code: 'auth.invalid' })
  })
})

describe('a password', () => {
  it('expires after 80 days, and is changed without a session [C-4.18]', async () => {
    const { username } = await makeUser()
    bench.later(80 * DAY)
    expect(await attempt(username, PASSWORD)).toBeUndefined()
    bench.later(DAY)
    expect(await attempt(username, PASSWORD)).toEqual({ code: 'auth.expired' })
    expect(await attempt(username, 'wrong')).toMatchObject({ code: 'auth.invalid' })
    const change = { old: PASSWORD, new: 'Outra-senha-2', confirm: 'Outra-senha-2' }
    expect(await bench.people.changePassword({ username, token: undefined }, change)).toEqual({ ok: true, value: null })
    expect(await attempt(username, PASSWORD)).toMatchObject({ code: 'auth.invalid' })
    expect(await attempt(username, 'Outra-senha-2')).toBeUndefined()
  })

  it('ends every other session of the user when it is changed', async () => {
    const { id, username } = await makeUser()
    const open = async () => {
      const result = await bench.people.signIn({ username, password: PASSWORD })
      return sessionId((result.ok && result.value.token) || '')
    }
    const [one, other] = [await open(), await open()]
    const change = { old: PASSWORD, new: 'Outra-senha-2', confirm: 'Outra-senha-2' }
    const wrong = await bench.people.changePassword({ user: id, session: one }, { ...change, old: 'Not-the-one-1' })
    expect(refusalOf(wrong)).toMatchObject({ code: 'user.password.original' })
    expect(await bench.people.changePassword({ user: id, session: one }, change)).toMatchObject({ ok: true })
    expect(await bench.people.sessions.read(one)).toBeDefined()
    expect(await bench.people.sessions.read(other)).toBeUndefined()
  })

  it('is reset by an administrator to one that must be changed at the next sign-in', async () => {
    const { id, username } = await makeUser()
    const key = { value: 'k', method: 'POST', path: `/user/${id}/resetpassword`, body: 'b' }
    const command = {
      entity: 'user',
      action: 'resetpassword',
      id,
      input: {},
      caller: bench.admin,
      correlation: 'c',
      key,
    }
    const outcome = await bench.commands.execute(command)
    const password = String(outcome.ok && outcome.result?.password)
    expect(await bench.commands.execute(command)).toMatchObject({ result: { password } })
    expect(await attempt(username, PASSWORD)).toMatchObject({ code: 'auth.invalid' })
    expect(await attempt(username, password)).toEqual({ code: 'auth.expired' })
    const change = { old: password, new: 'Outra-senha-2', confirm: 'Outra-senha-2' }
    expect(await bench.people.changePassword({ username, token: undefined }, change)).toMatchObject({ ok: true })
    expect(await attempt(username, 'Outra-senha-2')).toBeUndefined()
  })
})

describe('a session', () => {
  const open = async () => {
    const { id, username } = await makeUser()
    const result = await bench.people.signIn({ username, password: PASSWORD })
    return { user: id, session: sessionId((result.ok && result.value.token) || '') }
  }

  it('ends after its hours, after sign-out, and when the user is locked or removed [C-7.08]', async () => {
    const [first, second, third, fourth] = [await open(), await open(), await open(), await open()]
    await bench.people.signOut(first)
    await bench.must('user', 'lock', second.user)
    await bench.must('user', 'remove', third.user, { confirm: 'CONFIRM' })
    for (const { session } of [first, second, third]) {
      expect(await bench.people.sessions.read(session)).toBeUndefined()
    }
    expect(await bench.fields('user', first.user)).toMatchObject({ logout_timestamp: bench.now().toISOString() })
    bench.later(12 * 3_600_000 - 1)
    expect(await bench.people.sessions.read(fourth.session)).toBeDefined()
    bench.later(1)
    expect(await bench.people.sessions.read(fourth.session)).toBeUndefined()
  })

  it('changes its level by a separate event [C-7.05]', async () => {
    const { session } = await open()
    await bench.people.sessions.changeLevel(session, 'elsewhere')
    expect(await bench.people.sessions.changeLevel(session, 'elsewhere')).toBeUndefined()
    expect(await bench.people.sessions.read(session)).toMatchObject({ level: 'elsewhere' })
    expect((await bench.events(`session-${session}`)).map(event => event.type)).toEqual([
      'SessionStarted',
      'SessionLevelChanged',
    ])
  })
})
