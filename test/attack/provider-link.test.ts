import type { JWTPayload } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { startForgingProvider } from '#test/doubles/oidc/forging-provider.ts'
import { SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { clientOf } from '../api/harness.ts'
import { openAdmin } from '../api/open-parley.ts'
import { level, PASSWORD, person } from '../api/people.ts'
import { ProviderBrowser } from '../api/provider-browser.ts'
import { patchOf, scimAccount } from '../api/scim-client.ts'

// Two providers that sign anything, two directories that make people with SCIM, and a lower level with its own administrator.
const [one, two] = await Promise.all([startForgingProvider(), startForgingProvider()])
afterAll(() => Promise.all([one.close(), two.close()]))
const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
const below = await level(admin, 'Below')
const { account, scim } = await scimAccount(parley, admin, { name: 'directory', level: root })
const { scim: otherScim } = await scimAccount(parley, admin, { name: 'other directory', level: root })
const reader = await admin.create('role', { name: 'Reader', actions: ['readbot', 'readuser'] })
const staff = await admin.create('usergroup', { name: 'Staff', identifiedby: 'staff', roles: [reader] })
const own = await admin.create('identityprovider', {
  ...{ name: 'Own', issuer: one.issuer, client_id: 'parley', linkbyemail: true, domains: ['aurora.example'] },
  ...{ directoryclaim: 'oid', directory: account },
})
const strange = await admin.create('identityprovider', { name: 'Strange', issuer: two.issuer, client_id: 'parley' })

type At = readonly [provider: string, double: typeof one]
const forgers: At = [strange, two]

let codes = 0
/** Signs in at one of the providers with these claims. */
const forge = async (claims: JWTPayload, [provider, double]: At = [own, one]) => {
  const browser = new ProviderBrowser(parley, provider)
  const { state, nonce } = await browser.begin()
  const now = Math.floor(Date.now() / 1000)
  const times = { iss: double.issuer, aud: 'parley', nonce, iat: now, exp: now + 300 }
  double.idToken = await double.sign({ ...times, groups: ['staff'], ...claims })
  codes += 1
  const done = await browser.finish({ code: `code-${codes}`, state })
  const me = done.status === 200 ? (await browser.client.get('/auth/user')).body.user : undefined
  return { ...done, browser, user: (me as { readonly id: string } | undefined)?.id }
}
const detailOf = async (id: string) => (await admin.get(`/user/${id}`)).body as unknown as Record<string, unknown>
const newUser = (userName: string, externalId: string, more: object = {}) => ({
  ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, externalId },
  ...more,
})
const made = async (name: string, by = scim, more: object = {}): Promise<string> => {
  const { status, body } = await by('POST', '/Users', newUser(name, `oid-${name}`, more))
  if (status !== 201 || body.id === undefined) throw new Error(JSON.stringify(body))
  return body.id
}

describe('a user that SCIM made', () => {
  test('is the one who signs in with the id of the directory, without a verified address [P-2035]', async () => {
    const ana = await made('ana', scim, { emails: [{ value: 'ana@aurora.example', type: 'work' }] })
    const claims = { sub: 'pairwise-1', oid: 'oid-ana', preferred_username: 'ana', email: 'ana@aurora.example' }
    expect((await forge(claims)).user).toBe(ana)
    expect(await detailOf(ana)).toMatchObject({ signin_way: 'oidc', usergroup: [staff], username: 'ana' })
    // From then on the account is known by issuer and sub.
    expect((await forge({ ...claims, oid: 'another' })).user).toBe(ana)
    const seen = await forge({ sub: 'pairwise-2', oid: 'oid-ana', preferred_username: 'ana' })
    expect(seen.status).toBe(200)
    expect(seen.user).not.toBe(ana)
  })

  test('is taken by no other claim, form of it, directory or provider [P-2036]', async () => {
    const bia = await made('bia')
    const foreign = await made('caio', otherScim)
    const local = await admin.create('user', { username: 'duda', usergroup: [staff] })
    const adopted = patchOf({ op: 'replace', value: { externalId: 'oid-duda' } })
    expect((await scim('PATCH', `/Users/${local}`, adopted)).status).toBe(200)
    const standby = await made('eva')
    const { revision } = await detailOf(standby)
    expect((await admin.patch(`/user/${standby}`, { breakglass: true }, Number(revision))).status).toBe(200)
    const tries: readonly (readonly [victim: string, claims: JWTPayload, at?: At])[] = [
      [bia, { preferred_username: 'oid-bia' }],
      [bia, { sub: 'oid-bia' }],
      [bia, { externalId: 'oid-bia', OID: 'oid-bia' }],
      [bia, { oid: ['oid-bia'] as unknown as string }],
      [bia, { oid: 'OID-BIA' }],
      [bia, { oid: '' }],
      [bia, { oid: 'oid-bia' }, forgers],
      [foreign, { oid: 'oid-caio' }],
      [local, { oid: 'oid-duda' }],
      [standby, { oid: 'oid-eva' }],
    ]
    for (const [at, [victim, claims, provider]] of tries.entries()) {
      const { status, user } = await forge(
        { sub: `thief-${at}`, preferred_username: `thief-${at}`, ...claims },
        provider,
      )
      expect({ at, status }).toEqual({ at, status: 200 })
      expect({ at, user }).not.toEqual({ at, user: victim })
      expect((await detailOf(victim)).signin_way).toBeNull()
    }
  })

  test('is neither revived nor made again after it was deprovisioned [P-2037]', async () => {
    const leaver = await made('fabio')
    const local = await admin.create('user', { username: 'gil', usergroup: [staff] })
    await scim('PATCH', `/Users/${local}`, patchOf({ op: 'replace', value: { externalId: 'oid-gil' } }))
    const active = (id: string, value: boolean) =>
      scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value }))
    const come = (name: string) => forge({ sub: `leaver-${name}`, oid: `oid-${name}`, preferred_username: name })
    for (const [name, id] of [
      ['fabio', leaver],
      ['gil', local],
    ] as const) {
      await active(id, false)
      expect(await come(name)).toMatchObject({ status: 423, code: 'auth.locked' })
      expect(await detailOf(id)).toMatchObject({ locked: true, signin_way: null })
      expect((await admin.get(`/user?search=${name}`)).body.items.map(({ id: found }) => found)).toEqual([id])
    }
    await active(leaver, true)
    expect((await come('fabio')).user).toBe(leaver)
  })

  test('is found for a provider with every right to say so alone [P-2036]', async () => {
    const { client } = await person(parley, admin, {
      ...{ username: 'half', level: root },
      actions: ['updateidentityprovider', 'readidentityprovider', 'readserviceaccount'],
    })
    const { revision } = (await admin.get(`/identityprovider/${strange}`)).body
    const change = { directoryclaim: 'sub', directory: account }
    expect((await client.patch(`/identityprovider/${strange}`, change, revision)).body.code).toBe('access.grant')
    const missing = await admin.patch(`/identityprovider/${strange}`, { directoryclaim: 'sub' }, revision)
    expect(missing).toMatchObject({ status: 422, body: { errors: [{ path: 'directory', code: 'required' }] } })
    const free = await admin.patch(`/identityprovider/${strange}`, { directoryclaim: 'email' }, revision)
    expect(free.status).toBe(422)
  })
})

test('removes the credentials of an account that an attacker made beforehand with the address of the victim [P-2041]', async () => {
  const actions = [
    'createuser',
    'readuser',
    'createapitoken',
    'readapitoken',
    'createwebhook',
    'readwebhook',
    'readbot',
  ]
  const attacker = await person(parley, admin, { username: 'attacker', level: root, actions })
  // The account of the victim, with the rights of the attacker.
  const given = { username: 'vera', email: 'vera@aurora.example', password: PASSWORD, usergroup: [attacker.group] }
  const vera = await attacker.client.create('user', given)
  const fresh = `${PASSWORD}x`
  await parley.anyone.post('/user/password', { username: 'vera', old: PASSWORD, new: fresh, confirm: fresh })
  const inside = await parley.signIn('vera', fresh)
  const authenticator = new SoftwareAuthenticator(parley.origin.replace('127.0.0.1', 'localhost'))
  const creation = (await inside.post('/user/passkey/options')).body as never
  const added = await inside.post('/user/passkey', { name: 'Chave', passkey: authenticator.create(creation) })
  expect(added.status, added.text).toBe(204)
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const token = String((await inside.post('/apitoken', { name: 'mine', expires })).body.token)
  const webhook = await inside.create('webhook', { name: 'mine', url: `${one.issuer}/events`, types: ['user.created'] })
  const byToken = () => parley.anyone.get('/bot', { authorization: `Bearer ${token}` })
  const byPasskey = async () => {
    const options = (await parley.anyone.post('/auth/passkey/options', {})).body as never
    return (await parley.anyone.post('/auth/passkey', authenticator.get(options))).status
  }
  expect([(await byToken()).status, await byPasskey(), (await inside.get('/bot')).status]).toEqual([200, 200, 200])

  const signed = await forge({ sub: 'vera-1', preferred_username: 'vera', email: given.email, email_verified: true })
  expect(signed.user).toBe(vera)
  const login = await parley.anyone.post('/auth/login', { username: 'vera', password: fresh })
  expect([login.status, login.body.code]).toEqual([401, 'auth.invalid'])
  expect((await inside.get('/bot')).status).toBe(401)
  expect((await byToken()).status).toBe(401)
  expect(await byPasskey()).toBe(401)
  expect((await admin.get(`/webhook/${webhook}`)).body).toMatchObject({ enable: false, owner: null })
  expect(await detailOf(vera)).toMatchObject({ twofactorenabled: false, signin_way: 'oidc' })
  const { items } = (await admin.get(`/audit?entityid=${vera}&action=credentialsremoved`)).body
  expect(items).toMatchObject([{ source: { kind: 'oidc', id: own } }])
  const client = clientOf(parley.origin, signed.browser.cookies.get('parley') ?? '')
  const notices = async () => (await client.get('/notification')).body.items
  await expect.poll(notices).toContainEqual(expect.objectContaining({ message: 'user.linkedanew' }))
  // Nothing more is removed at later sign-ins.
  expect((await forge({ sub: 'vera-1', preferred_username: 'vera' })).user).toBe(vera)
  expect((await admin.get(`/audit?entityid=${vera}&action=credentialsremoved`)).body.total).toBe(1)
})

test('an administrator of a lower level gives people of the root no group and no refusal by its value [P-2040]', async () => {
  const actions = ['createusergroup', 'readusergroup', 'updateusergroup', 'readuser', 'updatebot']
  const low = await person(parley, admin, { username: 'low', level: below, actions })
  const trap = await low.client.create('usergroup', { name: 'Trap', identifiedby: 'staff', roles: [low.role] })
  const ruled = await forge({ sub: 'ruled', preferred_username: 'ruled' })
  expect(ruled.status).toBe(200)
  expect(await detailOf(String(ruled.user))).toMatchObject({ hierarchylevel: root, usergroup: [staff] })
  expect((await admin.get(`/usergroup/${trap}`)).body).not.toHaveProperty('identifiedfrom')
  const { client } = ruled.browser
  const { permissions } = (await client.get('/auth/user')).body.user as { permissions: string[] }
  expect(permissions.toSorted()).toEqual(['readbot', 'readuser'])
})
