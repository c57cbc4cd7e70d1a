import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const exported = async (path: string, client = admin) => {
  const answer = await client.get(path)
  expect(answer.status).toBe(200)
  return parse(answer.text, { columns: true, relax_column_count: false }) as Record<string, string>[]
}

test('the CSV of a list holds every page of it, id and revision first, in CRLF records', async () => {
  for (let n = 0; n < 30; n += 1) await admin.post('/codesample', { name: `Amostra ${n}`, code: 'a,"b"\r\nc' })
  const { text, headers } = await admin.get('/codesample/export?sort=name')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="codesample.csv"')
  expect(text.startsWith('id,revision,hierarchylevel,name,description,code,markdown_doc\r\n')).toBe(true)
  const rows = await exported('/codesample/export?sort=name')
  expect(rows).toHaveLength(30)
  expect(rows[0]).toMatchObject({ name: 'Amostra 0', revision: '1', code: 'a,"b"\r\nc', description: '' })
  expect(await exported('/codesample/export?search=amostra%2029')).toHaveLength(1)
})

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', async () => {
  for (const code of ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1'])
    await admin.post('/codesample', { name: 'Fórmula', code })
  const rows = await exported('/codesample/export?name=F%C3%B3rmula&sort=created_at')
  expect(rows.filter(({ code }) => !code?.startsWith("'"))).toEqual([])
  expect(rows).toHaveLength(6)
})

test('every entity is exported, and no secret has a column', async () => {
  await admin.post('/globalvariable', { name: 'chave', secret: true, value: 'segredo-123' })
  for (const name of Object.keys(ENTITIES)) {
    const { status, text } = await admin.get(`/${name}/export`)
    expect({ name, status, begin: text.slice(0, 11) }).toEqual({ name, status: 200, begin: 'id,revision' })
    expect(text.split('\n')[0]?.split(',')).not.toContain('password')
    expect(text).not.toMatch(/segredo-123|"set"/)
  }
})

test('an export shows what its caller may read: within the level, with the right', async () => {
  const branch = await level(admin, 'Filial')
  const ana = await person(parley, admin, { username: 'ana', level: branch, actions: ['readlocalemessage'] })
  const message = { locale: 'pt', code: 'x', message: 'y' }
  await admin.post('/localemessage', message)
  await admin.post('/localemessage', { ...message, code: 'z', hierarchylevel: branch })
  expect((await exported('/localemessage/export', ana.client)).map(({ code }) => code)).toEqual(['z'])
  expect((await ana.client.get('/codesample/export')).status).toBe(403)
})

test('a forgotten person is not exported, and an unknown filter is refused', async () => {
  const rui = await person(parley, admin, { username: 'rui', level: await level(admin, 'Sul'), actions: [] })
  expect(await exported('/user/export')).toContainEqual(expect.objectContaining({ id: rui.id, username: 'rui' }))
  await admin.post(`/user/${rui.id}/forget`, { confirm: 'CONFIRM' })
  expect((await exported('/user/export')).map(({ id }) => id)).not.toContain(rui.id)
  expect((await admin.get('/user/export?nothing=1')).status).toBe(422)
  expect((await admin.get('/user/export?page=1')).status).toBe(422)
})
