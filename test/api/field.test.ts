import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openLog } from '#gateway/log.ts'
import { readSettings } from '#gateway/settings.ts'
import { type Gateway, startGateway } from '#gateway/start-gateway.ts'
import { ADMIN_PASSWORD, type Client, clientOf } from './harness.ts'

vi.mock('#schemas/entities/registry.ts', async load => {
  const { specimen } = await import('#test/declaration/specimen.ts')
  const registry = await load<typeof import('#schemas/entities/registry.ts')>()
  const ENTITIES = { ...registry.ENTITIES, specimen }
  return { ...registry, ENTITIES, isEntityName: (name: string) => Object.hasOwn(ENTITIES, name) }
})

const SECRET = 'swordfish-7391'

let folder: string
let gateway: Gateway
let client: Client
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fields-'))
  const settings = { PORT: '0', PARLEY_DATA: folder, PARLEY_SAMPLE: 'off', PARLEY_ADMIN_PASSWORD: ADMIN_PASSWORD }
  gateway = await startGateway(readSettings({ ...settings, LOG_LEVEL: 'warn' }), openLog('warn'))
  client = await signIn('admin', ADMIN_PASSWORD)
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

const signIn = async (username: string, password: string): Promise<Client> => {
  const { origin } = new URL(gateway.url)
  const { body } = await clientOf(origin, '').post('/auth/login', { username, password })
  return clientOf(origin, (body.token as { accessToken: string }).accessToken)
}

let made = 0
const create = async (fields: object = {}): Promise<string> => {
  const answer = await client.post('/specimen', { name: `s${++made}`, ...fields })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.id
}
const rowOf = async (id: string) => (await client.get(`/specimen/${id}`)).body
const refused = async (fields: object) => {
  const answer = await client.post('/specimen', { name: 'x', ...fields })
  expect(answer.status).toBe(422)
  return answer.body.errors
}

const upload = async (content: string, name: string, by = client) => {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const answer = await by.send('POST', '/file', { body: form })
  expect(answer.status).toBe(201)
  return { ...answer.body } as Record<string, unknown> & { id: string }
}
const PNG = '\u0089PNG\r\n\u001a\n'

describe('a field of every kind', () => {
  test('is created, read, listed, changed, kept in history and restored [P-120]', async () => {
    const bot = (await client.post('/bot', { name: 'Fields' })).body.id
    const values = {
      note: 'a\nb',
      about: '# a',
      script: 'a()',
      data: { a: [1] },
      shape: { type: 'object' },
      contact: 'ana@example.com',
      count: 5,
      ratio: 0.5,
      active: true,
      auth: 'basic',
      username: 'ana',
      country: 'BR',
      state: 'SP',
      bot,
      bots: [bot],
      tags: ['a', 'b'],
      seen: '2026-01-01T00:00:00Z',
      site: 'https://example.com/a',
      paint: '#1a2b3c80',
      schedule: '0 9 * * 1-5',
      patience: 5000,
      mobile: '+5511987654321',
      parser: 'JSONPath',
      rule: '$.a[0]',
      logo: 'https://example.com/logo.png',
    }
    const id = await create(values)
    expect(await rowOf(id)).toMatchObject(values)
    const found = await client.get('/specimen?search=%2B5511987654321&patience=5000&paint=%231a2b3c80&sort=-patience')
    expect(found.body.items).toMatchObject([{ id, patience: 5000, site: values.site }])
    expect((await client.get('/specimen?patience=5001')).body.total).toBe(0)
    expect((await client.get('/specimen?headers=a')).status).toBe(422)
    const none = Object.fromEntries(Object.keys(values).map(name => [name, null]))
    expect((await client.patch(`/specimen/${id}`, none, 1)).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ patience: 40_000, site: null, tags: [], auth: 'none', logo: null })
    expect((await client.get(`/specimen/${id}/at/1`)).body).toMatchObject(values)
    await client.post(`/specimen/${id}/restore`, { revision: 1 })
    expect(await rowOf(id)).toMatchObject({ ...values, revision: 3 })
  })

  test('refuses wrong values at dotted paths, with a text in three languages [P-120]', async () => {
    const wrong = {
      site: 'javascript:alert(1)',
      paint: 'red',
      schedule: 'every day',
      patience: 70_000,
      mobile: '11987654321',
      rule: 'a +',
      contract: { id: 'a'.repeat(64), name: 'a', type: 'text/html', size: 1 },
      logo: 'logo.png',
      headers: [{ name: 'a' }, { retries: 1.5 }],
    }
    const texts = new Set<string>()
    for (const language of ['en', 'pt', 'es']) {
      const answer = await client.post('/specimen', { name: 'x', ...wrong }, { 'accept-language': language })
      const errors = answer.body.errors as readonly { path: string; code: string; message: string }[]
      expect(Object.fromEntries(errors.map(({ path, code }) => [path, code]))).toEqual({
        site: 'format',
        paint: 'format',
        patience: 'toolarge',
        mobile: 'format',
        'contract.type': 'option',
        logo: 'format',
        'headers.1.name': 'required',
        'headers.1.retries': 'type',
      })
      for (const { message } of errors) {
        expect(message).not.toMatch(/^field\.|\{\{/)
        texts.add(message)
      }
    }
    expect(texts.size).toBeGreaterThan(18)
    // What needs more than one field is checked once each field is right by itself.
    const { schedule, rule } = wrong
    expect(await refused({ schedule, rule })).toMatchObject([
      { path: 'schedule', code: 'format', message: 'Invalid cron expression' },
      { path: 'rule', code: 'expression' },
    ])
  })

  test('stands in OpenAPI with its form [P-120]', async () => {
    const { paths, components } = (await client.get('/openapi.json')).body as unknown as {
      paths: Record<string, unknown>
      components: { schemas: Record<string, { properties: Record<string, object> }> }
    }
    const { properties } = components.schemas.SpecimenCreate ?? { properties: {} }
    const text = (name: string) => JSON.stringify(properties[name])
    expect(text('site')).toContain('"format":"uri"')
    expect(text('paint')).toContain('"pattern":"^#')
    expect(text('mobile')).toContain('"pattern":"^\\\\+')
    expect(text('patience')).toContain('"maximum":60000')
    expect(text('contract')).toContain('application/pdf')
    expect(text('headers')).toContain('"writeOnly":true')
    expect(JSON.stringify(components.schemas.Specimen?.properties.headers)).not.toContain('writeOnly')
    expect(paths['/botadmin/api/file']).toMatchObject({ post: {} })
    expect(paths['/botadmin/api/file/{id}']).toMatchObject({ get: {} })
  })
})

describe('a field that depends on another', () => {
  test('is cleared, ignored and required as that says [P-120]', async () => {
    expect(await refused({ auth: 'basic' })).toMatchObject([{ path: 'username', code: 'required' }])
    expect(await refused({ country: 'BR', state: 'CA' })).toMatchObject([{ path: 'state', code: 'option' }])
    const id = await create({ auth: 'basic', username: 'ana', country: 'BR', state: 'SP' })
    await client.patch(`/specimen/${id}`, { auth: 'none', country: 'US' }, 1)
    expect(await rowOf(id)).toMatchObject({ auth: 'none', username: null, country: 'US', state: null })
    expect((await client.patch(`/specimen/${id}`, { username: 'rui' }, 2)).body.revision).toBe(2)
    await client.post(`/specimen/${id}/restore`, { revision: 1, fields: ['auth'] })
    expect(await rowOf(id)).toMatchObject({ auth: 'basic', username: 'ana', country: 'US', state: null })
  })
})

describe('a list of groups', () => {
  test('keeps the secrets of its items, and tells its changes item by item [P-120]', async () => {
    const id = await create({
      headers: [
        { name: 'a', value: SECRET },
        { id: 'two', name: 'b' },
      ],
    })
    const [first, second] = (await rowOf(id)).headers as Record<string, unknown>[]
    expect(first).toEqual({ id: expect.any(String), name: 'a', value: { set: true }, icon: null, retries: 3 })
    expect(second).toEqual({ id: 'two', name: 'b', value: null, icon: null, retries: 3 })

    const kept = [second, { ...first, name: 'c' }, { name: 'd', value: 'e' }]
    expect((await client.patch(`/specimen/${id}`, { headers: kept }, 1)).status).toBe(200)
    expect((await rowOf(id)).headers).toMatchObject([
      { id: 'two', value: null },
      { id: first?.id, name: 'c', value: { set: true } },
      { name: 'd', value: { set: true } },
    ])
    const again = (await rowOf(id)).headers as Record<string, unknown>[]
    expect((await client.patch(`/specimen/${id}`, { headers: again }, 2)).body.revision).toBe(2)
    const [two, other, last] = again
    await client.patch(`/specimen/${id}`, { headers: [{ ...two, retries: 1 }, { ...other, value: 'new' }, last] }, 2)
    await client.patch(`/specimen/${id}`, { headers: [two, other] }, 3)

    const { items } = (await client.get(`/specimen/${id}/history`)).body
    const changes = items.slice(1).map(item => item.changes)
    expect(changes).toEqual([
      [
        { path: 'headers.1.name', before: 'a', after: 'c' },
        { path: 'headers.2', before: null, after: { ...last, value: { set: true } } },
      ],
      [
        { path: 'headers.0.retries', before: 3, after: 1 },
        { path: 'headers.1.value', before: null, after: null, secret: true },
      ],
      [
        { path: 'headers.2', before: last, after: null },
        { path: 'headers.0.retries', before: 1, after: 3 },
      ],
    ])
    expect((await client.get(`/audit?entityid=${id}`)).body.items[1]).toMatchObject({ changes: changes[1] })
    expect((await client.get(`/specimen/${id}/at/1`)).body.headers).toEqual([first, second])
    await client.post(`/specimen/${id}/restore`, { revision: 1 })
    expect((await rowOf(id)).headers).toEqual([first, second])
  })

  test('of which somebody else has changed is a conflict that shows no secret [P-120]', async () => {
    const id = await create({ headers: [{ id: 'one', name: 'a', value: SECRET }] })
    await client.patch(`/specimen/${id}`, { headers: [{ id: 'one', name: 'b', value: 'c' }] }, 1)
    const answer = await client.patch(`/specimen/${id}`, { headers: [{ id: 'one', name: 'd' }] }, 1)
    expect(answer.status).toBe(409)
    const value = { set: true }
    expect(answer.body.errors).toMatchObject([
      {
        path: 'headers',
        before: [{ name: 'a', value }],
        theirs: [{ name: 'b', value }],
        yours: [{ name: 'd', value }],
      },
    ])
  })

  test('has its secrets nowhere on the disk in clear [P-120]', async () => {
    await create({ key: SECRET, headers: [{ name: 'a', value: SECRET }] })
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    expect(files.length).toBeGreaterThan(3)
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(SECRET), name).toBe(false)
  })
})

describe('a file in a field', () => {
  test('is an upload of the caller that fits, and is read by whoever reads the thing [P-122]', async () => {
    await client.post('/role', { name: 'specimens', actions: ['readspecimen', 'createspecimen'] })
    const role = (await client.get('/role?search=specimens')).body.items[0]?.id
    const group = (await client.post('/usergroup', { name: 'specimens', roles: [role] })).body.id
    const empty = (await client.post('/usergroup', { name: 'nothing', roles: [] })).body.id
    for (const [username, usergroup] of [
      ['reader', [group]],
      ['nobody', [empty]],
    ] as const) {
      const user = { username, firstname: 'A', lastname: 'B', email: `${username}@example.com`, usergroup }
      const { status, text } = await client.post('/user', { ...user, password: ADMIN_PASSWORD })
      if (status !== 201) throw new Error(text)
    }
    const reader = await signIn('reader', ADMIN_PASSWORD)
    const nobody = await signIn('nobody', ADMIN_PASSWORD)

    const contract = await upload('the contract', 'contract.txt')
    expect((await reader.get(`/file/${contract.id}`)).status).toBe(404)
    expect((await reader.post('/specimen', { name: 'theft', contract })).body.errors).toMatchObject([
      { path: 'contract', code: 'reference' },
    ])
    const large = await upload('x'.repeat(101), 'large.txt')
    expect(await refused({ contract: { ...large, size: 5 } })).toMatchObject([{ path: 'contract.size' }])
    expect(await refused({ contract: { ...contract, id: 'a'.repeat(64) } })).toMatchObject([{ code: 'reference' }])

    const png = new Blob([Uint8Array.from(PNG, letter => letter.charCodeAt(0))])
    const form = new FormData()
    form.set('file', png, 'icon.png')
    const icon = { ...(await client.send('POST', '/file', { body: form })).body }
    const id = await create({ contract: { ...contract, name: 'renamed.txt' }, headers: [{ name: 'a', icon }] })
    expect(await rowOf(id)).toMatchObject({ contract, headers: [{ icon }] })
    for (const file of [contract.id, icon.id]) {
      expect((await reader.get(`/file/${file}`)).status).toBe(200)
      expect((await nobody.get(`/file/${file}`)).status).toBe(404)
    }

    await client.patch(`/specimen/${id}`, { contract: null }, 1)
    await client.delete(`/specimen/${id}`)
    expect((await reader.get(`/file/${contract.id}`)).text).toBe('the contract')
    await client.post(`/specimen/${id}/restore`, { revision: 1 })
    expect(await rowOf(id)).toMatchObject({ contract })
  })
})
