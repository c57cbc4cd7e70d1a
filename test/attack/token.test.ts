import { request as httpRequest } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { tokenText } from '#commands/people/token-text.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { type Client, clientOf } from '../api/harness.ts'
import { level, person } from '../api/people.ts'
import { patchOf, type ScimClient, scimAccount, scimClient } from '../api/scim-client.ts'

const expires = new Date(Date.now() + 30 * 86_400_000).toISOString()

const { parley, admin } = await openAdmin()

const ACTIONS = [
  'readbot',
  'createbot',
  'readdialog',
  'updatedialog',
  'createapitoken',
  'updateuser',
  'updateusergroup',
]

const own = await level(admin, 'Nível do token')
const beside = await level(admin, 'Nível ao lado')
const holder = await person(parley, admin, { username: 'titular', level: own, actions: ACTIONS })
const token = await make({}, holder.client)

async function make(fields: object, by: Client) {
  const { status, text, body } = await by.post('/apitoken', { name: 'chave', expires, ...fields })
  if (status !== 201) throw new Error(text)
  return { id: String(body.id), text: String(body.token), client: clientOf(parley.origin, String(body.token)) }
}

/** Code of a refusal. */
const codeOf = async (answer: Promise<{ status: number; body: { code?: unknown } }>) => {
  const { status, body } = await answer
  return `${status} ${body.code}`
}
const anyone = () => clientOf(parley.origin, '')

test('a token is taken from the Authorization header alone: no cookie, address, ticket or other scheme [P-2441]', async () => {
  const { text } = token
  const asked = [
    anyone().get('/bot', { cookie: `parley=${text}` }),
    anyone().get(`/bot?token=${text}`),
    anyone().get(`/bot?ticket=${text}`),
    anyone().get('/bot', { 'x-api-key': text }),
    anyone().get('/bot', { authorization: `Basic ${Buffer.from(`x:${text}`).toString('base64')}` }),
  ]
  const codes = await Promise.all(asked.map(codeOf))
  expect(codes[0]).toBe('401 auth.required')
  for (const code of codes) expect(code).not.toMatch(/^2/)
  expect((await token.client.get('/bot')).status).toBe(200)
})

test('a forged token, a typo and a hash in its place are refused as an unknown one [P-2442]', async () => {
  const unknown = tokenText(new Uint8Array(32).fill(7))
  const typo = token.text.slice(0, -1) + (token.text.endsWith('0') ? '1' : '0')
  const answers = await Promise.all(
    [unknown, typo, `prl_${token.id}`, 'prl_', `${token.text}x`].map(text => clientOf(parley.origin, text).get('/bot')),
  )
  const [first] = answers
  expect(first?.body).toMatchObject({ status: 401, code: 'auth.token' })
  for (const { status, text } of answers) expect({ status, text }).toEqual({ status: 401, text: first?.text })
  // The id is no session either.
  for (const text of [token.id, `token:${token.id}`])
    expect(await codeOf(clientOf(parley.origin, text).get('/bot'))).toBe('401 auth.required')
})

test('refuses an unknown and a revoked token in the same time [P-2442]', async () => {
  const revoked = await make({}, holder.client)
  await admin.post(`/apitoken/${revoked.id}/revoke`)
  const times: Record<'unknown' | 'revoked', number[]> = { unknown: [], revoked: [] }
  const timed = async (kind: keyof typeof times, client: Client) => {
    const began = performance.now()
    expect(await codeOf(client.get('/bot'))).toBe('401 auth.token')
    times[kind].push(performance.now() - began)
  }
  for (let round = 0; round < 12; round += 1) {
    await timed('unknown', clientOf(parley.origin, tokenText(new Uint8Array(32).fill(round))))
    await timed('revoked', revoked.client)
  }
  const middle = (list: readonly number[]) => list.toSorted((one, other) => one - other)[6] ?? 0
  const [unknown, known] = [middle(times.unknown), middle(times.revoked)]
  // One look into the store, in both cases: far less than a hash of a password, which takes 20 ms and more.
  expect(Math.abs(unknown - known)).toBeLessThan(Math.max(15, unknown))
})

test('reaches nothing beside its level, by id, filter, search or name [P-2443]', async () => {
  const bot = await admin.create('bot', { name: 'Alheio segredo', hierarchylevel: beside })
  const narrow = await make({ level: own }, admin)
  for (const { client } of [token, narrow]) {
    expect((await client.get(`/bot/${bot}`)).status).toBe(404)
    for (const path of [`/bot?hierarchylevel=${beside}`, '/bot?search=Alheio', '/search?q=Alheio'])
      expect((await client.get(path)).text).not.toContain('Alheio')
    expect((await client.post('/names', { ids: { bot: [bot] } })).text).not.toContain('Alheio')
    expect((await client.post('/bot', { name: 'Lá', hierarchylevel: beside })).status).not.toBe(201)
  }
})

test('makes no token, changes no group and no user, and sees as nobody [P-2444]', async () => {
  const all = await make({}, admin)
  const forbidden = '403 access.forbidden'
  const { client } = all
  expect(await codeOf(client.post('/apitoken', { name: 'x', expires }))).toBe(forbidden)
  expect(await codeOf(client.post(`/apitoken/${token.id}/revoke`))).toBe(forbidden)
  expect(await codeOf(client.patch(`/apitoken/${all.id}`, { name: 'x' }, 1))).toBe(forbidden)
  expect(await codeOf(client.post('/serviceaccount', { name: 'x', owner: holder.id }))).toBe(forbidden)
  expect(await codeOf(client.patch(`/usergroup/${holder.group}`, { roles: [] }, 1))).toBe(forbidden)
  expect(await codeOf(client.patch(`/role/${holder.role}`, { actions: [] }, 1))).toBe(forbidden)
  expect(await codeOf(client.patch(`/user/${holder.id}`, { firstname: 'x' }, 1))).toBe(forbidden)
  expect(await codeOf(client.post(`/user/${holder.id}/resetpassword`))).toBe(forbidden)
  expect(await codeOf(client.post('/user/bulk', { action: 'lock', ids: [holder.id] }))).toBe(forbidden)
  expect((await client.get('/user')).status).toBe(200)
})

test('is refused by every call about sessions, passwords and second factors [P-2445]', async () => {
  const { client } = await make({}, admin)
  const asked: readonly [method: 'get' | 'post', path: string, body?: object][] = [
    ['post', '/auth/logout', {}],
    ['get', '/auth/session'],
    ['post', '/auth/session/end', { others: true }],
    ['post', '/realtime/ticket', {}],
    ['post', '/auth/seeas', { user: holder.id }],
    ['post', '/auth/login', { username: 'admin', password: 'x' }],
    ['post', `/changehierarchylevel/${own}`, {}],
    ['post', '/user/password', { old: 'a', new: 'b', confirm: 'b' }],
    ['post', '/user/password/reset', { token: 'x', new: 'a', confirm: 'a' }],
    ['get', '/user/mail'],
    ['post', '/user/mail', { off: [] }],
    ['post', '/user/register2fa', {}],
    ['post', '/user/verify2fa', { token: '000000' }],
    ['get', '/user/passkey'],
    ['post', '/user/passkey/options', {}],
    ['post', '/auth/passkey/options', {}],
    ['post', '/user/confirm', { password: 'x' }],
    ['get', `/user/${holder.id}/sessions`],
    ['post', `/user/${holder.id}/endsessions`, { all: true }],
  ]
  for (const [method, path, body] of asked) {
    const { status, body: refused } = await (method === 'get' ? client.get(path) : client.post(path, body))
    expect({ path, status, code: refused.code }).toEqual({ path, status: 403, code: 'access.token' })
  }
})

const closeOf = (path: string, headers: Record<string, string>): Promise<number | undefined> => {
  const socket = new WebSocket(`${parley.origin.replace('http', 'ws')}${path}`, { headers })
  return new Promise(resolve => {
    socket.on('error', () => resolve(undefined))
    socket.on('close', resolve)
  })
}

test('a room and the desk close with 4403 for a token, and with 4401 for one that is not good [P-2446]', async () => {
  const { dialog } = await admin.createDialog({ name: 'Sala', hierarchylevel: own }, 'Tarefa', 'Diálogo')
  const room = `/botadmin/realtime/dialog-${dialog}`
  const authorization = `Bearer ${token.text}`
  expect(await closeOf(room, { authorization })).toBe(4403)
  expect(await closeOf('/botadmin/realtime/desk', { authorization })).toBe(4403)
  expect(await closeOf(room, { authorization: `Bearer ${tokenText(new Uint8Array(32).fill(9))}` })).toBe(4401)
  expect(await closeOf(room, { cookie: `parley=${token.text}`, origin: parley.origin })).toBe(4401)
  expect(await closeOf(`${room}?ticket=${token.text}`, {})).toBe(4401)
})

/** A write whose headers are with the server before its body is sent. */
const slowly = (text: string) => {
  const url = new URL(`${parley.origin}/botadmin/api/bot`)
  const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json', 'accept-language': 'en' }
  const sent = httpRequest(url, { method: 'POST', headers })
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', answer => resolve(answer.resume().statusCode ?? 0))
    sent.on('error', reject)
  })
  return { sent, status }
}

test('writes nothing with a body that arrives after its token was revoked or its group lost the right [P-2447]', async () => {
  const other = await person(parley, admin, { username: 'perde o direito', level: own, actions: ACTIONS })
  const [revoked, narrowed] = [await make({}, holder.client), await make({}, other.client)]
  const [first, second] = [slowly(revoked.text), slowly(narrowed.text)]
  for (const { sent } of [first, second]) sent.write('{"na')
  // Both requests are with the server once another one that was sent later is answered.
  await admin.get('/auth/user')
  await admin.post(`/apitoken/${revoked.id}/revoke`)
  const { revision } = (await admin.get(`/role/${other.role}`)).body
  await admin.patch(`/role/${other.role}`, { actions: ['readbot'] }, revision)
  for (const { sent } of [first, second]) sent.end('me":"tarde"}')
  expect(await first.status).toBe(401)
  expect(await second.status).toBe(403)
  expect((await admin.get('/bot?search=tarde')).body.total).toBe(0)
})

test('answers 429 after 60 refused tokens a minute from one address, while good ones are accepted [P-2448]', async () => {
  const wrong = clientOf(parley.origin, tokenText(new Uint8Array(32).fill(1)))
  const statuses: number[] = []
  for (let count = 0; count < 65; count += 1) statuses.push((await wrong.get('/bot')).status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.at(-1)).toBe(429)
  expect((await token.client.get('/bot')).status).toBe(200)
})

describe('SCIM', () => {
  let scim: ScimClient
  let account: Awaited<ReturnType<typeof scimAccount>>
  beforeAll(async () => {
    account = await scimAccount(parley, admin, { name: 'atacado', level: own })
    scim = account.scim
  })

  const errorOf = async (answer: ReturnType<ScimClient>) => {
    const { status, body } = await answer
    expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) })
    return [status, body.scimType].filter(Boolean).join(' ')
  }

  test('takes the token of a service account with the permission alone, and loses it at once [P-2648]', async () => {
    const personal = await make({ scopes: ['scim'] }, admin)
    const narrow = await scimAccount(parley, admin, { name: 'sem scim', level: own, actions: ['readuser'] })
    const scoped = await scimAccount(parley, admin, {
      name: 'scim fora do escopo',
      level: own,
      actions: ['scim', 'readbot'],
      token: { scopes: ['readbot'] },
    })
    const paths = ['/Users', '/ServiceProviderConfig', '/Schemas', '/ResourceTypes/User', '/Users/x', '/anything']
    for (const path of paths) {
      for (const text of [admin.token, personal.text, narrow.token, scoped.token])
        expect(await errorOf(scimClient(parley.origin, text)('GET', path))).toBe('403')
      expect(await errorOf(scimClient(parley.origin, 'unknown')('GET', path))).toBe('401')
    }
    const cookie = { cookie: `parley=${admin.token}` }
    expect((await fetch(`${parley.origin}/botadmin/scim/v2/Users`)).status).toBe(401)
    expect((await fetch(`${parley.origin}/botadmin/scim/v2/Users`, { headers: cookie })).status).toBe(403)
    // The permission opens nothing of the API.
    const api = clientOf(parley.origin, account.token)
    for (const path of ['/user', '/usergroup', `/user/${holder.id}`]) expect((await api.get(path)).status).toBe(403)
    expect(await codeOf(api.post('/user', { username: 'x' }))).toBe('403 access.forbidden')

    const losing = await scimAccount(parley, admin, { name: 'perde scim', level: own })
    expect((await losing.scim('GET', '/Users')).status).toBe(200)
    const { revision } = (await admin.get(`/role/${losing.role}`)).body
    await admin.patch(`/role/${losing.role}`, { actions: ['readbot'] }, revision)
    expect(await errorOf(losing.scim('POST', '/Users', { userName: 'tarde' }))).toBe('403')
  })

  test('bodies of hostile size, depth, number and form are refused before they are used [P-2649]', async () => {
    const users = (body: string) => errorOf(scim('POST', '/Users', body))
    expect(await users(`{"userName":${'['.repeat(400_000)}`)).toBe('400 invalidSyntax')
    expect(await users(`{"userName":"a","x":${'['.repeat(10)}${']'.repeat(10)}}`)).toBe('400 invalidSyntax')
    expect(await users(`{"userName":"a","x":[${'0,'.repeat(60_000)}0]}`)).toBe('413')
    expect(await users(`{"userName":"${'a'.repeat(1_000_001)}"}`)).toBe('413')
    expect(await users('{"userName":"a","__proto__":{"x":1}}')).toBe('400 invalidValue')
    expect(await users('{"userName":"\\ud800"}')).toBe('400 invalidSyntax')
    expect(await users('{"userName":"a\\u0000b"}')).toBe('400 invalidValue')
    expect(await users('"text"')).toBe('400 invalidSyntax')
    const send = (headers: Record<string, string>) =>
      fetch(`${parley.origin}/botadmin/scim/v2/Users`, {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${account.token}`, ...headers },
      })
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send({ 'content-type': 'application/scim+json', 'content-encoding': 'gzip' })).status).toBe(415)
    const many = Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'active', value: true }))
    expect(await errorOf(scim('PATCH', `/Users/${holder.id}`, patchOf(...many)))).toBe('400 invalidValue')
    const filter = encodeURIComponent(`id eq "${'a'.repeat(2_000)}"`)
    expect(await errorOf(scim('GET', `/Users?filter=${filter}`))).toBe('400 invalidFilter')
    expect(await errorOf(scim('GET', '/Users?filter=id%20eq%20%22a%22&filter=id%20eq%20%22b%22'))).toBe(
      '400 invalidFilter',
    )
    expect((await scim('GET', '/Users?startIndex=999999999')).body).toMatchObject({ Resources: [] })
  })

  test('of one token 20 requests are in work and 100 wait; those of others are not held up [P-2627]', async () => {
    const other = await scimAccount(parley, admin, { name: 'outro provedor', level: own })
    const url = new URL(`${parley.origin}/botadmin/scim/v2/Users`)
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/scim+json' }
    const open = Array.from({ length: 20 }, () => {
      // A connection that is kept from before may have ended.
      const sent = httpRequest(url, { method: 'POST', headers, agent: false })
      sent.on('error', () => undefined)
      sent.write('{"userName":')
      return sent
    })
    /** Status of each of 101 requests; undefined for one that waits for 2 s. */
    const statuses = () =>
      Promise.all(
        Array.from({ length: 101 }, () =>
          fetch(url, { headers, signal: AbortSignal.timeout(2_000) }).then(
            ({ status }) => status,
            () => undefined,
          ),
        ),
      )
    await expect.poll(async () => new Set(await statuses()), { timeout: 60_000 }).toEqual(new Set([undefined, 429]))
    expect((await other.scim('GET', '/Users')).status).toBe(200)
    const waiting = scim('GET', '/Users')
    for (const sent of open) sent.destroy()
    expect((await waiting).status).toBe(200)
    expect((await scim('GET', '/Users')).status).toBe(200)
  })
})
