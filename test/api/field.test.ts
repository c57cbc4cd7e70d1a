import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openSpecimenGateway } from './specimen-gateway.ts'

vi.mock('#schemas/entities/registry.ts', async load =>
  (await import('#test/declaration/specimen.ts')).registryWithSpecimen(load),
)

const gateway = await openSpecimenGateway()
afterAll(() => gateway.close())

const SECRET = 'swordfish-7391'

describe('a field of every kind', () => {
  test('is created, read, listed, changed and restored [P-120]', async () => {
    const bot = (await gateway.admin.post('/bot', { name: 'Fields' })).body.id
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
    const id = await gateway.create(values)
    expect(await gateway.rowOf(id)).toMatchObject(values)
    const found = await gateway.admin.get(
      '/specimen?search=%2B5511987654321&patience=5000&paint=%231a2b3c80&sort=-patience',
    )
    expect(found.body.items).toMatchObject([{ id, patience: 5000, site: values.site }])
    expect((await gateway.admin.get('/specimen?patience=5001')).body.total).toBe(0)
    expect((await gateway.admin.get('/specimen?headers=a')).status).toBe(422)
    const none = Object.fromEntries(Object.keys(values).map(name => [name, null]))
    expect((await gateway.admin.patch(`/specimen/${id}`, none, 1)).status).toBe(200)
    expect(await gateway.rowOf(id)).toMatchObject({ patience: 40_000, site: null, tags: [], auth: 'none', logo: null })
    expect((await gateway.admin.get(`/specimen/${id}/at/1`)).body).toMatchObject(values)
    await gateway.admin.post(`/specimen/${id}/restore`, { revision: 1 })
    expect(await gateway.rowOf(id)).toMatchObject({ ...values, revision: 3 })
  })

  test('refuses wrong values at dotted paths in three languages [P-120]', async () => {
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
      const answer = await gateway.admin.post('/specimen', { name: 'x', ...wrong }, { 'accept-language': language })
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
    // Rules over several fields run once each field is valid.
    const { schedule, rule } = wrong
    expect(await gateway.errorsOf({ schedule, rule })).toMatchObject([
      { path: 'schedule', code: 'format', message: 'Invalid cron expression' },
      { path: 'rule', code: 'expression' },
    ])
  })

  test('has its format and limits in OpenAPI [P-120]', async () => {
    const { paths, components } = (await gateway.admin.get('/openapi.json')).body as unknown as {
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
  test('is cleared, refused or required by the other one [P-120] [P-1860]', async () => {
    expect(await gateway.errorsOf({ auth: 'basic' })).toMatchObject([{ path: 'username', code: 'required' }])
    expect(await gateway.errorsOf({ country: 'BR', state: 'CA' })).toMatchObject([{ path: 'state', code: 'option' }])
    const id = await gateway.create({ auth: 'basic', username: 'ana', country: 'BR', state: 'SP' })
    await gateway.admin.patch(`/specimen/${id}`, { auth: 'none', country: 'US' }, 1)
    expect(await gateway.rowOf(id)).toMatchObject({ auth: 'none', username: null, country: 'US', state: null })
    expect(await gateway.admin.patch(`/specimen/${id}`, { username: 'rui' }, 2)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'username', code: 'unknown' }] },
    })
    expect((await gateway.admin.patch(`/specimen/${id}`, { username: null }, 2)).body.revision).toBe(2)
    await gateway.admin.post(`/specimen/${id}/restore`, { revision: 1, fields: ['auth'] })
    expect(await gateway.rowOf(id)).toMatchObject({ auth: 'basic', username: 'ana', country: 'US', state: null })
  })
})

describe('a list of groups', () => {
  test('keeps the secrets of its items and lists its changes item by item [P-120]', async () => {
    const id = await gateway.create({
      headers: [
        { name: 'a', value: SECRET },
        { id: 'two', name: 'b' },
      ],
    })
    const [first, second] = (await gateway.rowOf(id)).headers as Record<string, unknown>[]
    expect(first).toEqual({ id: expect.any(String), name: 'a', value: { set: true }, icon: null, retries: 3 })
    expect(second).toEqual({ id: 'two', name: 'b', value: null, icon: null, retries: 3 })

    const kept = [second, { ...first, name: 'c' }, { name: 'd', value: 'e' }]
    expect((await gateway.admin.patch(`/specimen/${id}`, { headers: kept }, 1)).status).toBe(200)
    expect((await gateway.rowOf(id)).headers).toMatchObject([
      { id: 'two', value: null },
      { id: first?.id, name: 'c', value: { set: true } },
      { name: 'd', value: { set: true } },
    ])
    const again = (await gateway.rowOf(id)).headers as Record<string, unknown>[]
    expect((await gateway.admin.patch(`/specimen/${id}`, { headers: again }, 2)).body.revision).toBe(2)
    const [two, other, last] = again
    await gateway.admin.patch(
      `/specimen/${id}`,
      { headers: [{ ...two, retries: 1 }, { ...other, value: 'new' }, last] },
      2,
    )
    await gateway.admin.patch(`/specimen/${id}`, { headers: [two, other] }, 3)

    const { items } = (await gateway.admin.get(`/specimen/${id}/history`)).body
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
    expect((await gateway.admin.get(`/audit?entityid=${id}`)).body.items[1]).toMatchObject({ changes: changes[1] })
    expect((await gateway.admin.get(`/specimen/${id}/at/1`)).body.headers).toEqual([first, second])
    await gateway.admin.post(`/specimen/${id}/restore`, { revision: 1 })
    expect((await gateway.rowOf(id)).headers).toEqual([first, second])
  })

  test('answers a conflict without secrets when another person changed it [P-120]', async () => {
    const id = await gateway.create({ headers: [{ id: 'one', name: 'a', value: SECRET }] })
    await gateway.admin.patch(`/specimen/${id}`, { headers: [{ id: 'one', name: 'b', value: 'c' }] }, 1)
    const answer = await gateway.admin.patch(`/specimen/${id}`, { headers: [{ id: 'one', name: 'd' }] }, 1)
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

  test('merges items changed by two people, and reports items changed by both [P-451]', async () => {
    const headers = ['a', 'b', 'c'].map(name => ({ id: name, name, value: SECRET }))
    const id = await gateway.create({ headers, tags: ['x', 'y'] })
    const { headers: old } = (await gateway.rowOf(id)) as unknown as { headers: Record<string, unknown>[] }
    const [a, b, c] = old
    const theirs = { headers: [{ ...a, name: 'theirs' }, b], tags: ['x'] }
    expect((await gateway.admin.patch(`/specimen/${id}`, theirs, 1)).status).toBe(200)

    // An item of each side, one removed by them, one added by you.
    const yours = { headers: [a, { ...b, name: 'yours', value: 'new' }, c, { name: 'd' }], tags: ['x', 'y', 'z'] }
    expect((await gateway.admin.patch(`/specimen/${id}`, yours, 1)).status).toBe(200)
    expect(await gateway.rowOf(id)).toMatchObject({
      headers: [
        { id: 'a', name: 'theirs', value: { set: true } },
        { id: 'b', name: 'yours', value: { set: true } },
        { name: 'd', value: null },
      ],
      tags: ['x', 'z'],
    })

    const clash = {
      headers: [
        { ...a, name: 'mine', value: 'mysecret' },
        { ...b, name: 'mine' },
        { ...c, retries: 9 },
      ],
    }
    const conflict = await gateway.admin.patch(`/specimen/${id}`, clash, 1)
    expect(conflict).toMatchObject({ status: 409, body: { code: 'entity.conflict' } })
    expect(conflict.text).not.toMatch(/mysecret|\$secret/)
    const [error] = conflict.body.errors as unknown as { items: unknown[] }[]
    expect(error).toMatchObject({
      path: 'headers',
      items: [
        { id: 'a', before: { name: 'a' }, yours: { name: 'mine' }, theirs: { name: 'theirs' } },
        { id: 'b', before: { name: 'b' }, yours: { name: 'mine' }, theirs: { name: 'yours' } },
        { id: 'c', before: { name: 'c' }, yours: { retries: 9 }, theirs: null },
      ],
    })
    expect((await gateway.rowOf(id)).revision).toBe(3)
  })

  test('has no secret in clear on the disk [P-120]', async () => {
    await gateway.create({ key: SECRET, headers: [{ name: 'a', value: SECRET }] })
    const files = readdirSync(gateway.folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    expect(files.length).toBeGreaterThan(3)
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(SECRET), name).toBe(false)
  })
})
