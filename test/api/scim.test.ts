import { beforeAll, describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'
import { patchOf, type ScimClient, scimAccount } from './scim-client.ts'

const { parley, admin } = await openAdmin()
const adminId = ((await admin.get('/auth/user')).body.user as { id: string }).id
const top = await level(admin, 'SCIM')

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

  test('DELETE locks and ends sessions, active brings back; the last administrator and emergency access stay [P-2645] [P-2494]', async () => {
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

    const group = await admin.create('usergroup', { hierarchylevel: root, name: 'Emergência', identifiedby: 'emerg' })
    const given = { username: 'plantão', password: 'Segredo-2026!', breakglass: true, usergroup: [group] }
    const standby = await admin.create('user', given)
    const emptied = newUser('plantão', { active: false })
    for (const refused of [
      await all('DELETE', `/Users/${standby}`),
      await all('PUT', `/Users/${standby}`, emptied),
      await all('PATCH', `/Users/${standby}`, patchOf({ op: 'replace', path: 'userName', value: 'outro plantão' })),
      await all(
        'PATCH',
        `/Users/${standby}`,
        patchOf({ op: 'replace', value: { emails: [{ value: 'x@scim.example' }] } }),
      ),
      await all('PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: 'members' })),
      await all('DELETE', `/Groups/${group}`),
    ])
      expect(refused.body).toMatchObject({ status: '409', scimType: 'mutability' })
    expect(await detailOf(standby)).toMatchObject({ locked: false, usergroup: [group] })
    const renamed = patchOf({
      op: 'replace',
      value: { active: true, userName: 'plantão', 'name.givenName': 'Plantão' },
    })
    expect((await all('PATCH', `/Users/${standby}`, renamed)).body).toMatchObject({ name: { givenName: 'Plantão' } })
    const { revision } = await detailOf(standby)
    expect((await admin.patch(`/user/${standby}`, { breakglass: false }, Number(revision))).status).toBe(200)
    expect((await all('DELETE', `/Users/${standby}`)).status).toBe(204)
  })

  test('changes no person and no group of another service account, until that one is removed [P-2083]', async () => {
    const here = await level(admin, 'Duas contas', tenant)
    const { account, scim: one } = await scimAccount(parley, admin, { name: 'primeira', level: here })
    const { scim: two } = await scimAccount(parley, admin, { name: 'segunda', level: here })
    const { scim: above } = await scimAccount(parley, admin, { name: 'acima', level: tenant })
    const made = async (by: ScimClient, name: string, more = {}) =>
      String((await by('POST', '/Users', newUser(name, more))).body.id)
    const ana = await made(one, 'ana primeira', { externalId: 'ana' })
    const bia = await made(one, 'bia primeira')
    const rui = await made(two, 'rui segunda', { externalId: 'rui' })
    const given = { displayName: 'Equipe dupla', members: [{ value: ana }] }
    const group = String((await one('POST', '/Groups', given)).body.id)
    const locked = patchOf({ op: 'replace', path: 'active', value: false })
    for (const by of [two, above])
      for (const [method, path, body] of [
        ['PATCH', `/Users/${ana}`, locked],
        ['PATCH', `/Users/${bia}`, locked],
        ['PATCH', `/Users/${ana}`, patchOf({ op: 'replace', value: { externalId: 'minha' } })],
        [
          'PATCH',
          `/Users/${ana}`,
          patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y.example' }),
        ],
        ['PUT', `/Users/${ana}`, newUser('ana primeira', { active: false })],
        ['DELETE', `/Users/${ana}`, undefined],
        ['PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: `members[value eq "${ana}"]` })],
        ['PATCH', `/Groups/${group}`, patchOf({ op: 'add', path: 'members', value: [{ value: bia }] })],
        ['PATCH', `/Groups/${group}`, patchOf({ op: 'replace', path: 'displayName', value: 'Minha equipe' })],
        ['PATCH', `/Groups/${group}`, patchOf({ op: 'replace', path: 'externalId', value: 'minha' })],
        ['DELETE', `/Groups/${group}`, undefined],
      ] as const) {
        const { body: refused } = await by(method, path, body)
        expect({ method, path, ...refused }).toMatchObject({ method, path, status: '409', scimType: 'mutability' })
      }
    expect(await detailOf(ana)).toMatchObject({ locked: false, usergroup: [group], revision: 2 })
    expect(await detailOf(bia)).toMatchObject({ locked: false, revision: 1 })
    // Both may fill one group, each with its own people.
    const own = { displayName: 'Equipe dupla', members: [{ value: rui }] }
    expect((await two('PUT', `/Groups/${group}`, own)).status).toBe(200)
    expect((await one('PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: 'members' }))).status).toBe(204)
    expect([(await detailOf(ana)).usergroup, (await detailOf(rui)).usergroup]).toEqual([[], [group]])
    expect((await one('DELETE', `/Groups/${group}`)).status).toBe(204)
    expect((await two('GET', `/Groups/${group}`)).body.members).toMatchObject([{ value: rui }])
    // A person that no directory has is everybody's.
    const local = await admin.create('user', { hierarchylevel: here, username: 'sem diretório' })
    expect((await two('PATCH', `/Users/${local}`, locked)).body).toMatchObject({ active: false })
    expect((await admin.delete(`/serviceaccount/${account}`)).status).toBe(200)
    expect((await two('PATCH', `/Users/${ana}`, locked)).body).toMatchObject({ active: false })
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
    const token = { name: 'x', serviceaccount: known, expires: new Date(Date.now() + 86_400_000).toISOString() }
    for (const more of [{}, { scopes: ['scim'] }])
      expect((await maker.client.post('/apitoken', { ...token, ...more })).body.code).toBe('access.grant')
  })
})
