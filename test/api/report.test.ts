import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Client, discard } from './harness.ts'
import { openAdmin, openParley } from './open-parley.ts'
import { level, person } from './people.ts'

const SECRET = 'ab'.repeat(32)
const METABASE = 'https://metabase.example/mb'

const made = (entity: string, fields: object) => admin.create(entity, fields)
const report = (fields: object) => made('report', { name: 'Resolução', type: 'dashboard', metabaseid: 7, ...fields })
const embedded = async (client: Client, id: string, query = '') => {
  const { status, text, body } = await client.get(`/report/${id}/embed${query}`)
  expect(status, text).toBe(200)
  const url = new URL(body.url as string)
  const [head = '', payload = '', signature = ''] = (url.pathname.split('/').at(-1) ?? '').split('.')
  expect(createHmac('sha256', SECRET).update(`${head}.${payload}`).digest('base64url')).toBe(signature)
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload
  return { url, content, expires: body.expires as string }
}
interface Payload {
  readonly resource: object
  readonly params: object
  readonly exp: number
}
const names = async (client: Client, query = '') =>
  ((await client.get(`/reports${query}`)).body.items as readonly { name: string }[]).map(({ name }) => name)

const env = { METABASE_URL: `${METABASE}/`, METABASE_SECRET: SECRET, LOG_LEVEL: 'debug' }
const { parley, admin } = await openAdmin({ env })
const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
const bot = await made('bot', { name: 'Aurora' })
const ana = await person(parley, admin, { username: 'ana', level: root, actions: ['showreport', 'readbot'] })

describe('a report', () => {
  test('has a name, a type, an id of Metabase, is global or not, and has parameters [C-3.68]', async () => {
    const parameters = { bot: '{bot}', period: ['past30days'] }
    const id = await report({ name: 'Fila', type: 'question', metabaseid: 42, global: true, parameters })
    const row = { name: 'Fila', type: 'question', metabaseid: 42, global: true, parameters }
    expect((await admin.get(`/report/${id}`)).body).toMatchObject(row)
    for (const wrong of [
      { type: 'table' },
      { metabaseid: 0 },
      { metabaseid: 1.5 },
      { metabaseid: '7' },
      { parameters: { x: '{level}' } },
      { parameters: [] },
    ])
      expect((await admin.post('/report', { ...row, ...wrong })).status, JSON.stringify(wrong)).toBe(422)
  })

  test('is shown as the dashboard or question of its id with its parameters, locked [C-3.70]', async () => {
    const id = await report({ global: true, parameters: { bot: '{bot}', level: '{hierarchylevel}', fixed: 'x' } })
    const { url, content, expires } = await embedded(admin, id, `?bot=${bot}`)
    expect(url.href).toMatch(/^https:\/\/metabase\.example\/mb\/embed\/dashboard\/[\w.-]+#bordered=false&titled=false$/)
    expect(content).toMatchObject({ resource: { dashboard: 7 }, params: { bot, level: root, fixed: 'x' } })
    expect(Date.parse(expires)).toBe(content.exp * 1000)
    expect(content.exp * 1000 - Date.now()).toBeGreaterThan(590_000 - 60_000)
    expect(content.exp * 1000 - Date.now()).toBeLessThanOrEqual(600_000)
    const question = await report({ type: 'question', metabaseid: 42 })
    expect((await embedded(admin, question)).content).toMatchObject({ resource: { question: 42 }, params: {} })
    expect(await names(admin, `?bot=${bot}`)).toContain('Resolução')
  })

  test('that needs a bot is not shown without one, nor under one that may not be seen', async () => {
    const id = await report({ global: true, parameters: { bot: '{bot}' } })
    const { status, body } = await admin.get(`/report/${id}/embed`)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ path: 'bot', code: 'required' }])
    expect((await admin.get(`/report/${id}/embed?bot=none`)).status).toBe(404)
    expect((await admin.get('/reports?bot=none')).status).toBe(404)
    expect((await admin.get(`/report/${id}/embed?bot=${bot}&params=x`)).status).toBe(422)
  })

  test('leaves no token in the log', async () => {
    const id = await report({})
    const { url } = await embedded(admin, id)
    expect(parley.log()).toContain('answered')
    expect(parley.log()).not.toContain(url.pathname.split('.').at(-1))
    expect(parley.log()).not.toContain('/embed/')
  })

  test('is framed from Metabase alone', async () => {
    const policy = (await fetch(`${parley.origin}/botadmin/`)).headers.get('content-security-policy') ?? ''
    expect(policy.split(';').find(part => part.trim().startsWith('frame-src'))).toBe(
      'frame-src https://metabase.example',
    )
  })
})

describe('a report group', () => {
  test('has a name, actions, reports and user groups [C-3.69]', async () => {
    const reports = [await report({})]
    const group = { name: 'Gestão', actions: ['readreport', 'downloadreport'], reports, usergroups: [ana.group] }
    const id = await made('reportgroup', group)
    expect((await admin.get(`/reportgroup/${id}`)).body).toMatchObject(group)
    const unknown = await admin.post('/reportgroup', { ...group, actions: ['fly'] })
    expect(unknown.body.errors).toMatchObject([{ path: 'actions.0', code: 'option' }])
    await admin.delete(`/reportgroup/${id}`)
  })

  test('grants its reports to the people of its groups, who see no others [C-6.03]', async () => {
    const mine = await report({ name: 'Minha', global: true })
    const others = await report({ name: 'Alheia', global: true })
    expect(await names(ana.client)).toEqual([])
    expect((await ana.client.get(`/report/${mine}/embed`)).status).toBe(403)
    const fields = { name: 'Gestão', reports: [mine], usergroups: [ana.group] }
    const group = await made('reportgroup', fields)
    const { items } = (await ana.client.get('/reports')).body
    expect(items).toMatchObject([{ id: mine, name: 'Minha', download: false, groups: ['Gestão'] }])
    expect((await embedded(ana.client, mine)).content.resource).toEqual({ dashboard: 7 })
    expect((await ana.client.get(`/report/${others}/embed`)).status).toBe(403)
    expect((await ana.client.get('/report')).status).toBe(403)
    expect(await names(ana.client, `?bot=${bot}`)).toEqual(['Minha'])
    expect(await names(admin)).toEqual(expect.arrayContaining(['Minha', 'Alheia']))

    const { revision } = (await admin.get(`/reportgroup/${group}`)).body
    await admin.patch(`/reportgroup/${group}`, { actions: ['readreport', 'downloadreport'] }, revision)
    expect((await ana.client.get('/reports')).body.items).toMatchObject([{ download: true }])
    await admin.patch(`/reportgroup/${group}`, { actions: [] }, revision + 1)
    expect(await names(ana.client)).toEqual([])
    expect((await ana.client.get(`/report/${mine}/embed`)).status).toBe(403)
  })

  test('grants to the people of a group below its user group as well', async () => {
    const id = await report({ name: 'Da diretoria' })
    const above = await made('usergroup', { name: 'Diretoria' })
    await made('reportgroup', { name: 'Diretoria', reports: [id], usergroups: [above] })
    expect((await ana.client.get(`/report/${id}/embed`)).status).toBe(403)
    const { revision } = (await admin.get(`/usergroup/${ana.group}`)).body
    expect((await admin.patch(`/usergroup/${ana.group}`, { parent: above }, revision)).status).toBe(200)
    expect((await ana.client.get(`/report/${id}/embed`)).status).toBe(200)
  })

  test('shows nothing outside the levels of a person, and nothing without permission', async () => {
    const south = await level(admin, 'Sul')
    const id = await report({ name: 'Da raiz' })
    const rui = await person(parley, admin, { username: 'rui', level: south, actions: ['showreport'] })
    const eva = await person(parley, admin, { username: 'eva', level: root, actions: ['readbot'] })
    await made('reportgroup', { name: 'Todos', reports: [id], usergroups: [rui.group, eva.group] })
    expect((await rui.client.get(`/report/${id}/embed`)).status).toBe(404)
    expect(await names(rui.client)).toEqual([])
    expect((await eva.client.get(`/report/${id}/embed`)).status).toBe(403)
    expect(await names(eva.client)).toEqual([])
    expect((await parley.anyone.get('/reports')).status).toBe(401)
  })

  test('keeps no report that is removed', async () => {
    const id = await report({ name: 'Velha' })
    const group = await made('reportgroup', { name: 'Velhas', reports: [id], usergroups: [] })
    expect((await admin.delete(`/report/${id}`)).status).toBe(200)
    expect((await admin.get(`/reportgroup/${group}`)).body.reports).toEqual([])
  })
})

test('without Metabase the answer says which settings are missing [P-203]', async () => {
  const bare = await openParley()
  try {
    const client = await bare.signIn()
    const { body } = await client.get('/reports')
    expect(body).toMatchObject({ missing: ['METABASE_URL', 'METABASE_SECRET'], items: [] })
    const { id } = (await client.post('/report', { name: 'x', type: 'dashboard', metabaseid: 1 })).body
    expect((await client.get(`/report/${id}/embed`)).body).toMatchObject({ status: 409, code: 'report.setup' })
  } finally {
    await discard(bare)
  }
})
