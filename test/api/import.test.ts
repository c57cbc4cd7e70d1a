import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRecord } from '#domain/csv/cell.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const csv = (...records: readonly (readonly string[])[]) => records.map(csvRecord).join('')
const send = async (path: string, body: string, client = admin, headers: Record<string, string> = {}) => {
  const answer = await client.send('POST', path, { body, headers: { 'content-type': 'text/csv', ...headers } })
  return { ...answer, body: answer.body as unknown as Record<string, unknown> }
}
const find = async (query: string) => (await admin.get(`/localemessage?${query}`)).body.items

test('rows are created, changed and left alone, first as a dry run that writes nothing', async () => {
  const old = (await admin.post('/localemessage', { locale: 'pt', namespace: 'n', code: 'old', message: 'a' })).body.id
  await admin.post('/localemessage', { locale: 'en', namespace: 'n', code: 'same', message: 'b' })
  const file = csv(
    ['locale', 'namespace', 'code', 'message', 'enabled'],
    ['pt', 'n', 'old', '=a', 'true'],
    ['en', 'n', 'same', 'b', 'TRUE'],
    ['en', 'n', 'new', 'linha 1\nlinha 2', 'false'],
  )
  const counts = { rows: 3, created: 1, changed: 1, unchanged: 1, refused: [] }
  const dry = await send('/localemessage/import?dryrun=true', file)
  expect(dry).toMatchObject({ status: 200, body: counts })
  expect(dry.body.items).toMatchObject([
    { row: 1, outcome: 'changed', id: old, changes: [{ path: 'message', before: 'a', after: '=a' }] },
    { row: 2, outcome: 'unchanged' },
    { row: 3, outcome: 'created' },
  ])
  expect(await find('code=new')).toEqual([])
  const done = await send('/localemessage/import', file, admin, { 'idempotency-key': 'import-1' })
  expect(done).toMatchObject({ status: 200, body: counts })
  expect(await find('code=new')).toMatchObject([{ message: 'linha 1\nlinha 2', enabled: false }])
  expect(await find('code=old')).toMatchObject([{ id: old, message: '=a', revision: 2 }])
  const again = await send('/localemessage/import', file, admin, { 'idempotency-key': 'import-1' })
  expect(again.body.process).toBe(done.body.process)
  await expect.poll(async () => (await admin.get(`/process/${done.body.process}`)).body.state).toBe('finished')
  const undo = await admin.post(`/process/${done.body.process}/undo`, {})
  expect(undo.status).toBe(202)
  await expect.poll(async () => (await find('code=new')).length).toBe(0)
})

test('rejects all rows when one is invalid, with each reason in the words of the form', async () => {
  const { id } = (await admin.post('/codesample', { name: 'Existe' })).body
  const file = csv(
    ['id', 'revision', 'name', 'description'],
    ['', '', 'Boa', ''],
    ['', '', '', 'sem nome'],
    ['nobody', '1', 'x', ''],
    [id, '9', 'x', ''],
    [id, '1', 'y', ''],
    ['', '', 'Boa', 'de novo'],
  )
  const { status, body } = await send('/codesample/import', file)
  expect(status).toBe(422)
  expect(body).toMatchObject({ code: 'import.refused', rows: 6, detail: '5 rows are refused; nothing was imported' })
  expect(body.refused).toMatchObject([
    { row: 2, errors: [{ path: 'name', code: 'required' }] },
    { row: 3, errors: [{ path: 'id', code: 'reference' }] },
    { row: 4, errors: [{ path: 'revision', code: 'toolarge' }] },
    { row: 5, errors: [{ path: 'id', code: 'duplicate' }] },
    { row: 6, errors: [{ path: 'name', code: 'duplicate' }] },
  ])
  expect((await admin.get('/codesample?name=Boa')).body.total).toBe(0)
})

test('merges changes made since the export; the same field is a conflict', async () => {
  const { id } = (await admin.post('/codesample', { name: 'Junto', description: 'a', code: 'a' })).body
  await admin.patch(`/codesample/${id}`, { description: 'theirs' }, 1)
  const header = ['id', 'revision', 'name', 'description', 'code']
  const conflict = await send('/codesample/import', csv(header, [id, '1', 'Junto', 'mine', 'a']))
  expect(conflict.body.refused).toMatchObject([{ row: 1, errors: [{ path: 'description', code: 'conflict' }] }])
  const merged = await send('/codesample/import', csv(header, [id, '1', 'Junto', 'a', 'mine']))
  expect(merged).toMatchObject({ status: 200, body: { changed: 1 } })
  expect((await admin.get(`/codesample/${id}`)).body).toMatchObject({ description: 'theirs', code: 'mine' })
})

test('rows go into the parent of the query, or of their own column', async () => {
  const bot = (await admin.post('/bot', { name: 'Importa' })).body.id
  const file = csv(['name', 'datatype', 'customdata'], ['cpf', 'number', '{"a":[1]}'])
  expect(await send(`/variable/import?bot=${bot}`, file)).toMatchObject({ status: 200, body: { created: 1 } })
  const { items } = (await admin.get(`/variable?bot=${bot}`)).body
  expect(items).toMatchObject([{ name: 'cpf', datatype: 'number', customdata: { a: [1] } }])
  expect(await send(`/variable/import?bot=${bot}`, file)).toMatchObject({ body: { created: 0, unchanged: 1 } })
  const nowhere = await send('/variable/import', file)
  expect(nowhere.body.refused).toMatchObject([{ row: 1, errors: [{ path: 'bot', code: 'required' }] }])
})

test('rejects input that is no CSV of the entity', async () => {
  const refusalOf = async (body: string) => (await send('/codesample/import', body)).body
  expect(await refusalOf('')).toMatchObject({ code: 'validation.failed' })
  expect(await refusalOf('name,nothing\r\na,b\r\n')).toMatchObject({ errors: [{ path: 'nothing', code: 'unknown' }] })
  expect(await refusalOf('name,code\r\na\r\n')).toMatchObject({ errors: [{ path: '1', code: 'format' }] })
  expect(await refusalOf('name\r\n"a\r\n')).toMatchObject({ errors: [{ path: '', code: 'format' }] })
  expect((await admin.post('/codesample/import', { name: 'a' })).status).toBe(415)
  expect((await send('/codesample/import', `name\r\n${'a'.repeat(1_000_001)}`)).status).toBe(413)
})

test('an import needs the rights to create and to update, and stays in the levels of its caller', async () => {
  const branch = await level(admin, 'Importadora')
  const rights = ['readcodesample', 'updatecodesample']
  const ana = await person(parley, admin, { username: 'anaimp', level: branch, actions: rights })
  const rui = await person(parley, admin, {
    username: 'ruiimp',
    level: branch,
    actions: [...rights, 'createcodesample'],
  })
  expect((await send('/codesample/import', csv(['name'], ['a']), ana.client)).status).toBe(403)
  const { id } = (await admin.post('/codesample', { name: 'De cima' })).body
  const { body } = await send('/codesample/import', csv(['id', 'revision', 'name'], [id, '1', 'b']), rui.client)
  expect(body.refused).toMatchObject([{ row: 1, errors: [{ path: 'id', code: 'reference' }] }])
  expect((await send('/codesample/import', csv(['name'], ['Da filial']), rui.client)).body).toMatchObject({
    created: 1,
  })
  expect((await admin.get('/codesample?name=Da%20filial')).body.items).toMatchObject([{ hierarchylevel: branch }])
})

test('changes nothing on import of an export, for any content', async () => {
  const text = fc.string({ maxLength: 20, unit: fc.constantFrom(...'=+-@\t\n\r\',"; aé1'.split('')) })
  const given = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(given, async samples => {
      for (const [description, code] of samples) await admin.post('/codesample', { name: 'Volta', description, code })
      const { text: file } = await admin.get('/codesample/export?name=Volta')
      const { body } = await send('/codesample/import?dryrun=true', file)
      expect(body).toMatchObject({ created: 0, changed: 0, refused: [] })
      expect(Number(body.unchanged)).toBeGreaterThan(0)
    }),
    { numRuns: 6 },
  )
})
