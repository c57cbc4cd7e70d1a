import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley, startParley } from './harness.ts'
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
  parley = await startParley()
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
