import { generateSync } from 'otplib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Forgery, SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { type Answer, type Client, clientOf } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, PASSWORD, person } from './people.ts'

const { parley, admin } = await openAdmin()
const home = await level(admin, 'Recovery')

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

const API_ORIGIN = () => parley.origin.replace('127.0.0.1', 'localhost')
const newAuthenticator = (counts = true) => new SoftwareAuthenticator(API_ORIGIN(), counts)

interface Challenged {
  readonly challenge: string
  readonly rpId: string
}
const challengeFor = async (client: Client) =>
  (await client.post('/auth/passkey/options')).body as unknown as Challenged
const show = async (authenticator: SoftwareAuthenticator, forged: Forgery = {}) =>
  parley.anyone.post('/auth/passkey', authenticator.get(await challengeFor(parley.anyone), forged))

const addPasskey = async (client: Client, authenticator: SoftwareAuthenticator, name = 'Telefone') => {
  const options = await client.post('/user/passkey/options')
  if (options.status !== 200) return options
  return client.post('/user/passkey', { name, passkey: authenticator.create(options.body as never) })
}
const withPasskey = async (username: string, counts = true) => {
  const made = await person(parley, admin, { username, level: home, actions: ['readbot'] })
  const authenticator = newAuthenticator(counts)
  const added = await addPasskey(made.client, authenticator)
  if (added.status !== 204) throw new Error(added.text)
  return { ...made, authenticator }
}
const verbsOf = async (id: string) =>
  (await admin.get(`/audit?entity=user&entityid=${id}`)).body.items.map(({ action }) => action)
const sessionOf = ({ body }: Answer) =>
  clientOf(parley.origin, (body.token as { accessToken?: string } | undefined)?.accessToken ?? '')

test('a passkey signs in without a name, as both factors, and the audit and the list of sessions say so [P-2683]', async () => {
  const { id, client, authenticator } = await withPasskey('paula')
  expect((await parley.anyone.post('/auth/passkey/options')).body).toEqual({
    ...{ challenge: expect.stringMatching(/^[\w-]{43}$/u), timeout: 300_000, rpId: 'localhost' },
    ...{ userVerification: 'required', allowCredentials: [] },
  })
  await admin.patch(`/user/${id}`, { enabletwofactor: true }, (await admin.get(`/user/${id}`)).body.revision)
  const signed = await show(authenticator)
  expect(signed.status, signed.text).toBe(200)
  expect(signed.headers.getSetCookie().join()).toMatch(/parley=.*parley_device=/su)
  const own = sessionOf(signed)
  expect((await own.get('/auth/session')).body.items).toContainEqual(
    expect.objectContaining({ current: true, way: 'passkey' }),
  )
  expect((await verbsOf(id)).slice(0, 1)).toEqual(['signedin'])
  const [line] = (await admin.get(`/audit?entity=user&entityid=${id}&action=signedin`)).body.items
  expect(line).toMatchObject({ source: { kind: 'passkey' } })
  expect((await admin.get(`/user/${id}`)).body).toMatchObject({ signin_way: 'passkey' })
  const { items, proofs, origin } = (await client.get('/user/passkey')).body
  const [passkey] = items
  expect({ proofs, origin }).toEqual({ proofs: ['password', 'passkey'], origin: API_ORIGIN() })
  expect(passkey).toMatchObject({ name: 'Telefone', backedup: true, last_used_at: expect.any(String) })
  // The notification reaches its person without the right to read users.
  await vi.waitFor(async () =>
    expect((await own.get('/notification')).body.items).toContainEqual(
      expect.objectContaining({ message: 'user.passkeyadded', entityid: id }),
    ),
  )
})

test('a passkey is renamed and removed by its person, who hears of it; nothing shows a key or a name to others [P-2694]', async () => {
  const { id, client, authenticator } = await withPasskey('petra')
  const [{ id: entry } = { id: '' }] = (await client.get('/user/passkey')).body.items as unknown as { id: string }[]
  expect((await client.patch(`/user/passkey/${entry}`, { name: 'Chave azul' }, 0)).status).toBe(204)
  expect((await client.get('/user/passkey')).body.items).toMatchObject([{ name: 'Chave azul' }])
  expect((await admin.delete(`/user/passkey/${entry}`)).status).toBe(404)
  const shown = await Promise.all(
    ['/user?search=petra', `/user/${id}`, `/user/${id}/history`, `/user/${id}/at/2`, `/audit?entityid=${id}`].map(
      async path => (await admin.get(path)).text,
    ),
  )
  for (const text of shown) expect(text).not.toMatch(/passkeys"|Chave azul|Telefone/u)
  expect((await client.delete(`/user/passkey/${entry}`)).status).toBe(204)
  expect((await verbsOf(id)).slice(0, 3)).toEqual(['passkeyremoved', 'passkeyrenamed', 'passkeyadded'])
  expect((await show(authenticator)).body.code).toBe('auth.passkey')
  await vi.waitFor(async () =>
    expect((await client.get('/notification')).body.items).toContainEqual(
      expect.objectContaining({ message: 'user.passkeyremoved' }),
    ),
  )
})

describe('an answer of a passkey', () => {
  let owner: Awaited<ReturnType<typeof withPasskey>>
  let other: Awaited<ReturnType<typeof withPasskey>>
  beforeAll(async () => {
    owner = await withPasskey('patricia')
    other = await withPasskey('pilar')
  })
  const handle = (id: string) => Buffer.from(id).toString('base64url')
  const forgeries: Record<string, () => Forgery> = {
    'another origin': () => ({ origin: 'https://parley.example' }),
    'another port': () => ({ origin: 'http://localhost:1' }),
    'another relying party': () => ({ rpId: 'parley.example' }),
    'a challenge that was never given': () => ({ challenge: handle('x'.repeat(32)) }),
    'the data of a registration': () => ({ type: 'webauthn.create' }),
    'no user verification': () => ({ userVerified: false }),
    'nobody present': () => ({ userPresent: false }),
    'the signature of another key': () => ({ foreignKey: true }),
    'the id of another passkey': () => ({ id: other.authenticator.id }),
    'the user of another passkey': () => ({ userHandle: handle(other.id) }),
    'an unknown user': () => ({ userHandle: handle('11111111-2222-4333-8444-555555555555') }),
    'no user': () => ({ userHandle: handle('../a') }),
    'an unknown passkey': () => ({ id: handle('unknown') }),
  }
  test.each(Object.keys(forgeries))('is refused with %s [P-2684]', async name => {
    const { status, body, headers } = await show(owner.authenticator, forgeries[name]?.())
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'auth.passkey' })
    expect(headers.getSetCookie()).toEqual([])
  })

  test('is refused with a spent challenge, and with that of another session or purpose [P-2684]', async () => {
    const { authenticator, client } = owner
    const asked = await challengeFor(parley.anyone)
    expect((await parley.anyone.post('/auth/passkey', authenticator.get(asked))).status).toBe(200)
    const codeWith = async (given: Challenged, by: Client) =>
      (await by.post('/auth/passkey', authenticator.get(given))).body.code
    expect(await codeWith(asked, parley.anyone)).toBe('auth.passkey')
    expect(await codeWith(await challengeFor(other.client), parley.anyone)).toBe('auth.passkey')
    expect(await codeWith(await challengeFor(other.client), client)).toBe('auth.passkey')
    const creation = (await client.post('/user/passkey/options')).body as unknown as Challenged
    expect(await codeWith({ ...creation, rpId: 'localhost' }, client)).toBe('auth.passkey')
    const { ticket } = (await client.post('/realtime/ticket')).body
    expect(await codeWith({ challenge: ticket, rpId: 'localhost' }, client)).toBe('auth.passkey')
    const theirs = (await other.client.post('/user/passkey/options')).body as never
    const stolen = { name: 'Outro', passkey: newAuthenticator().create(theirs) }
    expect((await client.post('/user/passkey', stolen)).body.code).toBe('auth.passkey')
    expect((await client.get('/user/passkey')).body.items).toHaveLength(1)
  })

  test('is refused from a locked person, whose passkey is right [P-2684]', async () => {
    const locked = await withPasskey('priscila')
    expect((await admin.post(`/user/${locked.id}/lock`)).status).toBe(200)
    expect(await show(locked.authenticator)).toMatchObject({ status: 423, body: { code: 'auth.locked' } })
    expect((await show(locked.authenticator, { foreignKey: true })).body.code).toBe('auth.passkey')
  })
})

test('a counter that does not rise is refused and on record; one that stays 0 is that of a keychain [P-2685]', async () => {
  const { id, authenticator } = await withPasskey('penha')
  expect((await show(authenticator)).status).toBe(200)
  const before = authenticator.counter
  for (const counter of [before, 1, 0]) expect((await show(authenticator, { counter })).body.code).toBe('auth.passkey')
  // Without the key nothing comes on record.
  expect((await show(authenticator, { counter: 1, foreignKey: true })).body.code).toBe('auth.passkey')
  expect((await verbsOf(id)).filter(verb => verb === 'passkeyrefused')).toHaveLength(3)
  expect((await show(authenticator)).status).toBe(200)
  // Of two uses at one moment with one counter one is a copy.
  const copied = { counter: authenticator.counter + 10 }
  const both = await Promise.all([show(authenticator, copied), show(authenticator, copied)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  const keychain = await withPasskey('perola', false)
  for (let n = 0; n < 2; n++) expect((await show(keychain.authenticator)).status).toBe(200)
})

test('confirms who a session is by password, code or passkey, and counts wrong ones [P-2686]', async () => {
  const { client, authenticator, id } = await withPasskey('pia')
  const { secret } = (await client.post('/user/register2fa', {})).body as unknown as { secret: string }
  expect((await client.post('/user/verify2fa', { token: generateSync({ secret }) })).status).toBe(200)
  expect((await client.get('/user/passkey')).body.proofs).toEqual(['password', 'code', 'passkey'])
  expect((await client.post('/user/confirm', PLAIN)).status).toBe(204)
  const ahead = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
  expect((await client.post('/user/confirm', { token: ahead })).status).toBe(204)
  expect((await client.post('/user/confirm', { token: ahead })).body.code).toBe('auth.twofactor')
  const asked = await challengeFor(client)
  expect(asked).toMatchObject({ allowCredentials: [{ id: authenticator.id, transports: ['internal'] }] })
  expect((await client.post('/user/confirm', { passkey: authenticator.get(asked) })).status).toBe(204)
  const wrong = await client.post('/user/confirm', { password: 'Errada-2026!' })
  expect([wrong.status, wrong.body.code]).toEqual([422, 'user.password.original'])
  const { items } = (await admin.get(`/audit?entity=session&entityid=${id}&action=confirmed`)).body
  expect(items).toHaveLength(3)
})
