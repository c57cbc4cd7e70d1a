import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'
import { patchOf, type ScimClient, scimAccount } from './scim-client.ts'

const { parley, admin } = await openAdmin()
const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)

describe('administration entities', () => {
  test('a level has a name, a parent and a user group [C-3.02]', async () => {
    const group = (await admin.post('/usergroup', { name: 'Equipe do nível' })).body.id
    const parent = (await admin.get('/userhierarchy')).body.hierarchylevel
    const made = await admin.post('/hierarchy', { name: 'Varejo', usergroup: group })
    expect(made.status).toBe(201)
    expect((await admin.get(`/hierarchy/${made.body.id}`)).body).toMatchObject({
      name: 'Varejo',
      parent,
      usergroup: group,
    })
  })

  test('a user has the fields of the specification, and their own information leaves the password out [C-3.01] [C-3.39]', async () => {
    const made = await admin.post('/user', {
      username: 'beatriz',
      email: 'beatriz@example.com',
      firstname: 'Beatriz',
      lastname: 'Nunes',
      gender: 'f',
      language: 'es',
      password: 'Segredo-123',
      enabletwofactor: false,
      usergroup: [],
    })
    expect(made.status).toBe(201)
    const { body } = await admin.get(`/user/${made.body.id}`)
    expect(body).toMatchObject({
      username: 'beatriz',
      email: 'beatriz@example.com',
      firstname: 'Beatriz',
      locked: false,
    })
    for (const field of ['loginattempts', 'profilepic', 'login_timestamp', 'logout_timestamp', 'action_timestamp'])
      expect(body, field).toHaveProperty(field)
    expect(JSON.stringify(body)).not.toContain('Segredo-123')
  })

  test('groups hold roles and may have a parent, roles hold actions and services [C-3.41] [C-3.42]', async () => {
    const role = (await admin.post('/role', { name: 'Desenho', actions: ['readbot'], services: ['dialog'] })).body.id
    const parent = (await admin.post('/usergroup', { name: 'Todos', roles: [role] })).body.id
    const group = (await admin.post('/usergroup', { name: 'Desenhistas', identifiedby: 'DES', parent, roles: [] })).body
      .id
    expect((await admin.get(`/role/${role}`)).body).toMatchObject({ actions: ['readbot'], services: ['dialog'] })
    expect((await admin.get(`/usergroup/${group}`)).body).toMatchObject({ identifiedby: 'DES', parent, roles: [] })
  })

  test.each([
    ['role', '[C-5.09]'],
    ['usergroup', '[C-5.10]'],
  ])('the name of a %s is unique within its level, however it is written %s', async entity => {
    const elsewhere = await level(admin, `Ao lado de ${entity}`)
    expect((await admin.post(`/${entity}`, { name: 'Operação  Noturna' })).status).toBe(201)
    expect(await admin.post(`/${entity}`, { name: ' operação noturna' })).toMatchObject({
      status: 409,
      body: {
        code: 'entity.name.taken',
        errors: [{ path: 'name', code: 'taken', message: '“operação noturna” is already taken' }],
      },
    })
    expect((await admin.post(`/${entity}`, { name: 'Operação Noturna', hierarchylevel: elsewhere })).status).toBe(201)
  })

  test('an administrator locks and unlocks a user [C-4.10]', async () => {
    const { client, id } = await person(parley, admin, { username: 'caio', level: root, actions: ['readbot'] })
    expect((await admin.post(`/user/${id}/lock`, {})).status).toBe(200)
    expect((await client.get('/bot')).status).toBe(401)
    expect((await parley.anyone.post('/auth/login', { username: 'caio', password: 'Senha-2026!' })).status).not.toBe(
      200,
    )
    expect((await admin.post(`/user/${id}/unlock`, {})).status).toBe(200)
    expect((await admin.get(`/user/${id}`)).body.locked).toBe(false)
  })

  test('reading a kind of thing needs its permission, at the server [C-6.08]', async () => {
    const { client } = await person(parley, admin, { username: 'davi', level: root, actions: ['readbot'] })
    expect((await client.get('/bot')).status).toBe(200)
    for (const entity of ['codesample', 'user', 'role', 'audit'])
      expect((await client.get(`/${entity}`)).status, entity).toBe(403)
  })

  test('returns the level of an entity by its id, and nothing for a wrong id [C-7.04]', async () => {
    const bot = (await admin.post('/bot', { name: 'Onde estou' })).body.id
    const { hierarchylevel } = (await admin.get('/userhierarchy')).body
    expect((await admin.get(`/bot/hierarchy?id=${bot}`)).body).toEqual({ hierarchylevel })
    expect((await admin.get('/bot/hierarchy?id=nothing')).body).toEqual({})
  })

  test.each(Object.values<EntityDeclaration>(ENTITIES))(
    '$name can be listed; a wrong one is refused by field [C-7.15]',
    async ({ name: entity, writtenBy }) => {
      expect((await admin.get(`/${entity}?size=1`)).body).toMatchObject({ page: 1, size: 1 })
      if (writtenBy === 'system') return
      const refused = await admin.post(`/${entity}`, { nonsense: 1 })
      expect(refused.status).toBe(422)
      expect(refused.body.errors).toContainEqual(expect.objectContaining({ path: 'nonsense', code: 'unknown' }))
    },
  )
})

describe('SCIM: groups', () => {
  let scim: ScimClient
  let tenant: string
  let below: string
  let beside: string
  let reader: string

  beforeAll(async () => {
    tenant = await level(admin, 'Empresa')
    below = await level(admin, 'Filial', tenant)
    beside = await level(admin, 'Outra filial', tenant)
    reader = await admin.create('role', { name: 'Leitura', hierarchylevel: tenant, actions: ['readbot'] })
    ;({ scim } = await scimAccount(parley, admin, { name: 'grupos', level: tenant }))
  })

  const userOf = async (userName: string) => String((await scim('POST', '/Users', { userName })).body.id)
  const groupOf = (name: string, identifiedby: string | null, hierarchylevel = tenant) =>
    admin.create('usergroup', { name, identifiedby, hierarchylevel, roles: [reader] })
  const detailOf = async (id: string) => (await admin.get(`/user/${id}`)).body as unknown as Record<string, unknown>
  const membersOf = async (id: string, client = scim) =>
    ((await client('GET', `/Groups/${id}`)).body.members as readonly JsonObject[]).map(({ value }) => value)
  const found = async (filter: string) => {
    const { Resources = [] } = (await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body
    return Resources.map(({ id }) => id)
  }

  test('a group that an administrator identified is found and filled, a new one has no roles [P-2628]', async () => {
    const [ana, rui] = [await userOf('ana dos grupos'), await userOf('rui dos grupos')]
    const agents = await groupOf('Atendentes', 'Agents', below)
    const plain = await groupOf('Sem identificação', null)
    for (const filter of ['displayName eq "Agents"', 'displayName eq "Atendentes"', `id eq "${agents}"`])
      expect(await found(filter)).toEqual([agents])
    expect(await found('externalId eq "Agents" and displayName eq "Outro"')).toEqual([])
    expect(await found('displayName eq "Sem identificação"')).toEqual([])
    expect((await scim('GET', `/Groups/${plain}`)).status).toBe(404)
    expect((await scim('PATCH', `/Groups/${plain}`, patchOf())).status).toBe(404)
    expect((await scim('POST', '/Groups', { displayName: 'Sem identificação' })).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    })

    const known = await scim('POST', '/Groups', { displayName: 'Agents', externalId: 'x1', members: [{ value: ana }] })
    expect(known.body).toMatchObject({ id: agents, displayName: 'Atendentes', externalId: 'Agents' })
    expect(await detailOf(ana)).toMatchObject({ usergroup: [agents], hierarchylevel: below })
    const made = await scim('POST', '/Groups', { displayName: 'Novos', externalId: 'x2', members: [{ value: rui }] })
    const id = String(made.body.id)
    expect((await admin.get(`/usergroup/${id}`)).body).toMatchObject({
      ...{ name: 'Novos', identifiedby: 'x2', roles: [], hierarchylevel: tenant },
    })
    expect(await detailOf(rui)).toMatchObject({ usergroup: [id], hierarchylevel: tenant })

    const patch = patchOf(
      { op: 'Add', path: 'members', value: [{ $ref: null, value: ana }] },
      { op: 'Remove', path: `members[value eq "${rui}"]` },
      { op: 'Replace', value: { displayName: 'Novatos' } },
    )
    expect((await scim('PATCH', `/Groups/${id}`, patch)).status).toBe(204)
    expect(await membersOf(id)).toEqual([ana])
    expect(await detailOf(rui)).toMatchObject({ usergroup: [] })
    expect((await scim('GET', `/Users/${ana}`)).body.groups).toMatchObject([
      { value: agents, display: 'Atendentes' },
      { value: id, display: 'Novatos' },
    ])
    const { revision } = await detailOf(ana)
    expect((await scim('PATCH', `/Groups/${id}`, patch)).status).toBe(204)
    expect(await detailOf(ana)).toMatchObject({ revision })
    expect((await scim('PUT', `/Groups/${id}`, { displayName: 'Novatos', members: [{ value: rui }] })).status).toBe(200)
    expect(await membersOf(id)).toEqual([rui])
    const short = (await scim('GET', `/Groups/${id}?excludedAttributes=members`)).body
    expect(short).not.toHaveProperty('members')

    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404)
    expect(await detailOf(rui)).toMatchObject({ usergroup: [] })
    // An administrator gave it roles: it stays, empty.
    expect((await scim('DELETE', `/Groups/${agents}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${agents}`)).body).toMatchObject({ members: [] })
  })

  test('groups of two branches are refused, and a group gives no level outside of the token [P-2628]', async () => {
    const [one, other, high] = [
      await groupOf('Filial', 'branch', below),
      await groupOf('Outra', 'other branch', beside),
      await groupOf('Empresa', 'company'),
    ]
    const eva = await userOf('eva dos grupos')
    const add = (group: string, id = eva) =>
      scim('PATCH', `/Groups/${group}`, patchOf({ op: 'add', path: 'members', value: [{ value: id }] }))
    expect((await add(one)).status).toBe(204)
    expect((await add(other)).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect(await detailOf(eva)).toMatchObject({ usergroup: [one], hierarchylevel: below })
    // A later group leaves the level: the roles of a lower one would count for more.
    expect((await add(high)).status).toBe(204)
    expect(await detailOf(eva)).toMatchObject({ usergroup: [one, high], hierarchylevel: below })

    const outside = await person(parley, admin, { username: 'fora da empresa', level: root, actions: ['readbot'] })
    for (const id of [outside.id, 'nobody'])
      expect((await add(high, id)).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    const foreign = await groupOf('De fora', 'foreign', root)
    expect((await add(foreign)).status).toBe(404)
    expect(await found('displayName eq "De fora"')).toEqual([])
    const { revision } = await detailOf(eva)
    const mixed = patchOf({ op: 'replace', path: 'members', value: [{ value: 'nobody' }] })
    expect((await scim('PATCH', `/Groups/${high}`, mixed)).status).toBe(400)
    expect(await detailOf(eva)).toMatchObject({ revision })
  })

  test('the last administrator stays in the group [P-2628]', async () => {
    const { scim: all } = await scimAccount(parley, admin, { name: 'grupos da raiz', level: root })
    const user = (await admin.get('/auth/user')).body.user as { readonly id: string }
    const [group] = (await detailOf(user.id)).usergroup as string[]
    const { revision } = (await admin.get(`/usergroup/${group}`)).body
    await admin.patch(`/usergroup/${group}`, { identifiedby: 'admins' }, revision)
    for (const refused of [
      await all('PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: 'members' })),
      await all('DELETE', `/Groups/${group}`),
    ])
      expect(refused.body).toMatchObject({ status: '409', scimType: 'mutability' })
    expect(await detailOf(user.id)).toMatchObject({ usergroup: [group] })

    // Two leave with one request: one of them stays.
    const other = String((await all('POST', '/Users', { userName: 'outra da raiz' })).body.id)
    const change = (op: string, id: string) =>
      all('PATCH', `/Groups/${group}`, patchOf({ op, path: 'members', value: [{ value: id }] }))
    expect((await change('add', other)).status).toBe(204)
    const both = await all('PATCH', `/Groups/${group}`, patchOf({ op: 'remove', path: 'members' }))
    expect(both.body).toMatchObject({ status: '409', scimType: 'mutability' })
    const { members = [] } = (await all('GET', `/Groups/${group}`)).body
    expect(members).toHaveLength(1)
    expect((await change('add', user.id)).status).toBe(204)
    expect((await change('remove', other)).status).toBe(204)
    expect(await membersOf(String(group), all)).toEqual([user.id])
  })

  test('adds many people with one request, and takes them away, each with one event [P-2792]', async () => {
    const { scim: many } = await scimAccount(parley, admin, { name: 'muitos', level: below })
    const group = await groupOf('Muitos', 'muitos', below)
    const ids = await Promise.all(
      Array.from({ length: 24 }, async (_, n) =>
        String((await many('POST', '/Users', { userName: `muitos ${n}` })).body.id),
      ),
    )
    const value = ids.map(id => ({ value: id }))
    const patch = (operation: JsonObject) => many('PATCH', `/Groups/${group}`, patchOf(operation))
    expect((await patch({ op: 'add', path: 'members', value })).status).toBe(204)
    expect((await membersOf(group, many)).toSorted()).toEqual(ids.toSorted())
    // The same request again writes nothing.
    expect((await patch({ op: 'add', path: 'members', value })).status).toBe(204)
    const leaving = value.slice(0, 20)
    expect((await patch({ op: 'remove', path: 'members', value: leaving })).status).toBe(204)
    expect((await patch({ op: 'remove', path: 'members', value: leaving })).status).toBe(204)
    expect((await membersOf(group, many)).toSorted()).toEqual(ids.slice(20).toSorted())
    expect((await detailOf(String(ids[0]))).revision).toBe(3)
    expect((await detailOf(String(ids[23]))).revision).toBe(2)
    const unknown = await patch({ op: 'add', path: 'members', value: [...leaving, { value: 'nobody' }] })
    expect(unknown.body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect(await membersOf(group, many)).toHaveLength(4)
  })

  interface Replayed {
    readonly what: string
    readonly method: string
    readonly path: string
    readonly body?: JsonObject
    /** Of the first and the second run. */
    readonly status: readonly number[]
    readonly expect?: readonly JsonObject[]
    /** Names of ids that later requests use, and where they are in the answer. */
    readonly keep?: Readonly<Record<string, string>>
  }

  const at = (body: Json, path: string): Json =>
    path.split('.').reduce<Json>((value, name) => (value as JsonObject)[name] ?? null, body)

  test.each(['entra', 'okta'])('answers the requests of %s, once and again [P-2629]', async name => {
    const file = join(import.meta.dirname, '..', 'fixture', 'scim', `${name}.json`)
    const { requests } = JSON.parse(readFileSync(file, 'utf8')) as { readonly requests: readonly Replayed[] }
    const { scim: client } = await scimAccount(parley, admin, { name, level: await level(admin, name, tenant) })
    const ids = new Map<string, string>()
    const filled = <T>(value: T): T => {
      if (value === undefined) return value
      let text = JSON.stringify(value)
      for (const [key, id] of ids) text = text.replaceAll(`{${key}}`, id)
      return JSON.parse(text) as T
    }
    for (const run of [0, 1]) {
      for (const { what, method, path, body, status, expect: expected, keep = {} } of requests) {
        const [route = '', query] = filled(path).split('?')
        const answer = await client(method, query === undefined ? route : `${route}?${encodeURI(query)}`, filled(body))
        expect({ run, what, status: answer.status }).toEqual({ run, what, status: status[run] })
        expect(answer.body).toMatchObject(filled(expected?.[run] ?? {}))
        for (const [key, place] of Object.entries(keep)) ids.set(key, String(at(answer.body, place)))
      }
    }
  })
})
