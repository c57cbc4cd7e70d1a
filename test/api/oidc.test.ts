import type { JWTPayload } from 'jose'
import { generateSync } from 'otplib'
import { afterAll, describe, expect, test } from 'vitest'
import { startForgingProvider, unsigned } from '#test/doubles/oidc/forging-provider.ts'
import { CLIENT, startOidcProvider } from '#test/doubles/oidc/oidc-provider-server.ts'
import { SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { ownClock } from '#test/fixture/processor-clock.ts'
import type { Answer, Client } from './harness.ts'
import { openAdmin, openParley } from './open-parley.ts'
import { level } from './people.ts'
import { ProviderBrowser } from './provider-browser.ts'

// One world: the provider of the settings is the package, the one of the console signs anything.
const groups: Record<string, string> = {}

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

const [real, forger] = await Promise.all([startOidcProvider(), startForgingProvider()])
afterAll(() => Promise.all([real.close(), forger.close()]))
const { parley, admin } = await openAdmin({
  env: {
    OIDC_ISSUER: real.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    ALLOW_PRIVATE_ADDRESSES: 'true',
  },
})
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
const branch = await level(admin, 'Branch')
const other = await level(admin, 'Other branch')
const reader = await admin.create('role', { name: 'Reader', actions: ['readbot'] })
const group = async (name: string, identifiedby: string | null, hierarchylevel: string) => {
  groups[name] = await admin.create('usergroup', { name, identifiedby, roles: [reader], hierarchylevel })
}
await group('staff', 'staff', root)
await group('branch', 'branch', branch)
await group('other', 'other', other)
await group('local', null, root)
const forged = await admin.create('identityprovider', {
  name: 'Forger',
  issuer: forger.issuer,
  client_id: 'parley',
  client_secret: 'kept',
  linkbyemail: true,
  domains: ['aurora.example'],
  acr: ['urn:gold'],
})

const nowS = () => Math.floor(Date.now() / 1000)
const claimsOf = (nonce: string, more: JWTPayload = {}): JWTPayload => ({
  ...{ iss: forger.issuer, aud: 'parley', sub: 'forged-1', nonce, iat: nowS(), exp: nowS() + 300 },
  ...{ preferred_username: 'forged', groups: ['staff'], sid: 'session-1' },
  ...more,
})

let codes = 0
const newCode = () => `code-${++codes}`

/** Signs in at the forger with these claims, or with this token. */
const forge = async (
  more: JWTPayload | ((nonce: string) => Promise<string>),
  browser = new ProviderBrowser(parley, forged),
) => {
  const { state, nonce } = await browser.begin()
  forger.idToken = typeof more === 'function' ? await more(nonce) : await forger.sign(claimsOf(nonce, more))
  return { browser, ...(await browser.finish({ code: newCode(), state })) }
}
const userNamed = async (search: string) => {
  const { items } = (await admin.get(`/user?search=${search}`)).body
  return items.find(({ username }) => username === search) as Record<string, unknown> & { id: string }
}
const detailOf = async (id: string) => (await admin.get(`/user/${id}`)).body as unknown as Record<string, unknown>
const isLive = async (client: Client) => (await client.get('/auth/user')).status === 200

describe('a sign-in with the package oidc-provider', () => {
  test('makes a user from the claims, and follows them at each sign-in [P-2530]', async () => {
    real.account = 'ana'
    real.logoutAt = `${parley.origin}/botadmin/api/auth/oidc/settings/logout`
    const claims = {
      ...{ preferred_username: 'ana', given_name: 'Ana', family_name: 'Prado', locale: 'es-MX' },
      ...{ email: 'ana@aurora.example', email_verified: true, groups: ['staff', 'unknown'] },
    }
    real.accounts.set('ana', claims)
    const browser = new ProviderBrowser(parley, 'settings')
    const done = await browser.signIn('/bot/search?a=1&b=2')
    expect(done.text).toContain('http-equiv="refresh"')
    expect(done).toMatchObject({ status: 200, leads: '/botadmin/bot/search?a=1&b=2' })
    const ana = (await browser.client.get('/auth/user')).body.user as Record<string, unknown>
    expect(ana).toMatchObject({ username: 'ana', language: 'es', hierarchylevel: root, permissions: ['readbot'] })
    const kept = { firstname: 'Ana', lastname: 'Prado', email: 'ana@aurora.example', usergroup: [groups.staff] }
    expect(await detailOf(String(ana.id))).toMatchObject({ ...kept, signin_way: 'oidc' })
    expect(await detailOf(String(ana.id))).not.toHaveProperty('identities')

    // A group that the provider does not know stays; the level follows.
    const { revision } = (await admin.get(`/user/${ana.id}`)).body
    await admin.patch(`/user/${ana.id}`, { usergroup: [groups.staff, groups.local] }, revision)
    real.accounts.set('ana', { ...claims, given_name: 'Anna', groups: ['branch'] })
    const again = new ProviderBrowser(parley, 'settings')
    expect((await again.signIn()).status).toBe(200)
    const moved = await detailOf(String(ana.id))
    expect(moved).toMatchObject({ firstname: 'Anna', hierarchylevel: branch })
    expect([...(moved.usergroup as string[])].sort()).toEqual([groups.local, groups.branch].sort())
    expect(await isLive(browser.client)).toBe(true)
    expect(real.failures).toEqual([])
  })

  test('sets an HttpOnly cookie that reaches the callback alone, and a Strict session [P-2546]', async () => {
    const browser = new ProviderBrowser(parley, 'settings')
    await browser.signIn()
    const path = '/botadmin/api/auth/oidc/settings/callback'
    const [begin = ''] = browser.cookies.lines.filter(line => line.startsWith('parley_oidc='))
    for (const part of ['HttpOnly', 'SameSite=Lax', `Path=${path}`, 'Max-Age=600']) expect(begin).toContain(part)
    const session = browser.cookies.lines.find(line => line.startsWith('parley=')) ?? ''
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/botadmin']) expect(session).toContain(part)
    expect(browser.cookies.get('parley_oidc')).toBeUndefined()
  })

  test('names the way in the audit and in the list of sessions [P-2547]', async () => {
    const { items } = (await admin.get('/audit?action=signedin&size=50')).body
    expect(items).toContainEqual(expect.objectContaining({ source: { kind: 'oidc', id: 'settings' } }))
    expect(items).toContainEqual(expect.objectContaining({ source: { kind: 'password' } }))
    const ana = await userNamed('ana')
    const sessions = (await admin.get(`/user/${ana.id}/sessions`)).body.items
    expect(sessions.map(({ way }) => way)).toEqual(['oidc', 'oidc', 'oidc'])
  })

  test('ends its sessions when the person signs out at the provider [P-2543] [P-2591]', async () => {
    const browser = new ProviderBrowser(parley, 'settings')
    await browser.signIn()
    const url = String((await browser.client.get('/auth/oidc/signout')).body.url)
    expect(url).toMatch(new RegExp(`^${real.issuer}/session/end\\?.*client_id=parley`))
    expect((await admin.get('/auth/oidc/signout')).body.url).toBeNull()
    await browser.signOut(url)
    await expect.poll(() => isLive(browser.client)).toBe(false)
    expect(real.failures).toEqual([])
  })
})

test('offers the providers of the settings and of the console, by id and name alone [P-2590]', async () => {
  const { status, body } = await parley.anyone.get('/auth/oidc')
  expect(status).toBe(200)
  expect(body).toEqual({
    items: [
      { id: 'settings', name: '127.0.0.1' },
      { id: forged, name: 'Forger' },
    ],
    ...{ only: false, origin: parley.origin },
    passkeys: parley.origin.replace('127.0.0.1', 'localhost'),
  })
})

describe('a forged answer is refused', () => {
  const tokens: Record<string, (nonce: string) => Promise<string>> = {
    'another nonce': () => forger.sign(claimsOf('other')),
    'another audience': nonce => forger.sign(claimsOf(nonce, { aud: 'other' })),
    'another issuer': nonce => forger.sign(claimsOf(nonce, { iss: 'https://other.example' })),
    'another party': nonce => forger.sign(claimsOf(nonce, { azp: 'other' })),
    'no signature': async nonce => unsigned(claimsOf(nonce)),
    'the public key as a secret': nonce => forger.signByPublicKey(claimsOf(nonce)),
    'a key that is not published': nonce => forger.signElsewhere(claimsOf(nonce)),
    'a key in its own header': nonce => forger.signWithOwnKey(claimsOf(nonce)),
    'several audiences and no party': nonce => forger.sign(claimsOf(nonce, { aud: ['parley', 'other'] })),
    'an expired token': nonce => forger.sign(claimsOf(nonce, { iat: nowS() - 400, exp: nowS() - 100 })),
    'a token of the future': nonce => forger.sign(claimsOf(nonce, { iat: nowS() + 100 })),
    'no token': async () => '',
  }
  test.each(Object.keys(tokens))('with %s [P-2531]', async name => {
    const { status, code, browser } = await forge(tokens[name] ?? {})
    expect({ status, code }).toEqual({ status: 401, code: 'auth.answer' })
    expect(browser.cookies.get('parley')).toBeUndefined()
  })

  test('with the answer of another issuer, or of none, where the provider names itself [P-2737]', async () => {
    for (const iss of ['https://other.example', undefined]) {
      const browser = new ProviderBrowser(parley, 'settings')
      const answer = new URL(await browser.visit((await browser.begin()).location))
      expect(answer.searchParams.get('iss')).toBe(real.issuer)
      answer.searchParams.delete('iss')
      if (iss !== undefined) answer.searchParams.set('iss', iss)
      expect(await browser.finish(answer.href)).toMatchObject({ status: 401, code: 'auth.answer' })
      expect(browser.cookies.get('parley')).toBeUndefined()
    }
  })

  test('with another state, the cookie of another browser, or none [P-2534]', async () => {
    const [mine, theirs] = [new ProviderBrowser(parley, forged), new ProviderBrowser(parley, forged)]
    const [{ state, nonce }, { state: foreign }] = await Promise.all([mine.begin(), theirs.begin()])
    forger.idToken = await forger.sign(claimsOf(nonce))
    for (const [browser, given] of [
      [mine, foreign],
      [theirs, state],
      [new ProviderBrowser(parley, forged), state],
    ] as const)
      expect(await browser.finish({ code: newCode(), state: given })).toMatchObject({ status: 400, code: 'auth.state' })
  })

  test('with a state or a code that was used before [P-2534]', async () => {
    const browser = new ProviderBrowser(parley, forged)
    const { state, nonce } = await browser.begin()
    const cookie = browser.cookies.header
    forger.idToken = await forger.sign(claimsOf(nonce))
    const code = newCode()
    expect((await browser.finish({ code, state })).status).toBe(200)
    const url = `/auth/oidc/${forged}/callback?${new URLSearchParams({ code: newCode(), state })}`
    expect(await parley.anyone.get(url, { cookie })).toMatchObject({ status: 400, body: { code: 'auth.state' } })
    const spent = new ProviderBrowser(parley, forged)
    expect(await spent.finish({ code, state: (await spent.begin()).state })).toMatchObject({ code: 'auth.answer' })
    const denied = new ProviderBrowser(parley, forged)
    const refusal = { error: 'access_denied', state: (await denied.begin()).state }
    expect(await denied.finish(refusal)).toMatchObject({ status: 403, code: 'auth.denied' })
  })
})

test('verifies a token that was signed right after a rotation of the keys [P-2533]', async () => {
  expect((await forge({})).status).toBe(200)
  await forger.rotate()
  const before = forger.keyRequests
  expect((await forge({})).status).toBe(200)
  expect(forger.keyRequests).toBe(before + 1)
  expect(forger.tokenCalls.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
})

test('leads to a page of the console alone, and tells a browser why it failed [P-2535]', async () => {
  for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', '/../evil', 'javascript:alert(1)']) {
    const browser = new ProviderBrowser(parley, forged)
    const { state, nonce } = await browser.begin(to)
    forger.idToken = await forger.sign(claimsOf(nonce))
    const { leads } = await browser.finish({ code: newCode(), state }, 'text/html')
    expect(leads).toBe('/botadmin/')
  }
  const failed = await new ProviderBrowser(parley, forged).finish({ code: 'c', state: 's' }, 'text/html,*/*')
  expect(failed).toMatchObject({ status: 400, leads: '/botadmin/login?failed=auth.state' })
  expect(failed.headers.get('content-security-policy')).toContain("script-src 'self'")
})

describe('groups and levels', () => {
  test('make no user without a matching claim, and take rights away with the groups [P-2536]', async () => {
    const stranger = { sub: 'stranger', preferred_username: 'stranger' }
    for (const given of [['unknown'], [], undefined])
      expect(await forge({ ...stranger, groups: given })).toMatchObject({ status: 403, code: 'auth.nogroup' })
    const elsewhere = { _claim_names: { groups: 'src1' }, groups: undefined }
    expect(await forge({ ...stranger, ...elsewhere })).toMatchObject({ status: 403, code: 'auth.groups' })
    expect(await userNamed('stranger')).toBeUndefined()

    const { browser } = await forge({ sub: 'leaver', preferred_username: 'leaver' })
    expect((await browser.client.get('/bot')).status).toBe(200)
    expect(await forge({ sub: 'leaver', groups: ['unknown'] })).toMatchObject({ code: 'auth.nogroup' })
    expect((await browser.client.get('/bot')).status).toBe(403)
    const { id } = await userNamed('leaver')
    expect((await detailOf(id)).usergroup).toEqual([])
    expect((await forge({ sub: 'leaver', preferred_username: 'leaver' })).status).toBe(200)
    expect((await forge({ sub: 'leaver', preferred_username: 'leaver', groups: undefined })).status).toBe(200)
    expect((await detailOf(id)).usergroup).toEqual([groups.staff])
  })

  test('of two branches are refused and notify administrators; of one branch the highest is the home [P-2536]', async () => {
    const torn = { sub: 'torn', preferred_username: 'torn', groups: ['branch', 'other'] }
    expect(await forge(torn)).toMatchObject({ status: 403, code: 'auth.level' })
    expect(await userNamed('torn')).toBeUndefined()
    const notices = async () => (await admin.get('/notification')).body.items
    const notice = expect.objectContaining({ message: 'usergroup.levels', entity: 'usergroup' })
    await expect.poll(notices).toContainEqual(notice)
    expect((await forge({ ...torn, groups: ['branch', 'staff'] })).status).toBe(200)
    expect(await detailOf((await userNamed('torn')).id)).toMatchObject({ hierarchylevel: root })
  })

  test('stay with the last administrator, who signs in [P-2537]', async () => {
    const own = await openParley({ env: { OIDC_ISSUER: forger.issuer, OIDC_CLIENT_ID: 'parley' } })
    try {
      const chief = await own.signIn()
      const { items } = (await chief.get('/usergroup')).body
      const [everything] = items as unknown as { id: string; revision: number }[]
      await chief.patch(`/usergroup/${everything?.id}`, { identifiedby: 'admins' }, everything?.revision ?? 0)
      const administrator = { sub: 'chief', preferred_username: 'chief', groups: ['admins'], amr: ['mfa'] }
      const at = () => new ProviderBrowser(own, 'settings')
      expect((await forge(administrator, at())).status).toBe(200)
      const people = (await chief.get('/user')).body.items as unknown as { id: string; username: string }[]
      const first = people.find(({ username }) => username === 'admin')?.id
      const { browser } = await forge(administrator, at())
      expect((await browser.client.post(`/user/${first}/lock`)).status).toBe(200)

      const demoted = await forge({ ...administrator, groups: ['nothing'] }, at())
      expect(demoted.status).toBe(200)
      expect((await demoted.browser.client.get('/user')).status).toBe(200)
      const told = async () => (await demoted.browser.client.get('/notification')).body.items
      await expect.poll(told).toContainEqual(expect.objectContaining({ message: 'user.lastadministrator' }))
    } finally {
      await own.close()
    }
  })
})

describe('existing people', () => {
  const withAddress = (name: string, more: object = {}) =>
    admin.create('user', { username: name, email: `${name}@aurora.example`, password: 'Segredo-2026!', ...more })

  test('are linked by a verified address of a listed domain, never those who administer users [P-2538]', async () => {
    const bia = await withAddress('bia', { usergroup: [groups.local] })
    const claims = { sub: 'bia-1', preferred_username: 'bia', email: 'bia@aurora.example' }
    // A taken username gets a number, a taken address is left out.
    expect((await forge({ ...claims, sub: 'bia-0', email_verified: false })).status).toBe(200)
    expect(await detailOf((await userNamed('bia2')).id)).toMatchObject({ email: null })
    expect((await forge({ ...claims, email_verified: true })).status).toBe(200)
    expect(await detailOf(bia)).toMatchObject({ signin_way: 'oidc', usergroup: [groups.local, groups.staff] })
    // Another account of the same provider is not linked to the same user.
    expect((await forge({ ...claims, sub: 'bia-2', email_verified: true })).status).toBe(200)
    expect(await userNamed('bia3')).toBeDefined()

    const boss = await withAddress('boss', {
      usergroup: [(await admin.get('/usergroup?search=Administrators')).body.items[0]?.id],
    })
    const taken = { sub: 'boss-1', preferred_username: 'boss', email: 'boss@aurora.example', email_verified: true }
    expect((await forge(taken)).status).toBe(200)
    expect((await detailOf(boss)).signin_way).toBeNull()
    expect((await admin.post(`/user/${bia}/lock`)).status).toBe(200)
    expect(await forge({ ...claims, email_verified: true })).toMatchObject({ status: 423, code: 'auth.locked' })
  })

  test('enter the second factor unless the provider has asked for one [P-2539]', async () => {
    const claims = { sub: 'careful', preferred_username: 'careful' }
    await forge(claims)
    const { id } = await userNamed('careful')
    await admin.patch(`/user/${id}`, { enabletwofactor: true }, (await admin.get(`/user/${id}`)).body.revision)
    for (const strong of [{ amr: ['pwd', 'mfa'] }, { acr: 'urn:gold' }])
      expect((await forge({ ...claims, ...strong })).browser.cookies.get('parley')).toBeDefined()

    const { browser, leads } = await forge({ ...claims, amr: ['pwd'] })
    expect(leads).toBe('/botadmin/login?step=register&next=%2F')
    expect(browser.cookies.get('parley')).toBeUndefined()
    const cookie = browser.cookies.header
    const post = (path: string, body: object): Promise<Answer> => parley.anyone.post(path, body, { cookie })
    const { secret } = (await post('/auth/oidc/register2fa', {})).body as unknown as { secret: string }
    expect(await post('/auth/oidc/code', { token: '000000' })).toMatchObject({
      status: 401,
      body: { code: 'auth.twofactor' },
    })
    const signed = await post('/auth/oidc/code', { token: generateSync({ secret }) })
    expect(signed.status).toBe(200)
    expect((signed.body.token as { accessToken: string }).accessToken).toMatch(/^[\w-]{43}$/)
    expect((await forge(claims)).leads).toBe('/botadmin/login?step=code&next=%2F')
    expect(await parley.anyone.post('/auth/oidc/code', { token: '123456' })).toMatchObject({ status: 400 })
  })

  test('show the passkey that is their second factor, and register no other in its place [P-2690]', async () => {
    const claims = { sub: 'keeper', preferred_username: 'keeper' }
    const { client } = (await forge(claims)).browser
    const authenticator = new SoftwareAuthenticator(parley.origin.replace('127.0.0.1', 'localhost'))
    const creation = (await client.post('/user/passkey/options')).body as never
    const added = await client.post('/user/passkey', { name: 'Chave', passkey: authenticator.create(creation) })
    expect(added.status, added.text).toBe(204)
    expect((await client.get('/user/passkey')).body.proofs).toEqual(['passkey'])
    const { id } = await userNamed('keeper')
    await admin.patch(`/user/${id}`, { enabletwofactor: true }, (await admin.get(`/user/${id}`)).body.revision)

    const { browser, leads } = await forge({ ...claims, amr: ['pwd'] })
    expect(leads).toBe('/botadmin/login?step=passkey&next=%2F')
    const cookie = browser.cookies.header
    const post = (path: string, body: object): Promise<Answer> => parley.anyone.post(path, body, { cookie })
    expect((await post('/auth/oidc/register2fa', {})).body.code).toBe('auth.passkeyneeded')
    expect((await post('/auth/oidc/code', { token: '123456' })).body.code).toBe('auth.passkeyneeded')
    const show = async (by: SoftwareAuthenticator) =>
      post('/auth/oidc/passkey', by.get((await post('/auth/passkey/options', {})).body as never))
    expect((await show(new SoftwareAuthenticator(parley.origin))).body.code).toBe('auth.passkey')
    const signed = await show(authenticator)
    expect(signed.status, signed.text).toBe(200)
    expect((await detailOf(id)).signin_way).toBe('oidc')
    const counted = { counter: authenticator.counter }
    const copied = authenticator.get((await post('/auth/passkey/options', {})).body as never, counted)
    expect((await post('/auth/oidc/passkey', copied)).body.code).toBe('auth.passkey')
    expect((await admin.get(`/audit?entityid=${id}&action=passkeyrefused`)).body.total).toBe(1)
  })
})

describe('a logout that the provider sends', () => {
  const send = async (token: string) =>
    parley.anyone.send('POST', `/auth/oidc/${forged}/logout`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }),
    })
  let ids = 0
  const logoutOf = (more: JWTPayload): JWTPayload => {
    ids += 1
    const times = { iat: nowS(), exp: nowS() + 120 }
    return { iss: forger.issuer, aud: 'parley', jti: `jti-${ids}`, events: EVENTS, ...times, ...more }
  }
  const logout = (more: JWTPayload) => forger.sign(logoutOf(more), { typ: 'logout+jwt' })

  test('ends the sessions of one session there, or all of a person, within a second [P-2543]', async () => {
    const person = { sub: 'away', preferred_username: 'away' }
    const [one, two, three] = [
      (await forge({ ...person, sid: 'one' })).browser.client,
      (await forge({ ...person, sid: 'two' })).browser.client,
      (await forge({ sub: 'stays', preferred_username: 'stays', sid: 'three' })).browser.client,
    ]
    const began = ownClock(parley.pid)
    const answer = await send(await logout({ sub: 'away', sid: 'one' }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect([await isLive(one), await isLive(two), await isLive(three)]).toEqual([false, true, true])
    expect((await send(await logout({ sub: 'away' }))).status).toBe(200)
    expect([await isLive(two), await isLive(three)]).toEqual([false, true])
    expect(ownClock(parley.pid) - began).toBeLessThan(1_000)
  })

  test('is refused when it is forged, an ID token, or repeated [P-2543]', async () => {
    const { browser } = await forge({ sub: 'kept', preferred_username: 'kept' })
    const good = await logout({ sub: 'nobody' })
    expect((await send(good)).status).toBe(200)
    const wrong = [
      good,
      await forger.signElsewhere({ iss: forger.issuer, aud: 'parley', sub: 'kept', events: EVENTS, jti: 'x' }),
      await forger.sign(claimsOf('n', { sub: 'kept' })),
      await logout({ sub: 'kept', nonce: 'n' }),
      await logout({ sub: 'kept', iat: nowS() - 130 }),
      await logout({ sub: 'kept', iat: nowS() + 130 }),
      await logout({ sub: 'kept', exp: nowS() - 100 }),
      await logout({ sub: 'kept', aud: 'other' }),
      await logout({ sub: 'kept', iss: 'https://other.example' }),
      await logout({ sub: 'kept', events: { 'http://schemas.openid.net/event/other': {} } }),
      await logout({ sub: 'kept', jti: undefined as unknown as string }),
      await logout({}),
      unsigned(logoutOf({ sub: 'kept' })),
      await forger.signByPublicKey(logoutOf({ sub: 'kept' })),
      await forger.signWithOwnKey(logoutOf({ sub: 'kept' })),
      await forger.sign(logoutOf({ sub: 'kept' }), { typ: 'at+jwt' }),
      'nothing',
      '',
    ]
    for (const [at, token] of wrong.entries())
      expect(await send(token), String(at)).toMatchObject({ status: 400, body: { code: 'auth.logout' } })
    const large = await send('x'.repeat(9_000))
    expect(large.status).toBe(413)
    expect(await isLive(browser.client)).toBe(true)
  })
})

describe('an identity provider of the console', () => {
  test('is at the root, one of at most five, and its secret is never shown [P-2548]', async () => {
    const given = { name: 'Another', issuer: 'https://id.example', client_id: 'p', client_secret: 'planted-secret' }
    const below = await admin.post('/identityprovider', { ...given, hierarchylevel: branch })
    expect(below).toMatchObject({ status: 422, body: { errors: [{ path: 'hierarchylevel' }] } })
    for (const issuer of [
      'http://id.example',
      'https://user@id.example',
      'https://id.example/?a=1',
      'ftp://id.example',
    ])
      expect((await admin.post('/identityprovider', { ...given, issuer })).status).toBe(422)
    const made: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) made.push(await admin.create('identityprovider', { ...given, name }))
    expect((await admin.post('/identityprovider', given)).body.code).toBe('entity.limit')
    expect((await admin.get(`/identityprovider/${made[0]}`)).text).not.toContain('planted-secret')
    for (const id of made)
      expect((await admin.delete(`/identityprovider/${id}`, { confirm: 'CONFIRM' })).status).toBe(200)
  })

  test('needs every right, as the values of groups need the rights that they give [P-2548]', async () => {
    const actions = ['createidentityprovider', 'updateidentityprovider', 'readidentityprovider', 'updateusergroup']
    const role = await admin.create('role', { name: 'Half', actions })
    const half = await admin.create('usergroup', { name: 'Half', roles: [role] })
    await admin.create('user', { username: 'half', password: 'Segredo-2026!', usergroup: [half] })
    const client = await parley.signIn('half', 'Segredo-2026!')
    const given = { name: 'Mine', issuer: 'https://id.example', client_id: 'p' }
    expect((await client.post('/identityprovider', given)).body.code).toBe('access.grant')
    const { revision } = (await admin.get(`/identityprovider/${forged}`)).body
    expect((await client.patch(`/identityprovider/${forged}`, { name: 'Mine' }, revision)).body.code).toBe(
      'access.grant',
    )
    const [everything] = (await admin.get('/usergroup?search=Administrators')).body.items
    const change = { identifiedby: 'everybody' }
    const changed = await client.patch(`/usergroup/${everything?.id}`, change, Number(everything?.revision))
    expect(changed.body.code).toBe('access.grant')
  })

  test('is tested with what is saved [P-2549]', async () => {
    const { status, body } = await admin.post(`/identityprovider/${forged}/test`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, callback: `${parley.origin}/botadmin/api/auth/oidc/${forged}/callback` })
    expect(body.checks).toMatchObject([{ part: 'discovery' }, { part: 'keys', detail: '1' }, { part: 'pkce' }])
  })

  test('signs nobody in while it is not enabled [P-2590]', async () => {
    const { revision } = (await admin.get(`/identityprovider/${forged}`)).body
    await admin.patch(`/identityprovider/${forged}`, { enable: false }, revision)
    expect((await parley.anyone.get(`/auth/oidc/${forged}/start`)).status).toBe(404)
    expect((await parley.anyone.get('/auth/oidc')).body.items).toHaveLength(1)
  })
})
