import { afterAll, expect, test, vi } from 'vitest'
import { csvRecord } from '#domain/csv/cell.ts'
import { type Client, discard } from './harness.ts'
import { openParley } from './open-parley.ts'
import { level, person } from './people.ts'

const parley = await openParley()
const admin = await parley.signIn()
afterAll(() => parley.close())

const message = async (code: string, more: object = {}) =>
  (await admin.post('/localemessage', { locale: 'pt', code, message: code, ...more })).body.id
const messages = (codes: readonly string[]) => Promise.all(codes.map(code => message(code)))

const csv = (...records: readonly (readonly string[])[]) => records.map(csvRecord).join('')
const importCsv = (entity: string, body: string, client: Client, headers: Record<string, string> = {}) =>
  client.send('POST', `/${entity}/import`, { body, headers: { 'content-type': 'text/csv', ...headers } })
/** Rows of messages with these codes. */
const codes = (prefix: string, count: number, namespace = '') =>
  csv(
    ['locale', 'namespace', 'code', 'message'],
    ...Array.from({ length: count }, (_, n) => ['pt', namespace, `${prefix}${n}`, 'x']),
  )
const imported = async (entity: string, rows: string, client = admin) => {
  const { status, text } = await importCsv(entity, rows, client)
  expect({ status, text }).toMatchObject({ status: 200 })
}

interface Report {
  readonly changed: number
  readonly refused: readonly { readonly id: string; readonly code: string; readonly message: string }[]
}

const ended = async (path: string, body: object, client = admin) => {
  const { status, text, body: started } = await client.post(path, body)
  expect({ status, text }).toMatchObject({ status: 202 })
  return finished(String(started.process), client)
}
const finished = (id: string, client = admin) =>
  vi.waitFor(
    async () => {
      const { body } = await client.get(`/process/${id}`)
      expect(body.state).toBe('finished')
      return { ...(body as unknown as Report), id }
    },
    { timeout: 30_000, interval: 50 },
  )

test('changes the named rows, and undoes those without later changes', async () => {
  const ids = await messages(['a1', 'a2', 'a3'])
  const changed = await ended('/localemessage/bulk', { action: 'change', ids, input: { enabled: false } })
  expect(changed).toMatchObject({ done: 3, total: 3, changed: 3, refused: [], undo: true })
  const [first = '', second = ''] = ids
  expect((await admin.get(`/localemessage/${first}`)).body).toMatchObject({ enabled: false, revision: 2 })
  await admin.patch(`/localemessage/${second}`, { message: 'meanwhile' }, 2)

  const undone = await ended(`/process/${changed.id}/undo`, {})

  expect(undone).toMatchObject({ done: 3, changed: 2, undo: false, refused: [{ id: second, code: 'entity.revision' }] })
  expect((await admin.get(`/localemessage/${first}`)).body).toMatchObject({ enabled: true, revision: 3 })
  expect((await admin.get(`/localemessage/${second}`)).body).toMatchObject({ enabled: false, message: 'meanwhile' })
  expect((await admin.post(`/process/${undone.id}/undo`, {})).body.code).toBe('process.final')
})

test('all that a filter holds is removed, over its pages, and brought back', async () => {
  await imported('localemessage', codes('b', 120, 'muitas'))
  const filter = { namespace: 'muitas', enabled: true }
  const removed = await ended('/localemessage/bulk', { action: 'remove', filter })
  expect(removed).toMatchObject({ done: 120, total: 120, changed: 120, refusals: 0 })
  expect((await admin.get('/localemessage?namespace=muitas')).body.total).toBe(0)
  const restored = await ended('/localemessage/bulk', { action: 'restore', filter: { namespace: 'muitas' } })
  expect(restored).toMatchObject({ changed: 120, refusals: 0 })
  expect((await admin.get('/localemessage?namespace=muitas')).body.total).toBe(120)
  await ended(`/process/${restored.id}/undo`, {})
  expect((await admin.get('/localemessage?namespace=muitas')).body.total).toBe(0)
}, 60_000)

test('each thing is refused for its own reason, in words, and stops no other', async () => {
  const running = (await admin.post('/bot', { name: 'Corre' })).body.id
  const resting = (await admin.post('/bot', { name: 'Para' })).body.id
  await admin.post(`/bot/${running}/start`, {})
  const report = await ended('/bot/bulk', { action: 'start', ids: [running, resting, 'nobody', resting] })
  expect(report).toMatchObject({ done: 3, total: 3, undo: false })
  expect(report.refused).toContainEqual({ id: 'nobody', code: 'entity.notfound', message: 'This does not exist' })
  expect((await admin.get(`/bot/${resting}`)).body.runningstatus).not.toBe('stopped')
  expect((await admin.post(`/process/${report.id}/undo`, {})).body.code).toBe('process.final')
})

test('requires CONFIRM for many rows as for one, and includes their contents', async () => {
  const bot = (await admin.post('/bot', { name: 'Vai' })).body.id
  const variable = (await admin.post('/variable', { bot, name: 'v' })).body.id
  const body = { action: 'remove', ids: [bot] }
  const { status, body: refusal } = await admin.post('/bot/bulk', body)
  expect({ status, code: refusal.code }).toEqual({ status: 422, code: 'validation.confirm' })
  const removed = await ended('/bot/bulk', { ...body, confirm: 'CONFIRM' })
  expect((await admin.get(`/variable/${variable}`)).status).toBe(404)
  await ended(`/process/${removed.id}/undo`, {})
  expect((await admin.get(`/variable/${variable}`)).status).toBe(200)
})

test.each([
  [{ action: 'remove' }, 'ids', 'required'],
  [{ action: 'remove', ids: ['a'], filter: {} }, 'filter', 'duplicate'],
  [{ action: 'explode', ids: ['a'] }, 'action', 'option'],
  [{ action: 'remove', filter: { nothing: 1 } }, 'filter.nothing', 'unknown'],
  [{ action: 'change', ids: ['a'] }, 'input', 'required'],
  [{ action: 'change', ids: ['a'], input: { enabled: 'x' } }, 'input.enabled', 'type'],
  [{ action: 'remove', ids: ['a'], input: { x: 1 } }, 'input.x', 'unknown'],
])('a body that says nothing or too much is refused: %o', async (body, path, code) => {
  const { status, body: refusal } = await admin.post('/localemessage/bulk', body)
  expect({ status, errors: refusal.errors }).toMatchObject({ status: 422, errors: [{ path, code }] })
})

test('a process acts within the rights and levels of its starter, who alone sees it', async () => {
  const branch = await level(admin, 'Filial em massa')
  const actions = ['readlocalemessage', 'deletelocalemessage']
  const ana = await person(parley, admin, { username: 'anabulk', level: branch, actions })
  const [outside = ''] = await messages(['fora'])
  const inside = await message('dentro', { hierarchylevel: branch })
  const change = { action: 'change', ids: [inside], input: { enabled: false } }
  expect((await ana.client.post('/localemessage/bulk', change)).status).toBe(403)
  const report = await ended('/localemessage/bulk', { action: 'remove', ids: [outside, inside] }, ana.client)
  expect(report).toMatchObject({ changed: 1, refused: [{ id: outside, code: 'entity.notfound' }] })
  expect((await admin.get(`/localemessage/${outside}`)).status).toBe(200)
  expect((await admin.get(`/process/${report.id}`)).status).toBe(404)
  expect((await admin.post(`/process/${report.id}/undo`, {})).status).toBe(404)
})

test('the same Idempotency-Key starts one process', async () => {
  const ids = await messages(['i1', 'i2'])
  const body = { action: 'remove', ids }
  const headers = { 'idempotency-key': 'bulk-1' }
  const [one, two] = [
    await admin.post('/localemessage/bulk', body, headers),
    await admin.post('/localemessage/bulk', body, headers),
  ]
  expect(one.body.process).toBe(two.body.process)
  expect((await finished(String(one.body.process))).changed).toBe(2)
})

test('a secret in the input of a process is in no event in clear', async () => {
  const { id } = (await admin.post('/globalvariable', { name: 'chave', secret: true, value: 'velho' })).body
  const input = { value: 'segredo-em-massa' }
  await ended('/globalvariable/bulk', { action: 'change', ids: [id], input })
  const { items } = (await admin.get(`/audit?entityid=${id}`)).body
  expect(JSON.stringify(items)).not.toContain('segredo-em-massa')
})

test('resumes a process or import after kill -9, runs each row once, and answers a repeated import with the same process', async () => {
  let own = await openParley()
  try {
    let client = await own.signIn()
    await imported('localemessage', codes('k', 300), client)
    const filter = { enabled: true }
    const { body } = await client.post('/localemessage/bulk', { action: 'change', filter, input: { message: 'y' } })
    const rows = csv(['name'], ...Array.from({ length: 100 }, (_, n) => [`k${n}`]))
    const key = { 'idempotency-key': 'killed' }
    const first = importCsv('codesample', rows, client, key).catch(() => undefined)
    await new Promise(resolve => setTimeout(resolve, 150))
    await own.kill()
    await first
    own = await openParley({ folder: own.folder })
    client = await own.signIn()

    const report = await finished(String(body.process), client)

    expect(report).toMatchObject({ done: 300, total: 300, refusals: 0 })
    const pages = await Promise.all([1, 2, 3].map(page => client.get(`/localemessage?size=100&page=${page}`)))
    const items = pages.flatMap(({ body: { items } }) => items)
    expect(new Set(items.map(({ id }) => id)).size).toBe(300)
    expect(new Set(items.map(({ revision, message }) => `${revision} ${message}`))).toEqual(new Set(['2 y']))
    const again = await importCsv('codesample', rows, client, key)
    expect(again).toMatchObject({ status: 200, body: { rows: 100, created: 100, refused: [] } })
    expect((await client.get('/codesample')).body.total).toBe(100)
  } finally {
    await discard(own)
  }
}, 60_000)
