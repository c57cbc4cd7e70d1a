import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startOAuthServer } from '#test/doubles/oauth-server.ts'
import { discard } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

const parley = await openParley({ env: { ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'debug' } })
const admin = await parley.signIn()
const server = await startOAuthServer()
const bot = (await admin.post('/bot', { name: 'Loja' })).body.id
afterAll(async () => {
  await server.close()
  await parley.close()
})

const SECRET = 's3cr:t/ção'
let made = 0
const configure = async (fields: object): Promise<string> => {
  const given = {
    bot,
    name: `c${++made}`,
    access_token_url: `${server.url}/token`,
    client_id: 'parley',
    secret: SECRET,
  }
  const { status, text, body } = await admin.post('/oauth', { grant_type: 'client_credentials', ...given, ...fields })
  expect(status, text).toBe(201)
  return body.id
}
const tested = async (id: string, client = admin) => {
  const { status, text, body } = await client.post(`/oauth/${id}/test`, {})
  expect(status, text).toBe(200)
  expect(text).not.toContain('TOKEN-123')
  return body as unknown as { ok: boolean; failure?: { code: string; detail: string }; expires_in?: number }
}

describe('OAuth configuration', () => {
  test('holds what a token needs and never shows a secret again [C-3.54]', async () => {
    const headers = [{ id: 'h1', name: 'x-key', value: 'top-secret' }]
    const id = await configure({
      callback: 'https://a.example/cb',
      auth_url: 'https://a.example/auth',
      scope: 's',
      headers,
    })
    const { body, text } = await admin.get(`/oauth/${id}`)
    expect(body).toMatchObject({
      grant_type: 'client_credentials',
      callback: 'https://a.example/cb',
      auth_url: 'https://a.example/auth',
      access_token_url: `${server.url}/token`,
      client_id: 'parley',
      secret: { set: true },
      password: null,
      scope: 's',
      headers: [{ id: 'h1', name: 'x-key', value: { set: true } }],
    })
    const histories = await admin.get(`/oauth/${id}/history`)
    const audit = await admin.get(`/audit?entity=oauth&entityid=${id}`)
    for (const answer of [text, histories.text, audit.text, (await admin.get('/oauth/export')).text])
      expect(answer).not.toMatch(/s3cr|top-secret/)
    // Rotated without having been shown.
    expect((await admin.patch(`/oauth/${id}`, { secret: 'another' }, body.revision)).status).toBe(200)
    expect((await tested(id)).failure?.code).toBe('oauth.refused')
  })

  test('says what is wrong with a grant, an address and a missing name [C-3.54]', async () => {
    const wrong = await admin.post('/oauth', { bot, grant_type: 'implicit', access_token_url: 'javascript:alert(1)' })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors.map(({ path }) => path).sort()).toEqual(['access_token_url', 'grant_type', 'name'])
  })

  test('fetches a token with each grant that needs no person, and returns its lifetime [P-240]', async () => {
    const granted = await tested(await configure({ scope: 'read' }))
    expect(granted).toMatchObject({ ok: true, expires_in: 3600, token_type: 'Bearer', scope: 'read' })
    expect(Object.fromEntries(server.calls.at(-1)?.body ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
    })
    const headers = [{ name: 'x-tenant', value: 'loja' }]
    expect(
      (await tested(await configure({ grant_type: 'password', username: 'ana', password: 'p&w=1', headers }))).ok,
    ).toBe(true)
    expect(Object.fromEntries(server.calls.at(-1)?.body ?? [])).toEqual({
      grant_type: 'password',
      username: 'ana',
      password: 'p&w=1',
    })
    expect(server.calls.at(-1)?.headers['x-tenant']).toBe('loja')
    expect((await tested(await configure({ grant_type: 'refresh_token', password: 'r1' }))).ok).toBe(true)
    expect(server.calls.at(-1)?.body.get('refresh_token')).toBe('r1')
  })

  test('tells the reason by its class when there is no token [P-240]', async () => {
    const at = (path: string) => configure({ access_token_url: `${server.url}${path}` })
    const codes = await Promise.all(
      ['/html', '/broken', '/empty'].map(async path => (await tested(await at(path))).failure?.code),
    )
    expect(codes).toEqual(['oauth.answer', 'oauth.refused', 'oauth.answer'])
    const refused = await tested(await configure({ client_id: 'nobody' }))
    expect(refused.failure).toMatchObject({ code: 'oauth.refused' })
    expect(refused.failure?.detail).toContain('invalid_client: Unknown client')
    expect((await tested(await configure({ grant_type: 'authorization_code' }))).failure?.code).toBe('oauth.consent')
    const silent = await configure({ access_token_url: 'http://127.0.0.1:9/token' })
    expect((await tested(silent)).failure?.code).toBe('outbound.unreachable')
  })

  test('is tested by those who may alone, within their levels, and writes nothing [P-240]', async () => {
    const id = await configure({})
    const { body: before } = await admin.get(`/oauth/${id}`)
    const home = String(before.hierarchylevel)
    const reader = await person(parley, admin, { username: 'reader', level: home, actions: ['readoauth', 'readbot'] })
    expect((await reader.client.post(`/oauth/${id}/test`, {})).status).toBe(403)
    const elsewhere = await level(admin, 'Outra')
    const outsider = await person(parley, admin, { username: 'outsider', level: elsewhere, actions: ['testoauth'] })
    expect((await outsider.client.post(`/oauth/${id}/test`, {})).status).toBe(404)
    await tested(id)
    expect((await admin.get(`/oauth/${id}`)).body.revision).toBe(before.revision)
    expect(parley.log()).toContain('answered')
    expect(parley.log()).not.toMatch(/TOKEN-123|s3cr/)
  })

  test('does not reach a private address unless that is allowed [P-240]', async () => {
    const guarded = await openParley()
    try {
      const client = await guarded.signIn()
      const inside = (await client.post('/bot', { name: 'Loja' })).body.id
      const given = {
        bot: inside,
        name: 'x',
        grant_type: 'client_credentials',
        access_token_url: `${server.url}/token`,
      }
      const { body } = await client.post('/oauth', given)
      const calls = server.calls.length
      expect((await tested(body.id, client)).failure?.code).toBe('outbound.private')
      expect(server.calls).toHaveLength(calls)
    } finally {
      await discard(guarded)
    }
  })

  test('keeps its secrets encrypted in the store [C-3.54]', async () => {
    const stored = ['events.sqlite', 'events.sqlite-wal'].map(file => {
      try {
        return readFileSync(join(parley.folder, file)).toString('latin1')
      } catch {
        return ''
      }
    })
    expect(stored.join('')).not.toMatch(/s3cr|top-secret|TOKEN-123/)
  })
})
