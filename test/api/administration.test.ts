import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { type Client, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

let parley: Parley
let admin: Client
let root: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
})
afterAll(() => discard(parley))

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
