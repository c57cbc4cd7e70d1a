import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderPolicy } from '#domain/people/identity-provider.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { createLoader } from '../pipeline/load.ts'
import { openPeople, type People } from './authentication.ts'
import { openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import type { ClaimedGroup } from './provider-sign-in.ts'

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
  ...{ create: true, followgroups: 'always', followlevel: 'always' },
}

const warnings: string[] = []

/** Signs in with groups in the token. Returns the refusal, or the values of the groups and the level that the person has then. */
const signIn = async (sub: string, policy: Partial<ProviderPolicy>, ...claimed: readonly (string | undefined)[]) => {
  const given = claimed[0] === undefined ? undefined : claimed.filter(value => value !== undefined)
  const person = { username: sub, firstname: null, lastname: null, email: null, isEmailVerified: false }
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
    const person = { username: 'duda', firstname: null, lastname: null, email: 'duda@aurora.example', isEmailVerified }
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
