import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'
import { patchOf, type ScimClient, scimAccount } from './scim-client.ts'

const DAY_MS = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

let parley: Parley
let admin: Client
let adminId: string
let top: string
let below: string
let beside: string

beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  adminId = ((await admin.get('/auth/user')).body.user as { id: string }).id
  top = await level(admin, 'Tokens')
  below = await level(admin, 'Tokens abaixo', top)
  beside = await level(admin, 'Tokens ao lado')
})
afterAll(() => discard(parley))

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
    const { id } = await account(['readbot'], { owner: owner.id })
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
    await admin.post(`/user/${owner.id}/lock`)
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

describe('SCIM: people', () => {
  let scim: ScimClient
  let tenant: string
  let inside: string

  beforeAll(async () => {
    tenant = await level(admin, 'Inquilino')
    inside = await level(admin, 'Inquilino abaixo', tenant)
    ;({ scim } = await scimAccount(parley, admin, { name: 'provedor', level: tenant }))
  })

  const newUser = (userName: string, more: object = {}) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    ...more,
  })
  const found = async (filter: string) => (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body
  const detailOf = async (id: string) => (await admin.get(`/user/${id}`)).body as unknown as Record<string, unknown>

  test('describes itself [P-2636]', async () => {
    const { status, headers, body } = await scim('GET', '/ServiceProviderConfig')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/scim+json; charset=utf-8',
    })
    expect(body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 100 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
    })
    for (const list of ['/Schemas', '/ResourceTypes']) {
      const { Resources = [], totalResults } = (await scim('GET', list)).body
      expect(totalResults).toBe(2)
      for (const { id } of Resources) expect((await scim('GET', `${list}/${id}`)).body.id).toBe(id)
    }
    expect((await scim('GET', '/Schemas/unknown')).status).toBe(404)
    const unknown = await scim('GET', '/Bulk')
    expect(unknown.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' })
    expect((await scim('PUT', '/Users', {})).status).toBe(405)
  })

  test('makes a person, finds and changes them, with one event for each request [P-2637]', async () => {
    const made = await scim('POST', '/Users', {
      ...newUser('ana@scim.example', { externalId: 'Ext-1', locale: 'es-MX', displayName: 'Ana P.', active: true }),
      name: { givenName: 'Ana', familyName: 'Prado' },
      emails: [
        { value: 'home@scim.example', type: 'home' },
        { value: 'ana.prado@scim.example', type: 'work', primary: true },
      ],
    })
    const id = String(made.body.id)
    const location = `${parley.origin}/botadmin/scim/v2/Users/${id}`
    expect({ status: made.status, location: made.headers.get('location') }).toEqual({ status: 201, location })
    expect(made.body).toMatchObject({
      userName: 'ana@scim.example',
      externalId: 'Ext-1',
      name: { givenName: 'Ana', familyName: 'Prado', formatted: 'Ana Prado' },
      emails: [{ value: 'ana.prado@scim.example', type: 'work', primary: true }],
      locale: 'es',
      active: true,
      groups: [],
      meta: { resourceType: 'User', location },
    })
    expect(await detailOf(id)).toMatchObject({ hierarchylevel: tenant, usergroup: [], language: 'es' })
    expect(await detailOf(id)).not.toHaveProperty('externalid')
    for (const filter of [
      'userName eq "ANA@scim.example"',
      'externalId eq "Ext-1"',
      `id eq "${id}" and active eq true`,
      'emails[type eq "work"].value eq "ana.prado@scim.example"',
    ])
      expect({ filter, ids: (await found(filter)).Resources?.map(one => one.id) }).toEqual({ filter, ids: [id] })
    for (const filter of ['externalId eq "ext-1"', 'userName eq "ana"', `id eq "${id}" and active eq false`])
      expect((await found(filter)).totalResults).toBe(0)

    const patch = patchOf(
      { op: 'Replace', path: 'name.familyName', value: 'Lima' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'ana.lima@scim.example' },
      { op: 'replace', value: { active: 'False', externalId: 'Ext-2', nickName: 'Aninha' } },
      { op: 'Replace', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'TI' },
    )
    const changed = await scim('PATCH', `/Users/${id}`, patch)
    expect(changed.body).toMatchObject({ name: { familyName: 'Lima' }, externalId: 'Ext-2', active: false })
    expect(changed.body.emails).toMatchObject([{ value: 'ana.lima@scim.example' }])
    const { items } = (await admin.get(`/user/${id}/history`)).body
    expect(items.map(({ action, revision }) => `${revision} ${action}`)).toEqual(['1 created', '2 changed', '3 locked'])
    expect(items[2]).toMatchObject({ actor: { kind: 'service' }, token: { name: 'provedor' } })
    // The same again writes nothing.
    expect((await scim('PATCH', `/Users/${id}`, patch)).status).toBe(200)
    expect(await detailOf(id)).toMatchObject({ revision: 3, locked: true })

    const put = await scim('PUT', `/Users/${id}`, newUser('ana@scim.example', { active: true }))
    expect(put.body).toMatchObject({ externalId: 'Ext-2', name: {}, emails: [], active: true, locale: 'es' })
  })

  test('refuses names and ids that are taken with uniqueness, and keeps an address apart from a name [P-2642]', async () => {
    const emails = (value: string) => [{ value, type: 'work' }]
    const rosa = newUser('rosa@login.example', { externalId: 'rosa', emails: emails('rosa@mail.example') })
    expect((await scim('POST', '/Users', rosa)).status).toBe(201)
    for (const [taken, more] of [
      ['userName', { userName: 'ROSA@login.example' }],
      ['externalId', { externalId: 'rosa' }],
      ['emails.value', { emails: emails('Rosa@mail.example') }],
      // People sign in with either: the name of one is not the address of another.
      ['userName', { userName: 'rosa@mail.example' }],
      ['emails.value', { emails: emails('rosa@login.example') }],
    ] as const) {
      const { status, body } = await scim('POST', '/Users', newUser('new@login.example', more))
      expect({ status, ...body }).toMatchObject({
        status: '409',
        scimType: 'uniqueness',
        detail: `The value of ${taken} is taken`,
      })
    }
    expect((await found('userName eq "new@login.example"')).totalResults).toBe(0)
    const wrong = await scim('POST', '/Users', newUser('x'.repeat(101)))
    expect(wrong.body).toMatchObject({ status: '400', scimType: 'invalidValue' })
  })

  test('lists in parts of at most 100, from 1 [P-2643]', async () => {
    const { scim: other } = await scimAccount(parley, admin, { name: 'provedor de lista', level: inside })
    for (const name of ['l1', 'l2', 'l3']) await other('POST', '/Users', newUser(name, { active: name !== 'l2' }))
    const names = async (query: string) => {
      const { Resources = [], ...rest } = (await other('GET', `/Users${query}`)).body
      return { names: Resources.map(one => one.userName), total: rest.totalResults, start: rest.startIndex }
    }
    expect(await names('')).toEqual({ names: ['l1', 'l2', 'l3'], total: 3, start: 1 })
    expect(await names('?startIndex=2&count=1')).toEqual({ names: ['l2'], total: 3, start: 2 })
    expect(await names('?startIndex=0&count=1000')).toEqual({ names: ['l1', 'l2', 'l3'], total: 3, start: 1 })
    expect(await names('?startIndex=4')).toEqual({ names: [], total: 3, start: 4 })
    expect(await names('?count=0')).toEqual({ names: [], total: 3, start: 1 })
    expect(await names('?filter=active%20eq%20true')).toEqual({ names: ['l1', 'l3'], total: 2, start: 1 })
    expect(await names('?filter=active%20eq%20true%20and%20active%20eq%20false')).toMatchObject({ total: 0 })
    for (const query of ['?count=x', '?startIndex=1.5'])
      expect((await other('GET', `/Users${query}`)).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect((await other('GET', '/Users?filter=userName%20co%20%22l%22')).body.scimType).toBe('invalidFilter')
  })

  test('reaches no person outside of its level [P-2644]', async () => {
    const outside = await person(parley, admin, { username: 'fora do inquilino', level: top, actions: ['readbot'] })
    const { scim: below } = await scimAccount(parley, admin, { name: 'provedor abaixo', level: inside })
    const { id = '' } = (await scim('POST', '/Users', newUser('so do inquilino', { externalId: 'só um' }))).body
    for (const [client, target, name] of [
      [scim, outside.id, 'fora do inquilino'],
      [below, id, 'so do inquilino'],
    ] as const) {
      expect((await client('GET', `/Users/${target}`)).status).toBe(404)
      expect((await client('PUT', `/Users/${target}`, newUser('meu'))).status).toBe(404)
      const patch = patchOf({ op: 'replace', path: 'active', value: false })
      expect((await client('PATCH', `/Users/${target}`, patch)).status).toBe(404)
      expect((await client('DELETE', `/Users/${target}`)).status).toBe(404)
      for (const filter of [`id eq "${target}"`, `userName eq "${name}"`, 'externalId eq "só um"']) {
        const path = `/Users?filter=${encodeURIComponent(filter)}`
        if (client === below || !filter.startsWith('ext')) expect((await client('GET', path)).body.totalResults).toBe(0)
      }
    }
    // Two providers may use one id for two people.
    const twin = await below('POST', '/Users', newUser('outro inquilino', { externalId: 'só um' }))
    expect(twin.status).toBe(201)
    expect((await scim('GET', `/Users/${twin.body.id}`)).body).not.toHaveProperty('externalId')
    expect((await found('externalId eq "só um"')).Resources).toMatchObject([{ id }])
  })

  test('DELETE locks and ends sessions, active brings back, and the last administrator stays [P-2645]', async () => {
    const leaver = await person(parley, admin, { username: 'vai embora', level: inside, actions: ['readbot'] })
    expect((await leaver.client.get('/bot')).status).toBe(200)
    expect((await scim('DELETE', `/Users/${leaver.id}`)).status).toBe(204)
    expect((await leaver.client.get('/bot')).status).toBe(401)
    expect((await scim('GET', `/Users/${leaver.id}`)).body.active).toBe(false)
    const back = await scim('PATCH', `/Users/${leaver.id}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }))
    expect(back.body.active).toBe(true)
    expect((await leaver.client.get('/bot')).status).toBe(401)
    expect(await detailOf(leaver.id)).toMatchObject({ locked: false, loginattempts: 0 })

    const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
    const { scim: all } = await scimAccount(parley, admin, { name: 'provedor da raiz', level: root })
    const { userName = '' } = (await all('GET', `/Users/${adminId}`)).body
    const change = patchOf({ op: 'replace', value: { active: false, 'name.givenName': 'Nunca' } })
    for (const refused of [
      await all('DELETE', `/Users/${adminId}`),
      await all('PATCH', `/Users/${adminId}`, change),
      await all('PUT', `/Users/${adminId}`, newUser(String(userName), { active: false })),
    ])
      expect(refused.body).toMatchObject({ status: '409', scimType: 'mutability' })
    expect(await detailOf(adminId)).toMatchObject({ locked: false, firstname: 'Admin' })
  })

  test('a forgotten person does not come back by any of their ids [P-2646]', async () => {
    const before = newUser('esquecida@scim.example', { externalId: 'esquecida', emails: [{ value: 'e@scim.example' }] })
    const { id = '' } = (await scim('POST', '/Users', before)).body
    expect((await admin.post(`/user/${id}/forget`, { confirm: 'CONFIRM' })).status).toBe(200)
    for (const filter of ['externalId eq "esquecida"', `id eq "${id}"`, 'userName eq "esquecida@scim.example"'])
      expect({ filter, total: (await found(filter)).totalResults }).toEqual({ filter, total: 0 })
    const patch = patchOf({ op: 'replace', path: 'active', value: true })
    expect((await scim('PATCH', `/Users/${id}`, patch)).status).toBe(404)
    expect((await scim('PUT', `/Users/${id}`, before)).status).toBe(404)
    // A person who is sent again is a new one, with nothing of the forgotten one.
    const again = await scim('POST', '/Users', before)
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(id)
    expect(await detailOf(id)).toMatchObject({ forgotten: true, username: null, locked: true })
  })

  test('only who has every right gives the permission, to roles, accounts and tokens [P-2647]', async () => {
    const { account: known } = await scimAccount(parley, admin, { name: 'provedor alheio', level: tenant })
    const actions = ['createrole', 'readrole', 'createserviceaccount', 'createapitoken', 'scim', 'readusergroup']
    const maker = await person(parley, admin, { username: 'quer scim', level: tenant, actions })
    const role = await maker.client.post('/role', { name: 'scim', actions: ['scim'] })
    expect(role.body.code).toBe('access.grant')
    const group = await admin.create('usergroup', { name: 'com scim', hierarchylevel: tenant, roles: [maker.role] })
    const fields = { name: 'conta scim', owner: maker.id, usergroup: [group] }
    expect((await maker.client.post('/serviceaccount', fields)).body.code).toBe('access.grant')
    const token = { name: 'x', serviceaccount: known, expires: inDays(1) }
    for (const more of [{}, { scopes: ['scim'] }])
      expect((await maker.client.post('/apitoken', { ...token, ...more })).body.code).toBe('access.grant')
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
