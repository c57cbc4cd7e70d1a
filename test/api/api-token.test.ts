import { describe, expect, test } from 'vitest'
import { type Client, clientOf } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const DAY_MS = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

const { parley, admin } = await openAdmin()

const adminId = ((await admin.get('/auth/user')).body.user as { id: string }).id
const top = await level(admin, 'Tokens')
const below = await level(admin, 'Tokens abaixo', top)
const beside = await level(admin, 'Tokens ao lado')

let count = 0
const groupWith = async (hierarchylevel: string, actions: readonly string[]) => {
  count += 1
  const name = `tokens ${count}`
  const role = await admin.create('role', { hierarchylevel, name, actions })
  return { role, group: await admin.create('usergroup', { hierarchylevel, name, roles: [role] }) }
}
const account = async (actions: readonly string[], more: object = {}) => {
  const { role, group } = await groupWith(top, actions)
  const fields = { hierarchylevel: top, name: `conta ${count}`, owner: adminId, usergroup: [group], ...more }
  return { id: await admin.create('serviceaccount', fields), role, group }
}
/** Makes a token; answers its id and a client that sends it. */
const tokenOf = async (fields: object, by: Client = admin) => {
  const { status, text, body } = await by.post('/apitoken', { name: 'chave', expires: inDays(30), ...fields })
  if (status !== 201) throw new Error(text)
  return { id: String(body.id), token: String(body.token), client: clientOf(parley.origin, String(body.token)) }
}

const bringBack = async (id: string) => {
  const { body } = await admin.get('/apitoken?removed=true')
  const revision = body.items.find(one => one.id === id)?.revision
  expect((await admin.post(`/apitoken/${id}/restore`, { revision })).status).toBe(200)
}

describe('a token of a service account', () => {
  test('is shown once, and reads what its account may, at its level and below [P-2431]', async () => {
    const { id } = await account(['readbot', 'createbot', 'updatebot'])
    const bot = await admin.create('bot', { name: 'Dentro', hierarchylevel: below })
    const foreign = await admin.create('bot', { name: 'Fora', hierarchylevel: beside })
    const { id: tokenId, token, client } = await tokenOf({ serviceaccount: id })
    expect(token).toMatch(/^prl_[0-9A-Za-z]{49}$/)
    expect((await client.get(`/bot/${bot}`)).status).toBe(200)
    expect((await client.get(`/bot/${foreign}`)).status).toBe(404)
    expect((await client.get('/codesample')).status).toBe(403)
    expect((await client.get('/auth/user')).body.user).toMatchObject({
      id,
      permissions: ['createbot', 'readbot', 'updatebot'],
    })
    const row = (await admin.get(`/apitoken/${tokenId}`)).body
    expect(row).toMatchObject({ prefix: token.slice(0, 8), level: top, serviceaccount: id, user: null, revoked: false })
    for (const path of [`/apitoken/${tokenId}`, `/apitoken/${tokenId}/history`, '/apitoken', '/audit?entity=apitoken'])
      expect((await admin.get(path)).text).not.toContain(token)
  })

  test('writes as its account, which audit, history and events name [P-2432]', async () => {
    const { id } = await account(['readbot', 'createbot'])
    const { next } = (await admin.get('/event')).body
    const { id: tokenId, client } = await tokenOf({ serviceaccount: id, name: 'noturno' })
    const bot = await client.create('bot', { name: 'Por token' })
    const [line] = (await admin.get(`/audit?entity=bot&entityid=${bot}`)).body.items
    expect(line).toMatchObject({ user: { id, kind: 'service' }, token: { id: tokenId, name: 'noturno' } })
    const [first] = (await admin.get(`/bot/${bot}/history`)).body.items
    expect(first).toMatchObject({ actor: { id, kind: 'service' }, token: { id: tokenId, name: 'noturno' } })
    expect(line).toMatchObject({ user: { username: expect.stringMatching(/^conta/) } })
    const own = await tokenOf({}, admin)
    const second = await own.client.create('bot', { name: 'Por token pessoal', hierarchylevel: top })
    const { items } = (await admin.get(`/event?after=${next}&entity=bot&wait=10`)).body
    expect(items).toMatchObject([
      { data: { id: bot, actor: { id, kind: 'service' } } },
      { data: { id: second, actor: { id: adminId, kind: 'person' } } },
    ])
  })

  test('may do what its scopes name, at its level alone [P-2431]', async () => {
    const { id } = await account(['readbot', 'createbot', 'readcodesample'])
    const { client } = await tokenOf({ serviceaccount: id, scopes: ['readbot'], level: below })
    const bot = await admin.create('bot', { name: 'Acima', hierarchylevel: top })
    expect((await client.get('/codesample')).status).toBe(403)
    expect((await client.post('/bot', { name: 'Nunca' })).status).toBe(403)
    expect((await client.get(`/bot/${bot}`)).status).toBe(404)
  })

  test('ends with its revocation, its account and the owner of it [P-2433]', async () => {
    const owner = await person(parley, admin, { username: 'dona da conta', level: top, actions: ['readbot'] })
    const { id } = await account(['readbot', 'readevent'], { owner: owner.id })
    const { id: tokenId, client } = await tokenOf({ serviceaccount: id })
    const status = async () => (await client.get('/bot')).status
    const set = async (enabled: boolean) => {
      const { revision } = (await admin.get(`/serviceaccount/${id}`)).body
      expect((await admin.patch(`/serviceaccount/${id}`, { enabled }, revision)).status).toBe(200)
    }
    expect(await status()).toBe(200)
    await set(false)
    expect(await status()).toBe(401)
    await set(true)
    expect(await status()).toBe(200)
    const held = client.get(`/event?after=${(await client.get('/event')).body.next}&wait=30`)
    await admin.post(`/user/${owner.id}/lock`)
    expect(await held).toMatchObject({ status: 401, body: { code: 'auth.token' } })
    expect(await status()).toBe(401)
    await admin.post(`/user/${owner.id}/unlock`)
    expect(await status()).toBe(200)
    expect((await admin.post(`/apitoken/${tokenId}/revoke`)).status).toBe(200)
    const { status: refused, body } = await client.get('/bot')
    expect({ refused, code: body.code }).toEqual({ refused: 401, code: 'auth.token' })
    await admin.delete(`/apitoken/${tokenId}`)
    await bringBack(tokenId)
    expect(await status()).toBe(401)
  })

  test('removed before it was revoked stays revoked when it is brought back [P-2433]', async () => {
    const { id } = await account(['readbot'])
    const { id: tokenId, client } = await tokenOf({ serviceaccount: id })
    expect((await admin.delete(`/apitoken/${tokenId}`)).status).toBe(200)
    expect((await client.get('/bot')).status).toBe(401)
    await bringBack(tokenId)
    expect((await admin.get(`/apitoken/${tokenId}`)).body.revoked).toBe(true)
    expect((await client.get('/bot')).status).toBe(401)
  })

  test('is narrowed at once by a right taken from a group of its account [P-2434]', async () => {
    const { id, role } = await account(['readbot', 'readcodesample'])
    const { client } = await tokenOf({ serviceaccount: id })
    expect((await client.get('/codesample')).status).toBe(200)
    const { revision } = (await admin.get(`/role/${role}`)).body
    await admin.patch(`/role/${role}`, { actions: ['readbot'] }, revision)
    expect((await client.get('/codesample')).status).toBe(403)
    expect((await client.get('/bot')).status).toBe(200)
  })

  test('is accepted from the addresses of its account alone [P-2435]', async () => {
    const inside = await account(['readbot'], { addresses: ['10.0.0.0/8', '127.0.0.0/8', '::1'] })
    const outside = await account(['readbot'], { addresses: ['10.0.0.0/8'] })
    expect((await (await tokenOf({ serviceaccount: inside.id })).client.get('/bot')).status).toBe(200)
    const { status, body } = await (await tokenOf({ serviceaccount: outside.id })).client.get('/bot')
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'auth.token' })
    const wrong = await admin.post('/serviceaccount', { name: 'x', owner: adminId, addresses: ['10.0.0.0/8', 'casa'] })
    expect(wrong.body.errors).toMatchObject([{ path: 'addresses.1', code: 'format' }])
  })
})

test('a token past its end and one over its rate are refused, the latter with the time to wait [P-2433] [P-2449]', async () => {
  const { id } = await account(['readbot'])
  const expires = new Date(Date.now() + 1_000).toISOString()
  const [short, slow] = [await tokenOf({ serviceaccount: id, expires }), await tokenOf({ serviceaccount: id, rate: 1 })]
  expect((await slow.client.get('/bot')).status).toBe(200)
  const { status, body, headers } = await slow.client.get('/bot')
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'request.toomany' })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  await expect
    .poll(async () => (await short.client.get('/bot')).body.code, { timeout: 10_000, interval: 250 })
    .toBe('auth.token')
})

describe('making tokens', () => {
  test('a repeated request with an Idempotency-Key answers without the token [P-2436]', async () => {
    const { id } = await account(['readbot'])
    const fields = { name: 'uma vez', serviceaccount: id, expires: inDays(10) }
    const send = () => admin.post('/apitoken', fields, { 'idempotency-key': 'token-uma-vez' })
    const [first, again] = [await send(), await send()]
    expect(first.body.token).toMatch(/^prl_/)
    expect(again.status).toBe(201)
    expect(again.body).toEqual({ id: first.body.id, revision: first.body.revision })
  })

  test('gives no permission and no level that its maker lacks [P-2437]', async () => {
    const maker = await person(parley, admin, {
      username: 'faz tokens',
      level: below,
      actions: ['readbot', 'createapitoken', 'readapitoken', 'readserviceaccount', 'createserviceaccount'],
    })
    const { group } = await groupWith(below, ['readbot', 'updatebot'])
    const fields = { name: 'mais', owner: maker.id, usergroup: [group], hierarchylevel: below }
    const wider = await maker.client.post('/serviceaccount', fields)
    expect(wider.body).toMatchObject({ code: 'access.grant', params: { permissions: ['updatebot'] } })
    const id = await admin.create('serviceaccount', { ...fields, owner: adminId })
    const expires = inDays(5)
    const all = await maker.client.post('/apitoken', { name: 'a', serviceaccount: id, expires })
    expect(all.body).toMatchObject({ code: 'access.grant', params: { permissions: ['updatebot'] } })
    const more = await maker.client.post('/apitoken', { name: 'a', expires, scopes: ['updatebot'] })
    expect(more.body).toMatchObject({ code: 'access.grant', params: { permissions: ['updatebot'] } })
    const administers = await maker.client.post('/apitoken', { name: 'a', expires, scopes: ['administerbytoken'] })
    expect(administers.body.code).toBe('access.grant')
    const above = await maker.client.post('/apitoken', { name: 'a', expires, level: top })
    expect(above.body.errors).toMatchObject([{ path: 'level', code: 'reference' }])
    expect(
      (await maker.client.post('/apitoken', { name: 'a', serviceaccount: id, expires, scopes: ['readbot'] })).status,
    ).toBe(201)
  })

  test('brings no account back whose rights its restorer lacks [P-2437]', async () => {
    const clerk = await person(parley, admin, {
      username: 'traz de volta',
      level: top,
      actions: ['readserviceaccount', 'updateserviceaccount', 'readbot'],
    })
    const { id } = await account(['readbot', 'updatebot'])
    const { client } = await tokenOf({ serviceaccount: id })
    const { revision } = (await admin.get(`/serviceaccount/${id}`)).body
    expect((await admin.delete(`/serviceaccount/${id}`)).status).toBe(200)
    expect((await client.get('/bot')).status).toBe(401)
    const refused = await clerk.client.post(`/serviceaccount/${id}/restore`, { revision })
    expect(refused.body).toMatchObject({ code: 'access.grant', params: { permissions: ['updatebot'] } })
    expect((await admin.post(`/serviceaccount/${id}/restore`, { revision })).status).toBe(200)
    expect((await client.get('/bot')).status).toBe(200)
  })

  test('refuses a life that is too long or over, and permissions that are none [P-2437]', async () => {
    const { id } = await account(['readbot'])
    const errorsOf = async (fields: object) => (await admin.post('/apitoken', { name: 'a', ...fields })).body.errors
    const service = { serviceaccount: id }
    expect(await errorsOf({ ...service, expires: inDays(366) })).toMatchObject([{ path: 'expires', code: 'toolarge' }])
    expect(await errorsOf({ expires: inDays(91) })).toMatchObject([{ path: 'expires', code: 'toolarge' }])
    expect(await errorsOf({ expires: inDays(-1) })).toMatchObject([{ path: 'expires', code: 'toosmall' }])
    expect(await errorsOf({ expires: inDays(1), scopes: ['voar'] })).toMatchObject([
      { path: 'scopes.0', code: 'option' },
    ])
    expect(await errorsOf({ expires: inDays(1), user: adminId })).toMatchObject([{ path: 'user', code: 'readonly' }])
  })
})

test('a personal token acts as its maker, with their rights of the moment, and cannot change rights [P-2438]', async () => {
  const actions = ['readbot', 'createbot', 'createapitoken', 'readapitoken', 'updaterole', 'readrole', 'seeasuser']
  const maker = await person(parley, admin, { username: 'com token', level: top, actions })
  const { id: tokenId, client } = await tokenOf({ name: 'meu' }, maker.client)
  expect((await client.get('/auth/user')).body.user).toMatchObject({
    id: maker.id,
    permissions: ['createbot', 'readapitoken', 'readbot', 'readrole'],
  })
  const bot = await client.create('bot', { name: 'Meu por token' })
  const [line] = (await admin.get(`/audit?entity=bot&entityid=${bot}`)).body.items
  expect(line).toMatchObject({ user: { id: maker.id, username: 'com token' }, token: { id: tokenId, name: 'meu' } })
  expect((await client.post('/apitoken', { name: 'outro', expires: inDays(1) })).body.code).toBe('access.forbidden')
  await admin.post(`/user/${maker.id}/lock`)
  expect((await client.get('/bot')).status).toBe(401)
})

test('shows when and from where a token was last used [P-2439]', async () => {
  const { id } = await account(['readbot'])
  const { id: tokenId, client } = await tokenOf({ serviceaccount: id })
  const used = async () => (await admin.get(`/apitoken/${tokenId}`)).body
  expect((await used()).last_used_at).toBe(null)
  await client.get('/bot')
  await expect.poll(async () => (await used()).last_used_from).toBe('127.0.0.1')
  const { revision, last_used_at } = await used()
  expect(revision).toBe(1)
  expect(Date.now() - Date.parse(String(last_used_at))).toBeLessThan(60_000)
})

test('a process that a token started has its permissions, not those of its person [P-2440]', async () => {
  const maker = await person(parley, admin, {
    username: 'muitos de uma vez',
    level: top,
    actions: ['readcodesample', 'updatecodesample', 'deletecodesample', 'createapitoken'],
  })
  const sample = await admin.create('codesample', { name: 'fica', hierarchylevel: top })
  const { id, client } = await tokenOf({ scopes: ['readcodesample', 'updatecodesample'] }, maker.client)
  const started = await client.post('/codesample/bulk', { action: 'change', ids: [sample], input: { name: 'mudou' } })
  const done = async () => (await client.get(`/process/${started.body.process}`)).body
  await expect.poll(async () => (await done()).state).toBe('finished')
  expect((await done()).changed).toBe(1)
  const [line] = (await admin.get(`/audit?entity=codesample&entityid=${sample}&action=changed`)).body.items
  expect(line).toMatchObject({ user: { id: maker.id }, token: { id } })
  expect((await client.post('/codesample/bulk', { action: 'remove', ids: [sample] })).body.code).toBe(
    'access.forbidden',
  )
})

describe('the access review', () => {
  const READS = ['readaudit', 'readuser', 'readusergroup', 'readrole', 'readserviceaccount', 'readapitoken']
  const reviewed = async (client: Client, query: string) => (await client.get(`/audit/access?${query}`)).body

  test('names the roles of people of the level, since when and through which group [P-2888]', async () => {
    const { client } = await person(parley, admin, { username: 'revisora', level: top, actions: READS })
    const { id, group, role } = await person(parley, admin, { username: 'revista', level: below, actions: ['readbot'] })
    await person(parley, admin, { username: 'revista ao lado', level: beside, actions: ['readbot'] })
    const only = async () => {
      const { items, total, days } = await reviewed(client, 'search=revista')
      expect({ total, days }).toEqual({ total: 1, days: 90 })
      return items[0]
    }
    const made = (await admin.get(`/user/${id}`)).body.created_at
    const [granted] = (await admin.get(`/user/${id}/rights`)).body.grants as unknown as { permissions: string[] }[]
    expect(await only()).toMatchObject({
      ...{ id, kind: 'person', name: 'revista', hierarchylevel: below, locked: false, everything: false },
      last_seen_at: expect.stringMatching(/Z$/),
      grants: [
        {
          role: { id: role, name: 'revista role' },
          group: { id: group, name: 'revista group' },
          since: made,
          permissions: granted?.permissions.length,
        },
      ],
    })
    for (const roles of [[], [role]]) {
      const { revision } = (await admin.get(`/usergroup/${group}`)).body
      await admin.patch(`/usergroup/${group}`, { roles }, revision)
    }
    const history = (await admin.get(`/usergroup/${group}/history`)).body.items
    expect((await only())?.grants).toMatchObject([{ since: history.at(-1)?.time }])
    const parent = await admin.create('usergroup', { hierarchylevel: below, name: 'acima', roles: [] })
    const { revision } = (await admin.get(`/usergroup/${group}`)).body
    await admin.patch(`/usergroup/${group}`, { parent, roles: [] }, revision)
    await admin.patch(`/usergroup/${parent}`, { roles: [role] }, 1)
    const given = (await admin.get(`/usergroup/${parent}/history`)).body.items.at(-1)?.time
    expect((await only())?.grants).toMatchObject([{ group: { id: parent }, since: given }])
  })

  test('names unused rights of 90 days and who may export; without the right to read people it is empty [P-2889]', async () => {
    const { client } = await person(parley, admin, { username: 'auditora', level: top, actions: READS })
    const actions = ['readbot', 'createbot', 'updatebot', 'exportcontact']
    const builder = await person(parley, admin, { username: 'construtora', level: below, actions })
    await person(parley, admin, { username: 'construtor parado', level: below, actions: ['readbot', 'createbot'] })
    await builder.client.create('bot', { name: 'Da construtora' })
    const { items } = await reviewed(client, 'search=constru')
    expect(items).toMatchObject([
      { name: 'construtor parado', exports: [], unused: ['createbot'] },
      { name: 'construtora', exports: ['exportcontact'], unused: ['updatebot'] },
    ])
    const exporters = await reviewed(client, 'search=constru&exports=true')
    expect(exporters).toMatchObject({ total: 1, items: [{ id: builder.id }] })
    const blind = await person(parley, admin, { username: 'sem leitura', level: top, actions: ['readaudit'] })
    expect(await reviewed(blind.client, 'search=constru')).toMatchObject({ total: 0, items: [] })
    expect((await blind.client.get('/audit/access/export')).status).toBe(403)
    expect((await builder.client.get('/audit/access')).status).toBe(403)
  })

  test('names service accounts with their tokens and last use [P-2890]', async () => {
    const { client } = await person(parley, admin, { username: 'contadora', level: top, actions: READS })
    const { id, role } = await account(['readbot'], { name: 'conta revista' })
    const used = await tokenOf({ serviceaccount: id, name: 'usada', scopes: ['readbot'] })
    const ended = await tokenOf({ serviceaccount: id, name: 'encerrada' })
    await used.client.get('/bot')
    await admin.post(`/apitoken/${ended.id}/revoke`)
    const only = async () => (await reviewed(client, 'kind=service&search=conta revista')).items[0]
    await expect.poll(async () => (await only())?.last_seen_at).toMatch(/Z$/)
    const found = await only()
    expect(found).toMatchObject({
      ...{ id, kind: 'service', name: 'conta revista', locked: false },
      grants: [{ role: { id: role }, since: (await admin.get(`/serviceaccount/${id}`)).body.created_at }],
    })
    expect(found?.tokens).toHaveLength(2)
    expect(found?.tokens).toContainEqual(
      expect.objectContaining({ name: 'usada', active: true, scopes: ['readbot'], last_used_at: found?.last_seen_at }),
    )
    expect(found?.tokens).toContainEqual(
      expect.objectContaining({ name: 'encerrada', active: false, last_used_at: null }),
    )
  })
})
