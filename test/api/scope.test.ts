import { expect, test } from 'vitest'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const ACTIONS = ['bot', 'codesample', 'dialogtask', 'dialog', 'version'].flatMap(entity =>
  ['read', 'create', 'update', 'delete'].map(verb => verb + entity),
)

const { parley, admin } = await openAdmin()
const north = await level(admin, 'Norte')
const south = await level(admin, 'Sul')
const ana = (await person(parley, admin, { username: 'ana', level: north, actions: [...ACTIONS, 'readaudit'] })).client
const secret = (await admin.post('/codesample', { name: 'Segredo do Sul', hierarchylevel: south })).body.id

test('hides entities beside the caller’s levels in every answer [C-6.06]', async () => {
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
  for (const path of [
    '/codesample',
    '/codesample?home=true',
    '/codesample/export?format=csv&home=true',
    `/codesample?hierarchylevel=${south}`,
    '/search?search=segredo',
    '/audit',
  ])
    expect((await ana.get(path)).text, path).not.toContain(secret)
  const change = { action: 'change', filter: { home: true }, input: { code: 'x' } }
  const bulk = await ana.post('/codesample/bulk', change)
  expect(bulk.status, bulk.text).toBe(202)
  await expect.poll(async () => (await ana.get(`/process/${bulk.body.process}`)).body.state).toBe('finished')
  expect((await ana.get('/home')).text).not.toContain(secret)
  expect((await ana.get('/audit/export?format=jsonl')).text).not.toContain(secret)
  expect((await ana.get('/selectfromoriginallevel')).text).not.toContain('Sul')
  expect((await admin.get(`/codesample/${secret}`)).body).toMatchObject({ revision: 1, code: null })
})

test('those above see it, and the session’s level narrows lists but not what is opened by id [C-1.09] [P-2970]', async () => {
  const inNorth = (await ana.post('/codesample', { name: 'Do Norte' })).body.id
  expect((await ana.get(`/codesample/${inNorth}`)).body.hierarchylevel).toBe(north)
  expect((await admin.get('/codesample')).body.total).toBe(2)
  expect((await admin.post(`/changehierarchylevel/${south}`)).status).toBe(204)
  expect((await admin.get('/codesample?home=true')).body.total).toBe(2)
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

test('refuses to restore an entity into a removed level', async () => {
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

test('returns 403 without the permission for the entity [C-6.12]', async () => {
  for (const answer of [
    await ana.get('/user'),
    await ana.get('/user/whoever'),
    await ana.post('/role', { name: 'x' }),
    await ana.post('/bot/whichever/start'),
    await ana.get('/globalvariable'),
  ])
    expect(answer).toMatchObject({ status: 403, body: { detail: 'You are not authorized!!!' } })
})

test('applies a revoked right at the next request', async () => {
  const bia = await person(parley, admin, { username: 'bia', level: north, actions: ['readbot'] })
  expect((await bia.client.get('/bot')).status).toBe(200)
  const { revision } = (await admin.get(`/role/${bia.role}`)).body
  await admin.patch(`/role/${bia.role}`, { actions: [] }, revision)
  expect((await bia.client.get('/bot')).status).toBe(403)
  await admin.post(`/user/${bia.id}/lock`)
  expect((await bia.client.get('/auth/user')).status).toBe(401)
})

test('answers sign-in alike for known and unknown names', async () => {
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

test('a person moves to another level, and reaches that and no longer the old one [P-1810] [P-1811]', async () => {
  const actions = ['readcodesample', 'readuser', 'readaudit']
  const eva = await person(parley, admin, { username: 'viajante', level: north, actions })
  const chief = await person(parley, admin, {
    username: 'sulista',
    level: south,
    actions: [...actions, 'transferuser'],
  })
  const peer = await person(parley, admin, { username: 'par-do-norte', level: north, actions })
  const path = `/user/${eva.id}/transfer`
  expect((await eva.client.get(`/codesample/${secret}`)).status).toBe(404)
  expect((await peer.client.post(path, { hierarchylevel: south })).status).toBe(403)
  expect((await chief.client.post(path, { hierarchylevel: south })).status).toBe(404)
  expect((await admin.post(path, { hierarchylevel: 'nowhere' })).body.errors).toMatchObject([
    { path: 'hierarchylevel', code: 'reference' },
  ])

  const preview = await admin.get(`${path}?hierarchylevel=${south}`)
  expect(preview.body).toMatchObject({
    from: north,
    to: south,
    gains: { total: 1, items: [{ username: 'sulista' }] },
    losses: { items: expect.arrayContaining([expect.objectContaining({ username: 'par-do-norte' })]) },
    levels: { gains: [south], losses: [north] },
    beyond: [{ field: 'usergroup', entity: 'usergroup', id: eva.group }],
  })
  expect((await admin.get(`/user/${eva.id}`)).body.hierarchylevel).toBe(north)

  expect((await admin.post(path, { hierarchylevel: south })).status).toBe(200)
  expect((await eva.client.get(`/codesample/${secret}`)).status).toBe(200)
  expect((await eva.client.get('/userhierarchy')).body).toEqual({ hierarchylevel: south })
  expect((await peer.client.get(`/user/${eva.id}`)).status).toBe(404)
  expect((await chief.client.get(`/user/${eva.id}`)).body).toMatchObject({
    username: 'viajante',
    hierarchylevel: south,
  })
  const { items } = (await chief.client.get(`/audit?entity=user&entityid=${eva.id}`)).body
  expect(items[0]).toMatchObject({
    action: 'transferred',
    changes: [{ path: 'hierarchylevel', before: north, after: south }],
  })
  expect(items.at(-1)).toMatchObject({ action: 'created' })
  const { revision } = (await admin.get(`/user/${eva.id}`)).body
  expect((await admin.patch(`/user/${eva.id}`, { firstname: 'Eva' }, revision)).status).toBe(200)
  expect((await admin.get(`/user/${eva.id}`)).body.hierarchylevel).toBe(south)
})

test('a bot moves to another level with everything in it [P-1810] [P-1811]', async () => {
  const { bot, task, dialog } = await admin.createDialog({ name: 'Viajante', hierarchylevel: north }, 'Loja', 'Menu')
  const value = (await admin.post('/globalvariable', { name: 'API', value: 'x', bot })).body.id
  const rights = [...ACTIONS, 'readaudit', 'readglobalvariable']
  const north2 = await person(parley, admin, { username: 'nora', level: north, actions: rights })
  const south2 = await person(parley, admin, { username: 'sula', level: south, actions: rights })
  await admin.post('/bot', { name: 'Ocupado', hierarchylevel: south })
  const busy = (await admin.post('/bot', { name: 'Ocupado', hierarchylevel: north })).body.id
  const paths = [`/bot/${bot}`, `/dialogtask/${task}`, `/dialog/${dialog}`, `/globalvariable/${value}`]
  const statuses = (client: Client) => Promise.all(paths.map(async path => (await client.get(path)).status))
  expect(await statuses(south2.client)).toEqual([404, 404, 404, 404])

  expect((await admin.get(`/bot/${bot}/transfer?hierarchylevel=${south}`)).body).toMatchObject({
    gains: { items: [{ username: 'sula' }] },
    losses: { items: expect.arrayContaining([expect.objectContaining({ username: 'nora' })]) },
    levels: null,
  })
  expect((await admin.post(`/bot/${busy}/transfer`, { hierarchylevel: south })).status).toBe(409)
  expect((await admin.post(`/bot/${bot}/transfer`, { hierarchylevel: south })).status).toBe(200)

  expect(await statuses(north2.client)).toEqual([404, 404, 404, 404])
  expect(await statuses(south2.client)).toEqual([200, 200, 200, 200])
  const change = (client: Client) => client.patch(`/dialog/${dialog}`, { name: 'Cardápio' }, 1)
  expect((await change(north2.client)).status).toBe(404)
  expect((await change(south2.client)).status).toBe(200)
  expect((await south2.client.post('/dialog', { name: 'Outro', dialogtask: task })).status).toBe(201)
  expect((await south2.client.get(`/bot/${bot}`)).body.hierarchylevel).toBe(south)
  expect((await south2.client.get(`/dialog/${dialog}/history`)).body.items).toMatchObject([
    { action: 'created' },
    { action: 'changed' },
  ])
  // The name is free at the old level, and taken at the new one.
  expect((await admin.post('/bot', { name: 'Viajante', hierarchylevel: north })).status).toBe(201)
  expect((await admin.post('/bot', { name: 'Viajante', hierarchylevel: south })).status).toBe(409)
})
