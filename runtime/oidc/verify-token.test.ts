import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createSigningKeys, verifyIdToken, verifyLogoutToken } from './verify-token.ts'

const NOW_S = 1_800_000_000
const ISSUER = 'https://id.example'
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

const jwksOf = async (one: typeof pair, kid: string) => ({
  keys: [{ ...(await exportJWK(one.publicKey)), kid, alg: 'ES256', use: 'sig' }],
})
type Claims = Readonly<Record<string, unknown>>

const signed = (payload: Claims, header = {}, key = pair.privateKey) =>
  new SignJWT(payload as JWTPayload).setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header }).sign(key)

const pair = await generateKeyPair('ES256')
const keys = createLocalJWKSet(await jwksOf(pair, 'k1'))

const expected = () => ({ keys, issuer: ISSUER, clientId: 'parley', now: () => NOW_S * 1000 })
const ID = { iss: ISSUER, aud: 'parley', sub: 's1', nonce: 'n1', iat: NOW_S, exp: NOW_S + 300 }
const idToken = async (changes: Claims = {}, header = {}) =>
  verifyIdToken(await signed({ ...ID, ...changes }, header), 'n1', expected())

describe('an ID token', () => {
  test('is verified with its subject and session', async () => {
    expect(await idToken({ sid: 'x' })).toMatchObject({ sub: 's1', sid: 'x' })
  })

  test('may be 59 s too old or too new, and not 61 s [P-2532]', async () => {
    for (const fine of [{ exp: NOW_S - 59 }, { iat: NOW_S + 59, exp: NOW_S + 300 }, { nbf: NOW_S + 59 }])
      await expect(idToken(fine)).resolves.toMatchObject({ sub: 's1' })
    for (const wrong of [{ exp: NOW_S - 61 }, { iat: NOW_S + 61, exp: NOW_S + 300 }, { nbf: NOW_S + 61 }])
      await expect(idToken(wrong)).rejects.toThrow()
  })

  test.each<[string, Claims]>([
    ['another nonce', { nonce: 'n2' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'other' }],
    ['a second audience without azp', { aud: ['parley', 'other'] }],
    ['another authorized party', { azp: 'other' }],
    ['another issuer', { iss: 'https://id.example/' }],
    ['no subject', { sub: undefined }],
    ['no expiry', { exp: undefined }],
    ['an old time of issue', { iat: NOW_S - 661 }],
  ])('is refused with %s', async (_name, changes) => {
    await expect(idToken(changes)).rejects.toThrow()
  })

  test('may name its party among several audiences', async () => {
    await expect(idToken({ aud: ['parley', 'other'], azp: 'parley' })).resolves.toMatchObject({ sub: 's1' })
  })
})

const LOGOUT = { iss: ISSUER, aud: 'parley', jti: 'j1', sub: 's1', iat: NOW_S, exp: NOW_S + 120, events: EVENTS }
const logoutToken = async (changes: Claims = {}, header: object = { typ: 'logout+jwt' }) =>
  verifyLogoutToken(await signed({ ...LOGOUT, ...changes }, header), expected())

describe('a logout token', () => {
  test('names a subject, a session or both [P-2543]', async () => {
    expect(await logoutToken()).toEqual({ jti: 'j1', sub: 's1', sid: undefined })
    expect(await logoutToken({ sub: undefined, sid: 'x' }, {})).toEqual({ jti: 'j1', sub: undefined, sid: 'x' })
    expect(await logoutToken({ iat: NOW_S - 119 }, { typ: 'application/logout+jwt' })).toMatchObject({ jti: 'j1' })
  })

  test.each<[string, Claims, object]>([
    ['the type of an ID token', {}, { typ: 'JWT' }],
    ['a nonce', { nonce: 'n' }, {}],
    ['no events', { events: undefined }, {}],
    ['another event', { events: { other: {} } }, {}],
    ['an event that is no object', { events: { 'http://schemas.openid.net/event/backchannel-logout': 1 } }, {}],
    ['neither subject nor session', { sub: undefined }, {}],
    ['no jti', { jti: undefined }, {}],
    ['no expiry', { exp: undefined }, {}],
    ['an age above 2 minutes', { iat: NOW_S - 121 }, {}],
    ['another issuer', { iss: 'https://other.example' }, {}],
    ['another audience', { aud: 'other' }, {}],
  ])('is refused with %s [P-2543]', async (_name, changes, header) => {
    await expect(logoutToken(changes, header)).rejects.toThrow()
  })
})

test('fetches the keys for an unknown key id once in 10 s, and after an hour [P-2533]', async () => {
  let [now, fetched] = [0, 0]
  let published = await jwksOf(pair, 'k1')
  const get = createSigningKeys(
    async () => {
      fetched += 1
      return published
    },
    () => now,
  )
  const ask = (kid: string) => get({ alg: 'ES256', kid }, { payload: '', signature: '' })
  await Promise.all([ask('k1'), ask('k1')])
  expect(fetched).toBe(1)
  published = await jwksOf(await generateKeyPair('ES256'), 'k2')
  await ask('k2')
  expect(fetched).toBe(2)
  for (const at of [0, 9_999]) {
    now = at
    await expect(ask('k3')).rejects.toThrow()
  }
  expect(fetched).toBe(2)
  now = 10_000
  await expect(ask('k3')).rejects.toThrow()
  expect(fetched).toBe(3)
  now = 10_000 + 3_600_000
  await ask('k2')
  expect(fetched).toBe(4)
})
