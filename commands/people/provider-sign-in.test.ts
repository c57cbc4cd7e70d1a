import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderPolicy } from '#domain/people/identity-provider.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { isFull } from '#test/fixture/full.ts'
import { createCommandHandler } from '../command-handler.ts'
import { dyingStore, PowerCut, pausedStore } from '../fixture/memory-store.ts'
import { createLoader } from '../pipeline/load.ts'
import { type Caller, systemCaller } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { openPeople, type People } from './authentication.ts'
import { openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import { offeredAuthenticator } from './offered-authenticator.ts'
import { resetToken } from './password-reset.ts'
import type { ClaimedGroup, FindActing } from './provider-account.ts'
import { newToken, sessionId } from './session.ts'

let bench: PeopleBench
let people: People
let root: string
let branch: string
let groups: readonly ClaimedGroup[]
beforeAll(async () => {
  bench = await openPeopleBench()
  root = bench.ids.level
  branch = (await bench.must('hierarchy', 'create', '', { name: 'Branch', parent: root })).id
  const at = async (value: string, level: string): Promise<ClaimedGroup> => {
    const caller = { ...bench.admin, level, subtree: new Set([root, branch]) }
    const { id } = await bench.must('usergroup', 'create', '', { name: value, identifiedby: value, roles: [] }, caller)
    return { id, level, value }
  }
  groups = [await at('staff', root), await at('branch', branch)]
  const more = { sessionHours: 12, loginAttempts: 5, issuer: 'Parley', grain: 1 }
  people = await openPeople({ ...bench, ...more, warn: line => void warnings.push(line) })
})
afterAll(() => bench.close())

const POLICY: ProviderPolicy = {
  ...{ groupsclaim: 'groups', usernameclaim: 'preferred_username', acr: [], linkbyemail: false, domains: [] },
  directory: undefined,
  ...{ create: true, followgroups: 'always', followlevel: 'always' },
}

const NAMELESS = { firstname: null, lastname: null, externalId: undefined }

const warnings: string[] = []

/** Signs in with groups in the token. Returns the refusal, or the values of the groups and the level that the person has then. */
const signIn = async (sub: string, policy: Partial<ProviderPolicy>, ...claimed: readonly (string | undefined)[]) => {
  const given = claimed[0] === undefined ? undefined : claimed.filter(value => value !== undefined)
  const person = { username: sub, ...NAMELESS, email: null, isEmailVerified: false }
  const signed = await people.signInByProvider({
    provider: { id: 'p', issuer: 'https://id.example', policy: { ...POLICY, ...policy } },
    ...{ sub, sid: undefined, groups, seen: { address: '192.0.2.1', agent: null } },
    person: { ...person, language: undefined, groups: given, hasTooManyGroups: false, isStrong: true },
  })
  if (!signed.ok) return signed.refusal.code
  if (signed.value.step !== 'done') return signed.value.step
  const { state } = await createLoader(bench.store).load(ENTITIES.user, signed.value.user)
  if (state.status !== 'live') return state.status
  const held = groups.filter(({ id }) => (state.fields.usergroup as string[]).includes(id))
  return { groups: held.map(({ value }) => value), level: state.level === branch ? 'branch' : 'root' }
}

test.each<[Partial<ProviderPolicy>, object]>([
  [{}, { groups: ['branch'], level: 'branch' }],
  [{ followlevel: 'create' }, { groups: ['branch'], level: 'root' }],
  [{ followlevel: 'off' }, { groups: ['branch'], level: 'root' }],
  [{ followgroups: 'create' }, { groups: ['staff'], level: 'root' }],
  [{ followgroups: 'off' }, { groups: ['staff'], level: 'root' }],
])('follows groups and level at a later sign-in as %o says [P-2957]', async (policy, expected) => {
  const sub = JSON.stringify(policy).replaceAll(/\W/gu, '') || 'all'
  expect(await signIn(sub, {}, 'staff')).toEqual({ groups: ['staff'], level: 'root' })
  expect(await signIn(sub, policy, 'branch')).toEqual(expected)
})

test('gives a new person groups and level unless groups are never followed, and makes nobody where it may not [P-2957]', async () => {
  const created = { followgroups: 'create', followlevel: 'create' } as const
  expect(await signIn('new', created, 'branch')).toEqual({ groups: ['branch'], level: 'branch' })
  expect(await signIn('never', { followgroups: 'off' }, 'staff')).toBe('auth.nogroup')
  expect(await signIn('unknown', { create: false }, 'staff')).toBe('auth.unknown')
  expect(await signIn('new', { create: false }, 'branch')).toEqual({ groups: ['branch'], level: 'branch' })
})

test('links nobody with an account at another provider, which may not have verified the address [P-2496]', async () => {
  const at = async (issuer: string, isEmailVerified: boolean) => {
    const person = { username: 'duda', ...NAMELESS, email: 'duda@aurora.example', isEmailVerified }
    const policy = { ...POLICY, linkbyemail: true, domains: ['aurora.example'] }
    const signed = await people.signInByProvider({
      ...{ provider: { id: 'p', issuer, policy }, sub: 'duda', sid: undefined, groups },
      seen: { address: '192.0.2.1', agent: null },
      person: { ...person, language: undefined, groups: ['staff'], hasTooManyGroups: false, isStrong: true },
    })
    return signed.ok && signed.value.step === 'done' ? signed.value.user : undefined
  }
  const first = await at('https://id.example', false)
  const second = await at('https://other.example', true)
  expect(first).toBeDefined()
  expect(second).toBeDefined()
  expect(second).not.toBe(first)
})

test('changes nothing and warns the operator when the token has no groups [P-2957]', async () => {
  expect(await signIn('silent', {}, 'branch')).toEqual({ groups: ['branch'], level: 'branch' })
  warnings.length = 0
  expect(await signIn('silent', {}, undefined)).toEqual({ groups: ['branch'], level: 'branch' })
  expect(warnings).toEqual([expect.stringMatching(/^identity provider p: no groups in the token/u)])
})

describe('a group with a value that a lower level decided', () => {
  const levels: Record<string, string> = {}
  const decided: ClaimedGroup[] = []
  let mayor: Caller
  beforeAll(async () => {
    levels.north = (await bench.must('hierarchy', 'create', '', { name: 'North', parent: root })).id
    levels.south = (await bench.must('hierarchy', 'create', '', { name: 'South', parent: root })).id
    mayor = { ...bench.admin, level: root, subtree: new Set([root, branch, ...Object.values(levels)]) }
    const make = async (value: string, level: string, by: Caller) => {
      const { id } = await bench.must(
        'usergroup',
        'create',
        '',
        { name: `${value} of ${level}`, identifiedby: value },
        by,
      )
      decided.push({ id, level, value })
    }
    for (const [name, id] of Object.entries(levels)) {
      await make(name, id, { ...mayor, level: id })
      // An administrator of that level alone.
      for (const value of ['staff', 'shared']) await make(value, id, { ...mayor, level: id, subtree: new Set([id]) })
    }
    groups = [...groups, ...decided]
  })
  const nameOf = (level: unknown) => Object.keys(levels).find(name => levels[name] === level) ?? 'root'
  /** Level of a person after a sign-in, and the levels of the groups that it gave. */
  const placed = async (sub: string, ...claimed: readonly string[]) => {
    const signed = await people.signInByProvider({
      provider: { id: 'p', issuer: 'https://id.example', policy: POLICY },
      ...{ sub, sid: undefined, groups, seen: { address: '192.0.2.1', agent: null } },
      person: {
        ...{ username: sub, ...NAMELESS, email: null, isEmailVerified: false, language: undefined },
        ...{ groups: claimed, hasTooManyGroups: false, isStrong: true },
      },
    })
    if (!signed.ok || signed.value.step !== 'done') return signed.ok ? signed.value.step : signed.refusal.code
    const { state } = await createLoader(bench.store).load(ENTITIES.user, signed.value.user)
    if (state.status !== 'live') return state.status
    const held = groups.filter(({ id }) => (state.fields.usergroup as string[]).includes(id))
    return `${nameOf(state.level)}: ${held.map(({ value, level }) => `${value} ${nameOf(level)}`).join(', ')}`
  }

  test('is given to no person above it, and refuses nobody of the root their sign-in [P-2040]', async () => {
    expect(await placed('captain', 'staff')).toBe('root: staff root')
    expect(await placed('captain', 'staff', 'shared')).toBe('root: staff root')
  })

  test('is given to people of its level, and moves none of another level [P-2040]', async () => {
    expect(await placed('pilot', 'north')).toBe('north: north north')
    expect(await placed('pilot', 'north', 'shared')).toBe('north: north north, shared north')
    // The root has no such value: the present branch counts.
    expect(await placed('pilot', 'shared')).toBe('north: shared north')
    expect(await placed('cook', 'shared')).toBe('auth.level')
    // Values that the root decided move people.
    expect(await placed('pilot', 'south', 'shared')).toBe('south: south south, shared south')
    expect(await placed('pilot', 'north', 'south')).toBe('auth.level')
  })

  test('counts for the level of the administrator who changed its value last [P-2040]', async () => {
    const [first] = decided.filter(({ level, value }) => level === levels.north && value === 'shared')
    const { id = '' } = first ?? {}
    const low = { ...mayor, level: levels.north ?? '', subtree: new Set([levels.north ?? '']) }
    await bench.must('usergroup', 'change', id, { name: 'Renamed' }, mayor)
    expect((await bench.fields('usergroup', id)).identifiedfrom).toBe(levels.north)
    await bench.must('usergroup', 'change', id, { identifiedby: 'other' }, mayor)
    expect((await bench.fields('usergroup', id)).identifiedfrom).toBe(root)
    await bench.must('usergroup', 'change', id, { identifiedby: 'shared' }, low)
    expect((await bench.fields('usergroup', id)).identifiedfrom).toBe(levels.north)
  })
})

describe('the first link by e-mail', () => {
  const PASSWORD = 'Segredo-2026!'
  const made = async (name: string) =>
    (await bench.must('user', 'create', '', { username: name, email: `${name}@aurora.example`, password: PASSWORD })).id
  const link = async (name: string, claimed: readonly string[] | undefined = ['staff']) => {
    const signed = await people.signInByProvider({
      provider: {
        ...{ id: 'p', issuer: 'https://id.example' },
        policy: { ...POLICY, linkbyemail: true, domains: ['aurora.example'] },
      },
      ...{ sub: name, sid: undefined, groups, seen: { address: '192.0.2.1', agent: null } },
      person: {
        ...{ username: name, ...NAMELESS, email: `${name}@aurora.example`, isEmailVerified: true, language: undefined },
        ...{ groups: claimed, hasTooManyGroups: false, isStrong: true },
      },
    })
    return signed.ok ? signed.value.step : signed.refusal.code
  }
  const mailed = async (name: string) => {
    await bench.people.askReset(name)
    const wishes = []
    for await (const event of bench.store.readAll({ filter: { types: ['PasswordResetAsked'] } })) wishes.push(event)
    const wish = wishes.at(-1)
    if (wish === undefined || (await bench.people.issueReset(wish)) === undefined) throw new Error('no link')
    return resetToken(bench.keys, wish.id)
  }
  const choose = (token: string) =>
    bench.people.useReset({ token, new: `${PASSWORD}9`, confirm: `${PASSWORD}9` }).then(({ ok }) => ok)
  const hasPassword = async (id: string) => (await bench.fields('user', id)).password !== null

  test('keeps a password from a mailed link, unless an administrator set another one later [P-2042]', async () => {
    const [proven, changed] = [await made('proven'), await made('changed')]
    expect(await choose(await mailed('proven'))).toBe(true)
    expect(await choose(await mailed('changed'))).toBe(true)
    await bench.must('user', 'resetpassword', changed)
    for (const name of ['proven', 'changed']) expect(await link(name)).toBe('done')
    expect([await hasPassword(proven), await hasPassword(changed)]).toEqual([true, false])
  })

  test('takes a link that was mailed to another address as no proof [P-2042]', async () => {
    const id = await made('moved')
    const token = await mailed('moved')
    await bench.must('user', 'change', id, { email: 'other@aurora.example' })
    expect(await choose(token)).toBe(false)
    expect(await choose(await mailed('moved'))).toBe(true)
    await bench.must('user', 'change', id, { email: 'moved@aurora.example' })
    expect(await link('moved')).toBe('done')
    expect(await hasPassword(id)).toBe(false)
  })

  test('takes a mailed link for no proof while there is a passkey, whose holder can sign in and add others [P-2043]', async () => {
    const [id, own] = [await made('keyed'), await made('unkeyed')]
    const passkey = (key: string) => ({
      ...{ id: key, publicKey: 'cHVibGlj', counter: 0, transports: ['internal'], backedup: false, name: key },
    })
    await bench.must('user', 'addpasskey', id, passkey('before'), systemCaller())
    const tokens = [await mailed('keyed'), await mailed('unkeyed')]
    bench.later(1000)
    expect(await Promise.all(tokens.map(choose))).toEqual([true, true])
    bench.later(1000)
    for (const user of [id, own]) await bench.must('user', 'addpasskey', user, passkey('after'), systemCaller())
    await bench.must('user', 'removepasskey', id, { id: 'before' }, systemCaller())
    for (const name of ['keyed', 'unkeyed']) expect(await link(name)).toBe('done')
    expect([await hasPassword(id), (await bench.fields('user', id)).passkeys]).toEqual([false, null])
    expect([await hasPassword(own), (await bench.fields('user', own)).passkeys]).toEqual([true, [expect.anything()]])
  })

  test('finds the user of a directory by the id that it gave, without a password of another address [P-2044]', async () => {
    const account = async (name: string): Promise<[string, Caller]> => {
      const { id } = await bench.must('serviceaccount', 'create', '', { name, owner: bench.ids.user })
      return [id, { ...bench.admin, user: id, permits: () => true, provisions: true }]
    }
    const [[directory, own], [, other]] = [await account('directory'), await account('other')]
    const give = (by: Caller, externalId: string, id = '', fields = {}) =>
      bench.must('user', 'provision', id, { fields, external: { level: root, id: externalId } }, by)
    const come = async (sub: string) => {
      const policy = { ...POLICY, directory: { claim: 'oid', account: directory } as const }
      const signed = await people.signInByProvider({
        ...{ provider: { id: 'p', issuer: 'https://id.example', policy }, sub, sid: undefined, groups },
        seen: { address: '192.0.2.1', agent: null },
        person: {
          ...{ username: sub, ...NAMELESS, email: 'hugo@aurora.example', isEmailVerified: true, language: undefined },
          ...{ groups: ['staff'], hasTooManyGroups: false, isStrong: true, externalId: sub },
        },
      })
      return signed.ok && signed.value.step === 'done' ? signed.value.user : undefined
    }
    const { id } = await give(own, 'hugo', '', { username: 'hugo', email: 'thief@aurora.example' })
    const stolen = { fields: {}, external: { level: root, id: 'thief' } }
    const refused = await bench.run('user', 'provision', id, stolen, other)
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'access.directory' } })
    expect(await come('thief')).not.toBe(id)
    await give(own, 'hugo', id)
    await bench.must('user', 'change', id, { password: PASSWORD })
    expect(await choose(await mailed('thief@aurora.example'))).toBe(true)
    expect(await come('hugo')).toBe(id)
    expect(await hasPassword(id)).toBe(false)
  })

  test('removes nothing of a person whose sign-in is refused [P-2042]', async () => {
    const id = await made('outside')
    expect(await link('outside', ['unknown'])).toBe('auth.nogroup')
    expect(await hasPassword(id)).toBe(true)
    expect(await link('outside', undefined)).toBe('done')
    expect(await hasPassword(id)).toBe(false)
  })
})

describe('the first link, with another sign-in between any two of its steps', () => {
  const MORE = { sessionHours: 12, loginAttempts: 5, issuer: 'Parley', grain: 1 }
  const STEP = isFull ? 1 : 2
  let staff: readonly ClaimedGroup[]
  let healthy: People
  let webhooks: { readonly id: string; readonly owner: string; readonly created: string }[] = []
  const findActing: FindActing = async user =>
    webhooks.filter(({ owner }) => owner === user).map(({ id, created }) => ({ entity: 'webhook', id, created }))
  beforeAll(async () => {
    healthy = await peopleOn(bench.store)
    staff = groups.filter(({ level }) => level === root)
  })
  const peopleOn = (store: EventStore) => {
    const { keys, lookup, now } = bench
    return openPeople({
      ...bench,
      store,
      commands: createCommandHandler({ store, keys, lookup, now }),
      ...MORE,
      findActing,
    })
  }
  /** Signs in at a provider that makes nobody. Returns the session, or the refusal. */
  const come = async (by: People, name: string, sub = name) => {
    const policy = { ...POLICY, create: false, linkbyemail: true, domains: ['aurora.example'] }
    const signed = await by.signInByProvider({
      ...{ provider: { id: 'p', issuer: 'https://id.example', policy }, sub, sid: undefined, groups: staff },
      seen: { address: '192.0.2.1', agent: null },
      person: {
        ...{ username: name, ...NAMELESS, email: `${name}@aurora.example`, isEmailVerified: true, language: undefined },
        ...{ groups: ['staff'], hasTooManyGroups: false, isStrong: true },
      },
    })
    if (!signed.ok) return signed.refusal.code
    return signed.value.step === 'done'
      ? { user: signed.value.user, session: sessionId(signed.value.token) }
      : 'pending'
  }
  const owned = async (owner: string) => {
    const input = { name: `webhook ${webhooks.length}`, url: 'https://aurora.example/events', types: ['user.created'] }
    const { id } = await bench.must('webhook', 'create', '', input)
    webhooks = [...webhooks, { id, owner, created: bench.now().toISOString() }]
    return id
  }
  /** A user with a passkey, a session and a webhook of who made them. */
  const prepared = async (name: string) => {
    const { id } = await bench.must('user', 'create', '', { username: name, email: `${name}@aurora.example` })
    const passkey = { id: 'before', publicKey: 'cHVibGlj', counter: 0, transports: [], backedup: false, name: 'before' }
    await bench.must('user', 'addpasskey', id, passkey, systemCaller())
    const token = newToken()
    await people.sessions.start({ id, level: root }, token)
    return { id, foreign: sessionId(token), webhook: await owned(id) }
  }
  const isLive = async (session: string) => (await people.sessions.read(session)) !== undefined
  const isOn = async (id: string) => (await bench.fields('webhook', id)).enable === true
  const noticesOf = async (id: string) => (await bench.events(`notice-user-${id}`)).map(({ data }) => data.message)
  /** Whether a sign-in came to its nth read or append; `meanwhile` runs there. */
  const pausedAt = async <T>(nth: number, begin: (by: People) => Promise<T>, meanwhile: () => Promise<void>) => {
    const { store, reached, release } = pausedStore(bench.store, nth, 'any')
    const begun = begin(await peopleOn(store))
    const isPaused = await Promise.race([reached.then(() => true), begun.then(() => false)])
    if (isPaused) await meanwhile()
    release()
    return { isPaused, result: await begun }
  }

  test('ends nothing that another sign-in of the same account made, and everything of before [P-2080]', async () => {
    let isPaused = true
    for (let nth = 1; isPaused; nth += STEP) {
      const name = `both${nth}`
      const { id, foreign, webhook } = await prepared(name)
      const own: { session?: string; webhook?: string } = {}
      const fast = async () => {
        const signed = await come(healthy, name)
        if (typeof signed === 'string') throw new Error(signed)
        own.session = signed.session
        await people.registerTwoFactor(signed)
        own.webhook = await owned(id)
      }
      const slow = await pausedAt(nth, by => come(by, name), fast)
      isPaused = slow.isPaused
      expect({ nth, result: slow.result }).toEqual({ nth, result: { user: id, session: expect.any(String) } })
      const after = [await isLive(foreign), await isOn(webhook), (await bench.fields('user', id)).passkeys]
      expect({ nth, after }).toEqual({ nth, after: [false, false, null] })
      if (typeof slow.result !== 'string') expect(await isLive(slow.result.session)).toBe(true)
      expect({ nth, notices: await noticesOf(id) }).toEqual({ nth, notices: ['user.linkedanew'] })
      if (!isPaused) expect(nth).toBeGreaterThan(20)
      else {
        const made = [await isLive(own.session ?? ''), await isOn(own.webhook ?? '')]
        expect({ nth, made }).toEqual({ nth, made: [true, true] })
        expect({ nth, offer: await offeredAuthenticator(bench, id) }).toEqual({ nth, offer: expect.any(String) })
      }
    }
  }, 60_000)

  test('links one of two accounts with one address, and refuses the other as it refuses a later one [P-2081]', async () => {
    const users = new Set<string>()
    let isPaused = true
    for (let nth = 1; isPaused; nth += STEP) {
      const name = `shared${nth}`
      const { id } = await prepared(name)
      const results: unknown[] = []
      const slow = await pausedAt(
        nth,
        by => come(by, name, `${name} one`),
        async () => void results.push(await come(healthy, name, `${name} two`)),
      )
      isPaused = slow.isPaused
      results.push(slow.result, await come(healthy, name, `${name} three`))
      const linked = results.filter(result => typeof result !== 'string')
      expect({ nth, linked }).toEqual({ nth, linked: [{ user: id, session: expect.any(String) }] })
      expect(new Set(results.filter(result => typeof result === 'string'))).toEqual(new Set(['auth.unknown']))
      expect((await bench.fields('user', id)).identities).toHaveLength(1)
      expect(await noticesOf(id)).toEqual(['user.linkedanew'])
      users.add(slow.result === 'auth.unknown' ? 'other' : 'own')
    }
    expect([...users].toSorted()).toEqual(['other', 'own'])
  }, 60_000)

  test('is finished by the next sign-in when its node dies, with one notice [P-2082]', async () => {
    let isDead = true
    for (let appends = 1; isDead; appends++) {
      for (const lastIsWritten of [true, false]) {
        const name = `dead${appends}${lastIsWritten ? 'w' : ''}`
        const { id, foreign, webhook } = await prepared(name)
        const dying = await peopleOn(dyingStore(bench.store, appends, lastIsWritten))
        const died = await come(dying, name).catch((error: unknown) => error)
        isDead = died instanceof PowerCut
        const again = await come(healthy, name)
        expect({ appends, again }).toEqual({ appends, again: { user: id, session: expect.any(String) } })
        const after = [await isLive(foreign), await isOn(webhook), (await bench.fields('user', id)).passkeys]
        expect({ appends, after }).toEqual({ appends, after: [false, false, null] })
        expect(await come(healthy, name)).toMatchObject({ user: id })
        expect({ appends, notices: await noticesOf(id) }).toEqual({ appends, notices: ['user.linkedanew'] })
      }
    }
  }, 60_000)
})
