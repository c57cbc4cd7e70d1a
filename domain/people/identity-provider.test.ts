import { expect, test } from 'vitest'
import {
  mayLinkByEmail,
  type ProviderPolicy,
  readClaims,
  topOfBranch,
  usernameCandidates,
} from './identity-provider.ts'

const policy: ProviderPolicy = {
  groupsclaim: 'groups',
  usernameclaim: 'preferred_username',
  acr: ['urn:gold'],
  linkbyemail: true,
  domains: ['aurora.example'],
  directory: { claim: 'oid', account: 'scim' },
  create: true,
  followgroups: 'always',
  followlevel: 'always',
}
const read = (claims: Parameters<typeof readClaims>[0]) => readClaims({ sub: 's1', ...claims }, policy)

test('reads a person from claims, and ignores values of other types', () => {
  expect(
    read({
      preferred_username: ' ana\u0000prado ',
      given_name: 'Ana',
      family_name: 7,
      email: 'ana@aurora.example',
      email_verified: true,
      locale: 'pt-BR',
      groups: ['staff', 7],
      oid: '0a1b',
    }),
  ).toEqual({
    username: 'ana prado',
    firstname: 'Ana',
    lastname: null,
    email: 'ana@aurora.example',
    isEmailVerified: true,
    language: 'pt',
    externalId: '0a1b',
    groups: ['staff'],
    hasTooManyGroups: false,
    isStrong: false,
  })
  expect(read({ email: 'x', groups: 'one' })).toMatchObject({ username: 's1', email: null, groups: ['one'] })
  expect(read({})).toMatchObject({ username: 's1', groups: undefined, language: undefined, externalId: undefined })
  expect(read({ oid: ['0a1b'] }).externalId).toBeUndefined()
  expect(readClaims({ sub: 's1', oid: 'x' }, { ...policy, directory: undefined }).externalId).toBeUndefined()
})

test('reads all groups of a claim: a missing one is taken away from the person [P-2495]', () => {
  const groups = Array.from({ length: 5_000 }, (_, n) => `group ${n}`)
  expect(read({ groups }).groups).toEqual(groups)
})

test('keeps an @ in a username only where it is the own address', () => {
  expect(read({ preferred_username: 'Ana@aurora.example', email: 'ana@aurora.example' }).username).toBe(
    'Ana@aurora.example',
  )
  expect(read({ preferred_username: 'ana@other.example', email: 'ana@aurora.example' }).username).toBe('ana')
  expect(read({ preferred_username: '@' }).username).toBe('user')
  expect(usernameCandidates('a'.repeat(100))[1]).toBe(`${'a'.repeat(98)}2`)
  expect(usernameCandidates('ana@aurora.example').slice(0, 3)).toEqual(['ana@aurora.example', 'ana', 'ana2'])
})

test('counts mfa, hwk, swk and listed acr values as a second factor', () => {
  for (const method of ['mfa', 'hwk', 'swk']) expect(read({ amr: ['pwd', method] }).isStrong).toBe(true)
  expect(read({ acr: 'urn:gold' }).isStrong).toBe(true)
  expect(read({ amr: ['pwd', 'otp'], acr: 'urn:silver' }).isStrong).toBe(false)
  expect(read({ amr: 'mfa' }).isStrong).toBe(false)
})

test('finds that a provider left the groups out because there are too many', () => {
  expect(read({ _claim_names: { groups: 'src1' } }).hasTooManyGroups).toBe(true)
  expect(read({ _claim_names: { roles: 'src1' } }).hasTooManyGroups).toBe(false)
})

test('links by a verified address of a listed domain alone', () => {
  const ana = { email: 'ana@AURORA.example', isEmailVerified: true }
  expect(mayLinkByEmail(ana, policy)).toBe(true)
  expect(mayLinkByEmail({ ...ana, isEmailVerified: false }, policy)).toBe(false)
  expect(mayLinkByEmail({ ...ana, email: 'ana@sub.aurora.example' }, policy)).toBe(false)
  expect(mayLinkByEmail({ ...ana, email: null }, policy)).toBe(false)
  expect(mayLinkByEmail(ana, { ...policy, linkbyemail: false })).toBe(false)
})

test('answers the highest level of one branch, and none of two', () => {
  const [root, a, b, deep] = [['root'], ['a', 'root'], ['b', 'root'], ['deep', 'a', 'root']]
  expect(topOfBranch([deep, a])).toBe('a')
  expect(topOfBranch([deep, root, a])).toBe('root')
  expect(topOfBranch([a, a])).toBe('a')
  expect(topOfBranch([a, b])).toBeUndefined()
  expect(topOfBranch([deep, b])).toBeUndefined()
  expect(topOfBranch([])).toBeUndefined()
})
