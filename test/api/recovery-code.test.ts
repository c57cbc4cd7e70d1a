import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, PASSWORD, person } from './people.ts'

let parley: Parley
let admin: Client
let home: string
beforeAll(async () => {
  parley = await openParley({ env: { PARLEY_SAMPLE: 'off' } })
  admin = await parley.signIn()
  home = await level(admin, 'Recovery')
})
afterAll(() => discard(parley))

const PLAIN = { password: `${PASSWORD}x` }

/** A user with a registered authenticator and ten codes. */
const registered = async (username: string) => {
  const one = await person(parley, admin, { username, level: home, actions: ['readbot'] })
  const { secret } = (await one.client.post('/user/register2fa', {})).body as unknown as { secret: string }
  const confirmed = await one.client.post('/user/verify2fa', { token: generateSync({ secret }) })
  expect(confirmed.status, confirmed.text).toBe(200)
  const made = await one.client.post('/user/recoverycodes', PLAIN)
  expect(made.status, made.text).toBe(200)
  return { ...one, codes: (made.body as unknown as { codes: string[] }).codes }
}
const signIn = (username: string, token?: string) =>
  parley.anyone.post('/auth/login', { username, ...PLAIN, ...(token === undefined ? {} : { token }) })

test('ten codes, each of which opens a session once in place of the authenticator [P-402]', async () => {
  const { client, codes } = await registered('rosa')
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^(?:[A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/u)
  const [first = '', second = ''] = codes
  const opened = await signIn('rosa', first)
  expect(opened.body).toMatchObject({ token: { accessToken: expect.any(String) }, twofactorenabled: true })
  expect((await client.get('/user/recoverycodes')).body).toEqual({ twofactorenabled: true, left: 9 })
  expect((await signIn('rosa', first)).status).toBe(401)
  // However it is written.
  expect((await signIn('rosa', ` ${second.toLowerCase().replaceAll('-', ' ')}`)).status).toBe(200)
  expect((await client.get('/user/recoverycodes')).body).toMatchObject({ left: 8 })
})

test('records an authenticator once confirmed, and a recovery code under its own name [P-1808]', async () => {
  const since = new Date().toISOString()
  const { id, client } = await person(parley, admin, { username: 'rosaura', level: home, actions: ['readbot'] })
  const verbs = async () => {
    const { items } = (await admin.get(`/audit?entity=user&entityid=${id}&from=${since}`)).body
    return items.map(({ action }) => action)
  }
  const before = (await verbs()).length
  const { revision } = (await admin.get(`/user/${id}`)).body
  await client.post('/user/register2fa', {})
  const { secret } = (await client.post('/user/register2fa', {})).body as unknown as { secret: string }
  expect(await verbs()).toHaveLength(before)
  expect((await admin.get(`/user/${id}`)).body).toMatchObject({ revision, twofactorenabled: false })
  expect((await client.post('/user/verify2fa', { token: generateSync({ secret }) })).status).toBe(200)
  expect((await verbs())[0]).toBe('twofactorverified')
  const made = (await client.post('/user/recoverycodes', PLAIN)).body as unknown as { codes: string[] }
  expect((await signIn('rosaura', made.codes[0])).status).toBe(200)
  expect((await verbs()).slice(0, 3)).toEqual(['signedin', 'recoverycodeused', 'recoverycodesmade'])
})

test('an authenticator that was offered before a reset is not confirmed after it [P-1808]', async () => {
  const { id, client } = await person(parley, admin, { username: 'rosalia', level: home, actions: ['readbot'] })
  const { secret } = (await client.post('/user/register2fa', {})).body as unknown as { secret: string }
  expect((await admin.post(`/user/${id}/reset2fa`, {})).status).toBe(200)
  expect((await client.post('/user/verify2fa', { token: generateSync({ secret }) })).body.code).toBe('auth.twofactor')
})

test('one code at two doors at once opens one of them [P-402]', async () => {
  const { codes } = await registered('rute')
  const answers = await Promise.all([signIn('rute', codes[0]), signIn('rute', codes[0])])
  const tokens = answers.filter(({ body }) => (body.token as { accessToken?: string } | undefined)?.accessToken)
  expect(tokens).toHaveLength(1)
})

test('requires the password for new codes, which end the old; hides them in answers, history and audit [P-402]', async () => {
  const { id, client, codes } = await registered('rui')
  const wrong = await client.post('/user/recoverycodes', { password: 'Errada-2026!' })
  expect([wrong.status, wrong.body.code]).toEqual([422, 'user.password.original'])
  const fresh = (await client.post('/user/recoverycodes', PLAIN)).body as unknown as { codes: string[] }
  expect((await signIn('rui', codes[0])).status).toBe(401)
  expect((await signIn('rui', fresh.codes[0])).status).toBe(200)
  const shown = await Promise.all(
    [`/user/${id}`, `/user/${id}/history`, `/audit?entityid=${id}`].map(async path => (await admin.get(path)).text),
  )
  for (const text of shown) expect(text).not.toMatch(/recoverycodes"/u)
  for (const code of fresh.codes) expect(shown.join()).not.toContain(code)
})

test('without an authenticator there are none, and its reset ends them [P-402]', async () => {
  const plain = await person(parley, admin, { username: 'raul', level: home, actions: ['readbot'] })
  expect((await plain.client.post('/user/recoverycodes', PLAIN)).body.code).toBe('user.twofactor.missing')
  const { id, client } = await registered('rita')
  expect((await admin.post(`/user/${id}/reset2fa`, {})).status).toBe(200)
  expect((await client.get('/user/recoverycodes')).body).toEqual({ twofactorenabled: false, left: 0 })
})

test('a code changes no password [P-402]', async () => {
  const { codes } = await registered('rafa')
  const change = {
    username: 'rafa',
    old: PLAIN.password,
    new: 'Parley-2027!',
    confirm: 'Parley-2027!',
    token: codes[0],
  }
  expect((await parley.anyone.post('/user/password', change)).status).toBe(401)
  expect((await signIn('rafa', codes[0])).status).toBe(200)
})
