import { expect, test } from 'vitest'
import type { FlowHits } from '#schemas/api/flow-text.ts'
import { openAdmin } from '#test/api/open-parley.ts'

const MAX_TEXT = 4_000_000
const EMPTY = { format: 'parley-flow', version: 1, operators: {}, links: {} }

const { parley, admin } = await openAdmin()
const bot = (await admin.post('/bot', { name: 'Large' })).body.id
const task = (await admin.post('/dialogtask', { name: 'Texts', bot })).body.id

const made = async (kind: string, name: string) => (await admin.post(`/${kind}`, { name, dialogtask: task })).body.id
const block = (properties: object) => ({ type: 'restservice', title: '', top: 0, left: 0, properties })
const upload = (file: object) => {
  const body = new FormData()
  body.set('file', new Blob([JSON.stringify(file)], { type: 'application/json' }), 'version.json')
  return admin.send('POST', `/version/upload?bot=${bot}`, { body })
}

test('refuses a script and texts that are larger than a flow may hold, and says where [P-76]', async () => {
  const handler = await made('handler', 'Refused')
  const js = 'a'.repeat(MAX_TEXT + 1)
  const script = await admin.put(`/handler/${handler}/flow`, { ...EMPTY, js })
  expect(script).toMatchObject({
    status: 422,
    body: { code: 'flow.format', errors: [{ path: 'js', code: 'toolong' }] },
  })

  const operators = {
    a: block({ input: js }),
    b: block({ ['k'.repeat(1001)]: 1 }),
    c: block({ more: [js.slice(3e6)] }),
  }
  const texts = await admin.put(`/handler/${handler}/flow`, { ...EMPTY, operators })
  expect(texts.body.errors.map(({ path, code }) => [path.slice(0, 30), code])).toEqual([
    ['operators.a.properties.input', 'toolong'],
    [`operators.b.properties.${'k'.repeat(7)}`, 'toolong'],
    ['operators.c.properties.more', 'toolong'],
  ])

  const name = 'n'
  const handlers = [{ name, flow: EMPTY, js }]
  const dialogs = [{ name, flow: { ...EMPTY, operators: { a: block({ input: js }) } } }]
  const tasks = [{ name, dialogs, handlers }]
  const version = await upload({ format: 'parley-version', version: 1, name, bot: { name }, dialogtasks: tasks })
  expect(version).toMatchObject({ status: 422, body: { code: 'version.format' } })
  expect(version.body.errors).toMatchObject([
    { path: 'dialogtasks.0.dialogs.0.flow.operators.a.properties.input', code: 'toolong' },
    { path: 'dialogtasks.0.handlers.0.js', code: 'toolong' },
  ])
})

test('refuses a flow file that is no JSON, no UTF-8 or has a member __proto__', async () => {
  const path = `/dialog/${await made('dialog', 'Broken')}/flow`
  const put = (body: string | Uint8Array<ArrayBuffer>) =>
    admin.send('PUT', path, { body, headers: { 'content-type': 'application/json', 'if-match': '*' } })
  expect(await put('{"operators":')).toMatchObject({ status: 400, body: { code: 'request.unreadable' } })
  expect(await put(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ status: 400 })
  expect(await put('"text"')).toMatchObject({ status: 422, body: { code: 'flow.format' } })
  expect(await put('{"operators":{"__proto__":{}},"links":{}}')).toMatchObject({
    status: 422,
    body: { code: 'validation.failed', errors: [{ path: 'operators.__proto__', code: 'unknown' }] },
  })
})

test('answers a search that finds millions of places with a bounded answer, while others are served [P-78]', async () => {
  const handler = await made('handler', 'Script')
  const dialog = await made('dialog', 'Template')
  const js = 'a'.repeat(MAX_TEXT)
  const put = await admin.put(`/handler/${handler}/flow`, { ...EMPTY, js })
  expect(put.status).toBe(200)
  const operators = { t: block({ url: 'z{{q}}'.repeat(40_000) }) }
  expect((await admin.put(`/dialog/${dialog}/flow`, { ...EMPTY, operators })).status).toBe(200)

  const answers = ['a', 'z', 'q'].map(text => admin.get(`/bot/${bot}/flow/find?text=${text}&exact=true`))
  expect((await parley.anyone.get('/health/live')).status).toBe(200)
  const [a, z, q] = await Promise.all(answers)
  const hits = a?.body as unknown as FlowHits
  const isCut = hits.unfinished !== undefined
  if (isCut) expect(hits.unfinished).toMatchObject([{ id: handler, name: 'Script' }])
  else expect(hits.total).toBe(MAX_TEXT)
  expect(hits.items.flatMap(each => each.hits)).toHaveLength(2000)
  expect(a?.text.length).toBeLessThan(1_000_000)
  for (const found of [z, q]) expect(found?.body).toMatchObject({ total: 40_000 })

  const chosen = [{ id: handler, hits: [{ block: '', path: ['js'], offset: 3 }] }]
  const replaced = await admin.post(`/bot/${bot}/flow/replace`, { text: 'a', by: 'b', exact: true, flows: chosen })
  expect(replaced).toMatchObject({ status: 200, body: { flows: 1, texts: 1 } })
  const left = await admin.get(`/bot/${bot}/flow/find?text=b&exact=true`)
  expect(left.body).toMatchObject({ total: 1, items: [{ id: handler, hits: [{ offset: 3 }] }] })
})
