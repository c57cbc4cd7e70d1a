import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, PASSWORD, person } from './people.ts'

const { parley, admin } = await openAdmin()
const id = (await admin.post('/codesample', { name: '=1+1', code: 'a' })).body.id
await admin.patch(`/codesample/${id}`, { code: 'b' }, 1)

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
  const count = async (query: string) => (await lines(`entityid=${id}&${query}`)).total
  expect(await count('service=codesample')).toBe(2)
  expect(await count('service=bot')).toBe(0)
  expect(await count('groups=Administrators')).toBe(2)
  expect(await count('roles=administrator')).toBe(2)
  expect(await count('groups=Nobodies')).toBe(0)
  expect(await count('roles=Administrators')).toBe(0)
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

test('the home page has the newest changes after any number of exports and sign-ins [P-2385]', async () => {
  const count = async (entity: string) => Number((await admin.get(`/audit?entity=${entity}`)).body.total)
  const before = await count('audit')
  for (let export_ = 0; export_ < 40; export_ += 1) await admin.get(`/audit/export?format=csv&entityid=${id}`)
  const guest = await parley.signIn()
  await guest.post('/auth/logout', {})
  await expect.poll(() => count('audit')).toBe(before + 40)
  const changes = (await admin.get('/home')).body.changes as never as {
    readonly entity: string
    readonly action: string
  }[]
  expect(changes.map(({ entity, action }) => `${entity}.${action}`).slice(0, 2)).toEqual([
    'codesample.changed',
    'codesample.created',
  ])
})

test('its activity is counted over time', async () => {
  const { items } = (await admin.get(`/audit/activity?entity=codesample&buckets=10`)).body
  expect(items.reduce((sum, { count }) => sum + Number(count), 0)).toBe(2)
})

test('names mentioned people in the audit, the newest changes and the search, never by id', async () => {
  const made = (entity: string, fields: object) => admin.create(entity, fields)
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

test('lines are found by text in ids, names, values and addresses [C-3.44] [P-1806]', async () => {
  const found = async (search: string) =>
    (await admin.get(`/audit?entity=codesample&search=${encodeURIComponent(search)}`)).body.items.map(
      ({ action }) => action,
    )
  const sample = (await admin.post('/codesample', { name: 'Xilogravura é arte', code: 'um % por _ cento' })).body.id
  await admin.patch(`/codesample/${sample}`, { code: 'dois' }, 1)
  expect(await found('xilogravura e')).toEqual(['changed', 'created'])
  expect(await found(sample.slice(3, 20))).toEqual(['changed', 'created'])
  expect(await found('dois')).toEqual(['changed'])
  expect(await found('% por _')).toEqual(['changed', 'created'])
  expect(await found('%_por')).toEqual([])
  const { items } = (await admin.get(`/audit/activity?entity=codesample&search=dois&buckets=4`)).body
  expect(items.reduce((sum, { count }) => sum + Number(count), 0)).toBe(1)
})

test('sessions, sign-ins and lines tell address and browser, failed ones the beginning of the name [P-1802]', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
  const since = new Date().toISOString()
  const tried = (username: string) =>
    parley.anyone.post('/auth/login', { username, password: 'wrong' }, { 'user-agent': agent })
  await tried('nobody-has-it')
  await tried('admin')
  const body = { username: 'admin', password: ADMIN_PASSWORD }
  const signed = await parley.anyone.post('/auth/login', body, { 'user-agent': agent })
  const { accessToken } = signed.body.token as unknown as { accessToken: string }
  const headers = { authorization: `Bearer ${accessToken}` }
  await parley.anyone.post('/codesample', { name: 'From Firefox', code: 'a' }, headers)
  const { items } = (await admin.get(`/audit?from=${since}`)).body
  const origin = { address: '127.0.0.1', agent }
  expect(items.map(item => [`${item.entity}.${item.action}`, item.origin])).toEqual([
    ['codesample.created', origin],
    ['user.signedin', origin],
    ['user.signinfailed', origin],
    ['signin.failed', { ...origin, name: 'no… (13)' }],
  ])
  expect((await admin.get('/audit?action=signinfailed&search=no%E2%80%A6')).body.items).toMatchObject([
    { entity: 'signin', user: null },
  ])
  expect((await admin.get('/auth/session')).body.items).toContainEqual(
    expect.objectContaining({ ...origin, current: false }),
  )
  const csv = await admin.get(`/audit/export?format=csv&from=${since}&entity=codesample`)
  expect(csv.text).toContain(`,127.0.0.1,"${agent}"`)
})

test('switches of the level say from where to where, and leave the list with quiet=true [P-1807]', async () => {
  const { user } = (await admin.get('/auth/user')).body as unknown as { user: { hierarchylevel: string } }
  const home = user.hierarchylevel
  const south = (await admin.post('/hierarchy', { name: 'Sul' })).body.id
  const since = new Date().toISOString()
  await admin.post(`/changehierarchylevel/${south}`)
  await admin.post(`/changehierarchylevel/${home}`)
  const changed = async (query: string) =>
    (await admin.get(`/audit?from=${since}&entity=session${query}`)).body.items.map(({ changes }) => changes)
  const change = (before: string, after: string) => [{ path: 'hierarchylevel', before, after }]
  expect(await changed('')).toEqual([change(south, home), change(home, south)])
  expect(await changed('&quiet=true')).toEqual([])
})

test('the sessions of other people are seen and ended by who may, and that is on record [P-1805]', async () => {
  const home = await level(admin, 'Pessoas')
  const rights = ['readuser', 'readbot', 'endsessionsuser']
  const ana = await person(parley, admin, { username: 'ana', level: home, actions: ['readbot'] })
  const chief = await person(parley, admin, { username: 'chefe', level: home, actions: rights })
  const clerk = await person(parley, admin, { username: 'rui', level: home, actions: ['readuser', 'readbot'] })
  const second = await parley.signIn('ana', `${PASSWORD}x`)
  const path = `/user/${ana.id}`
  const listed = (await chief.client.get(`${path}/sessions`)).body.items
  expect(listed).toHaveLength(2)
  expect(listed[0]).toMatchObject({ current: false, address: '127.0.0.1', hierarchylevel: home })
  expect((await clerk.client.get(`${path}/sessions`)).status).toBe(403)
  expect((await clerk.client.post(`${path}/endsessions`, { all: true })).status).toBe(403)
  const { user } = (await admin.get('/auth/user')).body as unknown as { user: { id: string } }
  expect((await chief.client.get(`/user/${user.id}/sessions`)).status).toBe(404)
  expect((await chief.client.post(`/user/${user.id}/endsessions`, { all: true })).status).toBe(404)
  // Refused: the target has more permissions.
  const boss = await person(parley, admin, { username: 'chefona', level: home, actions: [...rights, 'updatebot'] })
  const refusal = await chief.client.post(`/user/${boss.id}/endsessions`, { all: true })
  expect([refusal.status, refusal.body.code]).toEqual([403, 'access.lacking'])
  expect((await boss.client.get('/bot')).status).toBe(200)

  expect((await chief.client.post(`${path}/endsessions`, { ids: [listed[0]?.id] })).status).toBe(204)
  expect((await second.get('/bot')).status).toBe(401)
  expect((await ana.client.get('/bot')).status).toBe(200)
  expect((await chief.client.post(`${path}/endsessions`, { all: true })).status).toBe(204)
  expect((await ana.client.get('/bot')).status).toBe(401)
  expect((await admin.get(`/audit?entity=session&action=ended&entityid=${ana.id}`)).body.items).toMatchObject([
    { name: 'ana', user: { username: 'chefe' }, origin: { address: '127.0.0.1' } },
    { name: 'ana', user: { username: 'chefe' } },
  ])
})
