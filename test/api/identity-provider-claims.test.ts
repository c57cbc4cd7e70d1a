import type { JWTPayload } from 'jose'
import { afterAll, expect, test } from 'vitest'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { startForgingProvider, unsigned } from '#test/doubles/oidc/forging-provider.ts'
import type { Answer } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'
import { ProviderBrowser } from './provider-browser.ts'

type Claims = AnswerOf<'POST /identityprovider/{id}/testclaims'>

const forger = await startForgingProvider()
const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
const branch = await level(admin, 'Branch')
const other = await level(admin, 'Other branch')
const editor = await admin.create('role', { name: 'Editor', actions: ['readbot'] })
await admin.create('usergroup', {
  name: 'Branch editors',
  identifiedby: 'editors',
  roles: [editor],
  hierarchylevel: branch,
})
await admin.create('usergroup', { name: 'Others', identifiedby: 'others', roles: [], hierarchylevel: other })
const actions = ['readidentityprovider', 'testidentityprovider']
/** Tests of one person are limited by the minute. */
const tester = (await person(parley, admin, { username: 'tester', level: root, actions })).client
// People cannot sign in with it yet.
const provider = await admin.create('identityprovider', {
  ...{ name: 'Forger', issuer: forger.issuer, client_id: 'parley', client_secret: 'kept', enable: false },
  ...{ linkbyemail: true, domains: ['aurora.example'] },
})
afterAll(() => forger.close())

const nowS = () => Math.floor(Date.now() / 1000)
const claimsOf = (nonce: string, more: JWTPayload = {}): JWTPayload => ({
  ...{ iss: forger.issuer, aud: 'parley', sub: 'tester', nonce, iat: nowS(), exp: nowS() + 300 },
  ...{ preferred_username: 'helena', given_name: 'Helena', family_name: 'Prado', email: 'helena@aurora.example' },
  ...{ email_verified: true, groups: ['editors', 'board'], department: 'Sales' },
  ...more,
})

let codes = 0

interface Begun {
  readonly state: string
  readonly nonce: string
  /** As the browser sends it. */
  readonly cookie: string
  readonly line: string
}

const begin = async (client = admin): Promise<Begun> => {
  const { status, body, headers, text } = await client.post(`/identityprovider/${provider}/testaccount`)
  expect(status, text).toBe(200)
  const { searchParams } = new URL(String(body.url))
  const [line = ''] = headers.getSetCookie()
  const [cookie = ''] = line.split(';')
  return { state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '', cookie, line }
}
const queryOf = (state: string) => new URLSearchParams({ code: `test-code-${++codes}`, state }).toString()
const finish = async (query: string, cookie: string, client = admin): Promise<Answer> =>
  client.post(`/identityprovider/${provider}/testclaims`, { query }, { cookie })

/** Tests with these claims. */
const claimsFor = async (more: JWTPayload = {}): Promise<Claims> => {
  const { state, nonce, cookie } = await begin()
  forger.idToken = await forger.sign(claimsOf(nonce, more))
  const { status, body, text } = await finish(queryOf(state), cookie)
  expect(status, text).toBe(200)
  return body as unknown as Claims
}

test('shows the claims of the tester, what each is read for, and the groups with their roles and levels [P-2692]', async () => {
  const { state, nonce, cookie, line } = await begin()
  for (const part of ['HttpOnly', 'SameSite=Strict', `Path=/botadmin/api/identityprovider/${provider}`])
    expect(line).toContain(part)
  forger.idToken = await forger.sign(claimsOf(nonce))
  const query = queryOf(state)
  const before = forger.tokenCalls.length
  const led = await new ProviderBrowser(parley, provider).finish(
    Object.fromEntries(new URLSearchParams(query)),
    'text/html',
  )
  expect(led).toMatchObject({
    status: 200,
    leads: `/botadmin/identityprovider/${provider}#test=${encodeURIComponent(query)}`,
  })
  expect(led.headers.get('referrer-policy')).toBe('no-referrer')
  expect(forger.tokenCalls.length).toBe(before)

  const claims = (await finish(query, cookie)).body as unknown as Claims
  expect(claims).toMatchObject({
    ...{ refusal: null, account: 'new', username: null, level: 'Branch', usergroups: ['Branch editors'], lost: [] },
    person: { username: 'helena', firstname: 'Helena', email: 'helena@aurora.example', secondfactor: false },
    groups: [
      { value: 'editors', usergroups: [{ name: 'Branch editors', level: 'Branch', roles: ['Editor'] }] },
      { value: 'board', usergroups: [] },
    ],
  })
  const uses = Object.fromEntries(claims.claims.map(({ name, use }) => [name, use]))
  expect(uses).toMatchObject({ sub: 'account', preferred_username: 'username', groups: 'groups', department: null })
  expect(claims.claims.find(({ name }) => name === 'groups')?.value).toBe('["editors","board"]')
  expect(uses).not.toHaveProperty('nonce')
  expect(claims.claims.at(0)?.use).not.toBeNull()
  expect(claims.claims.at(-1)?.use).toBeNull()
})

test('predicts the result of a sign-in, and changes nothing [P-2692]', async () => {
  const people = async () => (await admin.get('/user?size=100')).body.items.map(({ username }) => username)
  const [before, told] = [await people(), (await admin.get('/notification')).body.items.length]
  expect((await claimsFor({ groups: ['board'] })).refusal).toMatchObject({ code: 'auth.nogroup' })
  expect((await claimsFor({ groups: undefined })).groups).toBeNull()
  expect(await claimsFor({ groups: ['editors', 'others'] })).toMatchObject({ refusal: { code: 'auth.level' } })
  expect((await claimsFor({ groups: undefined, _claim_names: { groups: 'src1' } })).refusal?.code).toBe('auth.groups')

  const given = { username: 'helena.p', email: 'helena@aurora.example', password: 'Segredo-2026!' }
  const group = await admin.create('usergroup', { name: 'Leavers', identifiedby: 'leavers', roles: [] })
  const id = await admin.create('user', { ...given, usergroup: [group] })
  // The answer comes after everything stored before is shown.
  expect((await people()).toSorted()).toEqual([...before, 'helena.p'].toSorted())
  expect((await admin.get('/notification')).body.items.length).toBe(told)
  const linked = await claimsFor({ amr: ['mfa'] })
  expect(linked).toMatchObject({ refusal: null, account: 'linked', username: 'helena.p', lost: ['Leavers'] })
  expect(linked.person.secondfactor).toBe(true)
  expect((await admin.get(`/user/${id}`)).body).toMatchObject({
    usergroup: [group],
    signin_way: null,
    username: 'helena.p',
  })
  await admin.post(`/user/${id}/lock`)
  expect((await claimsFor()).refusal?.code).toBe('auth.locked')
})

test('reads the claims once, in the browser and the session that began the test [P-2693]', async () => {
  const { state, nonce, cookie } = await begin()
  forger.idToken = await forger.sign(claimsOf(nonce))
  const other = await parley.signIn()
  const foreign = await begin(other)
  for (const [query, with_, client] of [
    [queryOf(state), '', admin],
    [queryOf(state), foreign.cookie, admin],
    [queryOf(foreign.state), cookie, admin],
    [queryOf(state), cookie, other],
    ['', cookie, admin],
  ] as const)
    expect(await finish(query, with_, client)).toMatchObject({ status: 400, body: { code: 'auth.state' } })
  const query = queryOf(state)
  expect((await finish(query, cookie)).status).toBe(200)
  expect((await finish(query, cookie)).body.code).toBe('auth.state')
})

test('refuses forged tokens in a test like in a sign-in [P-2693]', async () => {
  const forgeries: readonly ((nonce: string) => Promise<string> | string)[] = [
    () => forger.sign(claimsOf('other')),
    nonce => forger.sign(claimsOf(nonce, { aud: 'other' })),
    nonce => forger.sign(claimsOf(nonce, { iss: 'https://other.example' })),
    nonce => unsigned(claimsOf(nonce)),
    nonce => forger.signByPublicKey(claimsOf(nonce)),
    nonce => forger.signElsewhere(claimsOf(nonce)),
  ]
  for (const forged of forgeries) {
    const { state, nonce, cookie } = await begin(tester)
    forger.idToken = await forged(nonce)
    expect((await finish(queryOf(state), cookie, tester)).body.code).toBe('auth.answer')
  }
})

test('begins no session with the state of a test, nor a test with that of a sign-in [P-2693]', async () => {
  const { revision } = (await admin.get(`/identityprovider/${provider}`)).body
  await admin.patch(`/identityprovider/${provider}`, { enable: true }, revision)
  const browser = new ProviderBrowser(parley, provider)
  const signIn = await browser.begin()
  expect(signIn.state).not.toContain('.')
  const test = await begin(tester)
  forger.idToken = await forger.sign(claimsOf(test.nonce))
  // The browser that began both: the state decides.
  const led = await browser.finish(Object.fromEntries(new URLSearchParams(queryOf(test.state))))
  expect(led.leads).toContain('#test=')
  expect(browser.cookies.get('parley')).toBeUndefined()
  expect((await finish(queryOf(signIn.state), test.cookie, tester)).body.code).toBe('auth.state')
  const asCookie = `parley_oidc_test=${browser.cookies.get('parley_oidc')}`
  expect((await finish(queryOf(signIn.state), asCookie, tester)).body.code).toBe('auth.state')
})

test('needs the right to test, and names groups and roles to those who may read them [P-2693]', async () => {
  const { state, nonce, cookie } = await begin(tester)
  forger.idToken = await forger.sign(claimsOf(nonce, { sub: 'someone', email: undefined }))
  const answer = await finish(queryOf(state), cookie, tester)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.text).not.toContain('Branch editors')
  expect(answer.text).not.toContain('Editor"')
  const { client: reader } = await person(parley, admin, {
    username: 'reader',
    level: root,
    actions: ['readidentityprovider'],
  })
  for (const path of ['testaccount', 'testclaims'])
    expect((await reader.post(`/identityprovider/${provider}/${path}`, { query: '' })).status).toBe(403)
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const token = String((await admin.post('/apitoken', { name: 'program', expires })).body.token)
  const program = await parley.anyone.post(
    `/identityprovider/${provider}/testaccount`,
    {},
    { authorization: `Bearer ${token}` },
  )
  expect(program).toMatchObject({ status: 403, body: { code: 'access.token' } })
})

test('notifies a person whose account a sign-in links by its e-mail address, once [P-2738]', async () => {
  const group = await admin.create('usergroup', { name: 'Readers', roles: [] })
  const given = { username: 'rita', email: 'rita@aurora.example', password: 'Segredo-2026!', usergroup: [group] }
  await admin.create('user', given)
  const links = { sub: 'rita-1', preferred_username: 'rita', email: 'rita@aurora.example' }
  for (let time = 0; time < 2; time += 1) {
    const browser = new ProviderBrowser(parley, provider)
    const { state, nonce } = await browser.begin()
    forger.idToken = await forger.sign(claimsOf(nonce, links))
    const done = await browser.finish(Object.fromEntries(new URLSearchParams(queryOf(state))))
    expect(done.status, done.text).toBe(200)
    const notices = async () => (await browser.client.get('/notification')).body.items
    const params = expect.objectContaining({ host: new URL(forger.issuer).host })
    const linked = expect.objectContaining({ message: 'user.linkedanew', params })
    await expect.poll(notices).toContainEqual(linked)
    // The answer comes after everything stored before is shown.
    await admin.create('usergroup', { name: `Later ${time}`, roles: [] })
    expect((await notices()).filter(({ message }) => message === 'user.linkedanew')).toHaveLength(1)
  }
})

test('names a user by the first part of the address and a number when another has the address [P-2498]', async () => {
  const email = 'vera@aurora.example'
  const vera = await admin.create('user', { username: 'vera', email, password: 'Segredo-2026!' })
  const claims = { sub: 'vera-1', preferred_username: email, email, email_verified: false }
  for (const _ of ['first', 'again']) {
    const browser = new ProviderBrowser(parley, provider)
    const { state, nonce } = await browser.begin()
    forger.idToken = await forger.sign(claimsOf(nonce, claims))
    const done = await browser.finish(Object.fromEntries(new URLSearchParams(queryOf(state))))
    expect(done.status, done.text).toBe(200)
    expect((await browser.client.get('/auth/user')).body.user).toMatchObject({ username: 'vera2' })
  }
  expect((await admin.get(`/user/${vera}`)).body).toMatchObject({ email, signin_way: null })
})

test('takes 60 logouts a minute from one address [P-2543]', async () => {
  const send = () =>
    parley.anyone.send('POST', '/auth/oidc/unknown/logout', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: 'x' }),
    })
  const statuses: number[] = []
  for (let count = 0; count < 60; count += 1) statuses.push((await send()).status)
  expect(new Set(statuses)).toEqual(new Set([404]))
  const { status, headers } = await send()
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})
