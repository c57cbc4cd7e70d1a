import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'

let parley: Parley
let admin: Client
let id: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  id = (await admin.post('/codesample', { name: '=1+1', code: 'a' })).body.id
  await admin.patch(`/codesample/${id}`, { code: 'b' }, 1)
})
afterAll(() => discard(parley))

test('each write leaves one line, findable by its fields [C-3.43] [C-3.44]', async () => {
  const lines = async (query: string) => (await admin.get(`/audit?${query}`)).body
  expect(await lines(`entity=codesample&entityid=${id}`)).toMatchObject({
    total: 2,
    items: [
      { entity: 'codesample', entityid: id, action: 'changed', service: 'codesample', user: { username: 'admin' } },
      { action: 'created', groups: ['Administrators'], roles: ['Administrator'], revision: 1 },
    ],
  })
  expect((await lines('entity=codesample&action=changed')).items).toMatchObject([
    { changes: [{ path: 'code', before: 'a', after: 'b' }] },
  ])
  expect((await lines('entity=codesample&from=2999-01-01')).total).toBe(0)
  expect((await lines('entity=codesample&to=2999-01-01')).total).toBe(2)
  expect((await admin.get('/audit?colour=red')).status).toBe(422)
})

test('failed and successful sign-ins are in it', async () => {
  await parley.anyone.post('/auth/login', { username: 'admin', password: 'wrong' })
  const actions = (await admin.get('/audit?entity=user&size=100')).body.items.map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['signinfailed', 'signedin']))
})

test('signing in and out leave one line each, without what the server keeps for itself', async () => {
  const since = new Date().toISOString()
  const guest = await parley.signIn()
  await guest.post('/auth/logout', {})
  const { items } = (await admin.get(`/audit?from=${since}`)).body
  expect(items.map(({ entity, action }) => `${entity}.${action}`)).toEqual(['user.signedout', 'user.signedin'])
  const { user } = (await admin.get('/auth/user')).body as unknown as { user: { id: string } }
  expect((await admin.get(`/user/${user.id}`)).body).not.toHaveProperty('twofactorstep')
  expect((await admin.get('/user?sort=twofactorstep')).status).toBe(422)
})

test('its lines leave as CSV that no spreadsheet runs, and as JSON Lines, and that is on record', async () => {
  const csv = await admin.get(`/audit/export?format=csv&entityid=${id}`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
  const [head, first] = csv.text.split('\r\n')
  expect(head).toContain('time,entity,entityid,name,action')
  expect(first).toContain(",'=1+1,")
  const jsonl = await admin.get(`/audit/export?format=jsonl&entityid=${id}`)
  expect(
    jsonl.text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).action),
  ).toEqual(['changed', 'created'])
  await expect.poll(async () => (await admin.get('/audit?entity=audit')).body.total).toBe(2)
})

test('its activity is counted over time', async () => {
  const { items } = (await admin.get(`/audit/activity?entity=codesample&buckets=10`)).body
  expect(items.reduce((sum, { count }) => sum + Number(count), 0)).toBe(2)
})

test('the audit, the newest changes and the search tell whom a comment names, never an id', async () => {
  const made = async (entity: string, fields: object) => (await admin.post(`/${entity}`, fields)).body.id
  const bot = await made('bot', { name: 'Lume' })
  const dialog = await made('dialog', { name: 'Menu', dialogtask: await made('dialogtask', { name: 'Loja', bot }) })
  const operators = { hello: { type: 'text', title: 'Oi', top: 0, left: 0, properties: {} } }
  await admin.put(`/dialog/${dialog}/flow`, { format: 'parley-flow', version: 1, operators, links: {} })
  const { id: author, firstname } = (await admin.get('/user')).body.items[0] ?? {}

  const comment = await made('dialogcomment', { dialog, block: 'hello', text: `Xilofone, <@${author}>` })

  const name = `Xilofone, @${firstname}`
  expect((await admin.get(`/audit?entityid=${comment}`)).body.items).toMatchObject([
    { name, changes: expect.arrayContaining([{ path: 'text', before: null, after: name }]) },
  ])
  expect((await admin.get('/home')).body.changes).toContainEqual(expect.objectContaining({ entityid: comment, name }))
  expect((await admin.get('/search?search=xilofone')).body.items).toMatchObject([{ id: comment, name }])
})
