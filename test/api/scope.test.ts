import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

const ACTIONS = ['bot', 'codesample', 'dialogtask', 'dialog', 'version'].flatMap(entity =>
  ['read', 'create', 'update', 'delete'].map(verb => verb + entity),
)

let parley: Parley
let admin: Client
let north: string
let south: string
let ana: Client
let secret: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  north = await level(admin, 'Norte')
  south = await level(admin, 'Sul')
  ana = (await person(parley, admin, { username: 'ana', level: north, actions: [...ACTIONS, 'readaudit'] })).client
  secret = (await admin.post('/codesample', { name: 'Segredo do Sul', hierarchylevel: south })).body.id
})
afterAll(() => discard(parley))

test('what lies beside one’s own levels does not exist, in any answer [C-6.06]', async () => {
  const revision = { revision: 1 }
  for (const answer of [
    await ana.get(`/codesample/${secret}`),
    await ana.get(`/codesample/${secret}/history`),
    await ana.get(`/codesample/${secret}/at/1`),
    await ana.patch(`/codesample/${secret}`, { code: 'x' }, 1),
    await ana.delete(`/codesample/${secret}`),
    await ana.post(`/codesample/${secret}/restore`, revision),
    await ana.post('/codesample', { name: 'Intruso', hierarchylevel: south }),
    await ana.post(`/changehierarchylevel/${south}`),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: 'entity.notfound' } })
  expect((await ana.get(`/codesample/hierarchy?id=${secret}`)).body).toEqual({})
  for (const path of ['/codesample', `/codesample?hierarchylevel=${south}`, '/search?search=segredo', '/audit'])
    expect((await ana.get(path)).text, path).not.toContain(secret)
  expect((await ana.get('/home')).text).not.toContain(secret)
  expect((await ana.get('/audit/export?format=jsonl')).text).not.toContain(secret)
  expect((await ana.get('/selectfromoriginallevel')).text).not.toContain('Sul')
  expect((await admin.get(`/codesample/${secret}`)).body).toMatchObject({ revision: 1, code: null })
})

test('those above see it, and the session’s level narrows lists but not what is opened by id [C-1.09]', async () => {
  const inNorth = (await ana.post('/codesample', { name: 'Do Norte' })).body.id
  expect((await ana.get(`/codesample/${inNorth}`)).body.hierarchylevel).toBe(north)
  expect((await admin.get('/codesample')).body.total).toBe(2)
  expect((await admin.post(`/changehierarchylevel/${south}`)).status).toBe(204)
  expect((await admin.get('/codesample')).body).toMatchObject({ total: 1, items: [{ id: secret }] })
  expect((await admin.get(`/codesample/${inNorth}`)).status).toBe(200)
  expect((await admin.get('/userhierarchy')).body).toEqual({ hierarchylevel: south })
  const root = (await admin.get('/selectfromoriginallevel')).body as unknown as { id: string; parent: string | null }[]
  await admin.post(`/changehierarchylevel/${root.find(({ parent }) => parent === null)?.id}`)
})

test('roles and groups of the levels above are offered by name where they grant nothing that one lacks, and can be given', async () => {
  const chief = await person(parley, admin, {
    username: 'chefe',
    level: north,
    actions: ['readrole', 'readusergroup', 'readuser', 'updateuser', 'createuser', 'readbot'],
  })
  const role = (await admin.post('/role', { name: 'Leitura geral', actions: ['readbot'] })).body.id
  const group = (await admin.post('/usergroup', { name: 'Leitores', identifiedby: 'LEI', roles: [role] })).body.id

  const offered = await chief.client.get('/usergroup/assignable')
  expect(offered.body).toEqual({ items: [{ id: group, name: 'Leitores' }] })
  expect((await chief.client.get('/role/assignable')).body).toEqual({ items: [{ id: role, name: 'Leitura geral' }] })
  expect((await chief.client.get(`/usergroup/assignable?hierarchylevel=${south}`)).status).toBe(404)
  expect((await ana.get('/usergroup/assignable')).status).toBe(403)
  expect((await chief.client.get(`/usergroup/${group}`)).status).toBe(404)

  const made = await chief.client.post('/user', { username: 'leitor', password: 'Leitor-2026!', usergroup: [group] })
  expect(made.status).toBe(201)
  const all = (await admin.get('/usergroup?search=Administrators')).body.items[0] as { id: string }
  const more = await chief.client.post('/user', { username: 'demais', password: 'Demais-2026!', usergroup: [all.id] })
  expect(more).toMatchObject({ status: 403, body: { code: 'access.grant' } })
})

test('what was removed does not come back into a level that is no more', async () => {
  const gone = await level(admin, 'Passageiro')
  const { id } = (await admin.post('/codesample', { name: 'Fica só', hierarchylevel: gone })).body
  const under = await level(admin, 'Debaixo', gone)
  await admin.delete(`/codesample/${id}`)
  await admin.delete(`/hierarchy/${under}`, { confirm: 'CONFIRM' })
  expect((await admin.delete(`/hierarchy/${gone}`, { confirm: 'CONFIRM' })).status).toBe(200)
  expect((await admin.post(`/hierarchy/${under}/restore`, { revision: 1 })).status).toBe(404)
  expect((await admin.post(`/codesample/${id}/restore`, { revision: 1 })).status).toBe(404)
  expect((await admin.post(`/hierarchy/${gone}/restore`, { revision: 1 })).status).toBe(200)
  expect((await admin.post(`/codesample/${id}/restore`, { revision: 1 })).status).toBe(200)
})

test('names of people are looked up by id', async () => {
  const { user } = (await ana.get('/auth/user')).body as unknown as { user: { id: string } }
  expect((await ana.get(`/people?ids=${user.id}`)).body.items).toMatchObject([{ id: user.id, username: 'ana' }])
})

test('who lacks the permission for a kind of thing is told so [C-6.12]', async () => {
  for (const answer of [
    await ana.get('/user'),
    await ana.get('/user/whoever'),
    await ana.post('/role', { name: 'x' }),
    await ana.post('/bot/whichever/start'),
    await ana.get('/globalvariable'),
  ])
    expect(answer).toMatchObject({ status: 403, body: { detail: 'You are not authorized!!!' } })
})

test('a right that is taken away is gone at the next request', async () => {
  const bia = await person(parley, admin, { username: 'bia', level: north, actions: ['readbot'] })
  expect((await bia.client.get('/bot')).status).toBe(200)
  const { revision } = (await admin.get(`/role/${bia.role}`)).body
  await admin.patch(`/role/${bia.role}`, { actions: [] }, revision)
  expect((await bia.client.get('/bot')).status).toBe(403)
  await admin.post(`/user/${bia.id}/lock`)
  expect((await bia.client.get('/auth/user')).status).toBe(401)
})

test('no answer of sign-in tells whether a name exists', async () => {
  const answers = await Promise.all(
    ['ana', 'nobody'].map(username => parley.anyone.post('/auth/login', { username, password: 'wrong' })),
  )
  expect(answers.map(({ status, body }) => ({ status, code: body.code, detail: body.detail }))).toEqual(
    Array(2).fill({
      status: 401,
      code: 'auth.invalid',
      detail: 'Invalid credentials, You have remaining 4 attempts',
    }),
  )
})
