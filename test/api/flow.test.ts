import { describe, expect, test } from 'vitest'
import { link } from '#test/fixture/flow-parts.ts'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()
const bot = (await admin.post('/bot', { name: 'Bot' })).body.id
const task = (await admin.post('/dialogtask', { name: 'Tarefa', bot })).body.id

let named = 0
const draw = async (kind = 'dialog') =>
  (await admin.post(`/${kind}`, { name: `n${named++}`, dialogtask: task })).body.id

const operator = (title: string, top = 0) => ({
  type: 'marker',
  title,
  top,
  left: 40,
  properties: { inputs: { input_1: { label: '' } }, outputs: { output_1: { label: '' } } },
})
const FLOW = {
  format: 'parley-flow',
  version: 1,
  operators: { a: operator('Olá'), b: operator('Tchau', 200) },
  links: { l1: link('a', 'b') },
}

const upload = (path: string, content: string) => {
  const body = new FormData()
  body.set('file', new Blob([content], { type: 'application/json' }), 'version.json')
  return admin.send('POST', path, { body })
}

describe('a flow over HTTP', () => {
  test('a file replaces it in place, the same file again writes nothing, and it comes out as it went in', async () => {
    const id = await draw()
    const put = await admin.put(`/dialog/${id}/flow`, FLOW)
    expect(put).toMatchObject({ status: 200, body: { unknown: [] } })
    expect((await admin.put(`/dialog/${id}/flow`, FLOW)).body.revision).toBe(put.body.revision)
    const got = await admin.get(`/dialog/${id}/flow`)
    expect(got.headers.get('etag')).toBe(`"${put.body.revision}"`)
    expect(got.body).toMatchObject({ format: 'parley-flow', version: 1, operators: FLOW.operators })
    expect(Object.values(got.body.links)).toMatchObject([FLOW.links.l1])
  })

  test('its past can be read, compared, and brought back whole or in part', async () => {
    const id = await draw()
    const first = (await admin.put(`/dialog/${id}/flow`, FLOW)).body.revision
    const changed = { ...FLOW, operators: { a: operator('Bom dia'), c: operator('Novo', 400) }, links: {} }
    const second = (await admin.put(`/dialog/${id}/flow`, changed)).body.revision

    const { body } = await admin.get(`/dialog/${id}/flow/history?after=${first}`)
    expect(body.items).toMatchObject([
      { revision: second, authors: [{ username: 'admin' }], summary: { added: [{ id: 'c' }], removed: [{ id: 'b' }] } },
    ])
    const difference = await admin.get(`/dialog/${id}/flow/diff?from=${first}&to=${second}`)
    expect(difference.body).toMatchObject({
      nodes: { added: [{ id: 'c' }], removed: [{ id: 'b' }], changed: [{ id: 'a', changes: [{ path: 'title' }] }] },
      links: { added: [], changed: [] },
    })
    expect((await admin.get(`/dialog/${id}/flow/at/${first}`)).body.operators).toMatchObject(FLOW.operators)
    expect((await admin.get(`/dialog/${id}/flow/at/99`)).status).toBe(404)

    await admin.post(`/dialog/${id}/flow/restore`, { revision: first, blocks: ['a'] })
    const partly = (await admin.get(`/dialog/${id}/flow`)).body.operators
    expect([partly.a?.title, partly.b?.title, partly.c?.title]).toEqual(['Olá', undefined, 'Novo'])
    await admin.post(`/dialog/${id}/flow/restore`, { revision: first })
    expect(Object.keys((await admin.get(`/dialog/${id}/flow`)).body.operators).sort()).toEqual(['a', 'b'])
    expect((await admin.get(`/dialog/${id}/flow/history`)).body.items.at(-1)).toMatchObject({
      source: { kind: 'restore', revision: first },
    })
  })

  test('chosen fields of a block come back as a restore, and the others stay', async () => {
    const id = await draw()
    const first = (await admin.put(`/dialog/${id}/flow`, FLOW)).body.revision
    const moved = { ...operator('Bom dia'), left: 400 }
    await admin.put(`/dialog/${id}/flow`, { ...FLOW, operators: { ...FLOW.operators, a: moved } })
    const restore = (body: object) => admin.post(`/dialog/${id}/flow/restore`, { revision: first, ...body })

    expect((await restore({ blocks: ['a'], fields: ['title'] })).status).toBe(200)
    expect((await admin.get(`/dialog/${id}/flow`)).body.operators.a).toMatchObject({ title: 'Olá', left: 400 })
    expect((await admin.get(`/dialog/${id}/flow/history`)).body.items.at(-1)).toMatchObject({
      source: { kind: 'restore', revision: first },
      summary: { changed: [{ id: 'a', fields: ['title'] }] },
    })

    expect((await restore({ fields: ['title'] })).body.errors).toMatchObject([{ path: 'blocks', code: 'required' }])
    await admin.put(`/dialog/${id}/flow`, { ...FLOW, operators: { a: moved }, links: {} })
    const gone = await restore({ blocks: ['a', 'b'], fields: ['title'] })
    expect([gone.status, gone.body.errors]).toMatchObject([422, [{ path: 'blocks.1', code: 'reference' }]])
  })

  test('anything that is no flow is refused with where, and changes nothing [C-5.21] [D-8.07]', async () => {
    const id = await draw()
    const before = (await admin.get(`/dialog/${id}/flow`)).text
    const wrong = [
      {},
      [],
      { operators: {} },
      { ...FLOW, format: 'other' },
      { ...FLOW, operators: { a: 5 } },
      { ...FLOW, links: { l: { fromOperator: 'a' } } },
    ]
    for (const file of wrong)
      expect(await admin.put(`/dialog/${id}/flow`, file), JSON.stringify(file)).toMatchObject({
        status: 422,
        body: { code: 'flow.format' },
      })
    expect((await admin.put(`/dialog/${id}/flow`, { operators: 5, links: {} })).body).toMatchObject({
      code: 'flow.format',
      detail: 'dialog data can not be set ,not in proper json format',
      errors: [{ path: 'operators' }],
    })
    expect((await admin.get(`/dialog/${id}/flow`)).text).toBe(before)
    expect((await admin.get('/dialog/none/flow')).status).toBe(404)
    expect((await admin.get(`/handler/${id}/flow`)).status).toBe(404)
  })

  test('a flow larger than other bodies may be is taken', async () => {
    const id = await draw()
    const operators = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`o${n}`, operator('x'.repeat(5000), n)]),
    )
    expect((await admin.put(`/dialog/${id}/flow`, { operators, links: {} })).status).toBe(200)
  })

  test('a property nests 200 deep, in a version as well; deeper is refused with where and how deep it may be', async () => {
    const deep = (await admin.post('/bot', { name: 'Fundo' })).body.id
    const dialogtask = (await admin.post('/dialogtask', { name: 'Cartões', bot: deep })).body.id
    const { id } = (await admin.post('/dialog', { name: 'Cartão', dialogtask })).body
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
    const flow = (levels: number) => {
      const { properties, ...marker } = operator('Cartão')
      return { operators: { card: { ...marker, properties: { ...properties, cartao: nested(levels) } } }, links: {} }
    }
    expect((await admin.put(`/dialog/${id}/flow`, flow(200))).status).toBe(200)
    const held = await admin.get(`/dialog/${id}/flow`)
    expect(held.body.operators).toEqual(flow(200).operators)
    expect((await admin.put(`/dialog/${id}/flow`, held.body)).status).toBe(200)
    const version = (await admin.post('/version', { bot: deep, name: 'Funda', description: '' })).body.id
    const file = await admin.get(`/version/${version}/download`)
    expect((await upload(`/version/upload?bot=${deep}`, file.text)).status).toBe(201)

    const { status, body } = await admin.put(`/dialog/${id}/flow`, flow(201))
    expect([status, body.code]).toEqual([422, 'flow.format'])
    const [error] = body.errors
    expect(error).toMatchObject({ code: 'toodeep', params: { max: 200 } })
    expect(error?.path).toMatch(/^operators\.card\.properties\.cartao\.a\.a/)

    const all = await admin.put(`/dialog/${id}/flow`, flow(300))
    expect(all).toMatchObject({ status: 400, body: { code: 'request.unreadable' } })
    expect(all.body.errors).toMatchObject([{ code: 'toodeep', params: { max: 256 } }])
    const lifted = await upload(`/version/upload?bot=${bot}`, JSON.stringify(nested(300)))
    expect(lifted).toMatchObject({ status: 422, body: { code: 'version.format', errors: [{ code: 'toodeep' }] } })
  })

  test('If-Match lets a write through at that revision alone: of the flow, and of the dialog where it goes [P-1784]', async () => {
    const id = await draw()
    const flow = `/dialog/${id}/flow`
    const live = (await admin.put(flow, FLOW)).body.revision
    const put = async (match: string) => (await admin.put(flow, FLOW, { 'if-match': match })).status
    const fitting = [`"${live}"`, `W/"${live}"`, `"1", "${live}"`, '*']
    expect(await Promise.all(fitting.map(put))).toEqual([200, 200, 200, 200])
    expect(await Promise.all(['"1"', '"99"', 'x', ''].map(put))).toEqual([412, 412, 412, 412])
    const headers = { 'content-type': 'application/json' }
    const blind = await admin.send('PUT', flow, { headers, body: JSON.stringify({ operators: {}, links: {} }) })
    expect([blind.status, blind.body.code]).toEqual([428, 'request.precondition'])
    const back = await admin.post(`${flow}/restore`, { revision: 1 }, { 'if-match': '"1"' })
    expect([back.status, back.body.code]).toEqual([412, 'entity.revision'])
    expect((await admin.get(flow)).headers.get('etag')).toBe(`"${live}"`)

    const { revision } = (await admin.patch(`/dialog/${id}`, { name: 'Novo nome' }, 1)).body
    const stale = { 'if-match': '"1"' }
    expect((await admin.post(`/dialog/${id}/publish`, {}, stale)).status).toBe(412)
    expect((await admin.delete(`/dialog/${id}`, { confirm: 'CONFIRM' }, stale)).status).toBe(412)
    expect((await admin.get(`/dialog/${id}`)).body).toMatchObject({ revision, published: false })
    const patched = await admin.send('PATCH', `/dialog/${id}`, {
      headers: { 'if-match': '*', 'content-type': 'application/json' },
      body: '{"name":"Outro"}',
    })
    expect(patched.status).toBe(200)
    const gone = await admin.delete(`/dialog/${id}`, { confirm: 'CONFIRM' }, { 'if-match': `"${revision + 1}"` })
    expect(gone.status).toBe(200)
  })

  test('returns 304 for a flow or dialog that the caller already has', async () => {
    const id = await draw()
    for (const path of [`/dialog/${id}/flow`, `/dialog/${id}`]) {
      const has = async (tags: string) => (await admin.get(path, { 'if-none-match': tags })).status
      expect(await Promise.all(['"1"', 'W/"1"', '"0", "1"', '*'].map(has))).toEqual([304, 304, 304, 304])
      expect(await Promise.all(['"0"', '"2"', 'x', ''].map(has))).toEqual([200, 200, 200, 200])
    }
  })

  test('accepts a restore as documented, and returns the method for a GET of a command', async () => {
    const id = await draw()
    const none = await admin.post(`/dialog/${id}/flow/restore`, { revision: 1, blocks: [] })
    expect([none.status, none.body.errors[0]?.path]).toEqual([422, 'blocks'])
    const asked = await admin.get(`/dialog/${id}/publish`)
    expect([asked.status, asked.headers.get('allow'), asked.body.code]).toEqual([405, 'POST', 'request.method'])
    const long = await admin.get(`/dialog/${'x'.repeat(300)}/flow`)
    expect([long.status, long.body.code]).toEqual([404, 'entity.notfound'])
    const nowhere = await admin.get('/nowhere')
    expect([nowhere.status, nowhere.body.detail]).toEqual([404, 'This does not exist'])
  })

  test('texts of hundreds of thousands of lines are taken, changed and removed without a wait', async () => {
    const id = await draw()
    const started = performance.now()
    for (const text of ['linha\n'.repeat(200_000), 'outra\n'.repeat(190_000), 'fim']) {
      const operators = { a: { ...operator(''), type: 'text', properties: { text } } }
      const put = await admin.put(`/dialog/${id}/flow`, { ...FLOW, operators, links: {} })
      expect(put.status, put.text).toBe(200)
      expect((await admin.get(`/dialog/${id}/flow`)).body.operators).toMatchObject({ a: { properties: { text } } })
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('publishing takes the revision that was reviewed, and no other', async () => {
    const id = await draw()
    const stale = await admin.post(`/dialog/${id}/publish`, { flowrevision: 7 })
    expect(stale).toMatchObject({ status: 409, body: { code: 'flow.changed' } })
    expect((await admin.get(`/dialog/${id}`)).body.published).toBe(false)
    expect((await admin.post(`/dialog/${id}/publish`, { flowrevision: 1 })).status).toBe(200)
    expect((await admin.get(`/dialog/${id}`)).body).toMatchObject({ published: true, publishedrevision: 1 })
  })

  test('a handler has its flow and its script', async () => {
    const id = await draw('handler')
    expect((await admin.get(`/handler/${id}/flow`)).body).toMatchObject({ format: 'parley-flow', js: '' })
    expect((await admin.put(`/handler/${id}/flow`, { ...FLOW, js: 'return 42' })).status).toBe(200)
    expect((await admin.put(`/handler/${id}/flow`, FLOW)).status).toBe(200)
    expect((await admin.get(`/handler/${id}/flow`)).body).toMatchObject({ js: 'return 42' })
    const wrong = await admin.put(`/handler/${id}/flow`, { ...FLOW, js: 42 })
    expect([wrong.status, wrong.body.code, wrong.body.errors?.[0]?.path]).toEqual([422, 'flow.format', 'js'])
  })
})

describe('versions over HTTP', () => {
  test('kept, downloaded, previewed, applied and brought in again [C-3.25] [C-3.26]', async () => {
    const id = await draw()
    await admin.put(`/dialog/${id}/flow`, FLOW)
    const version = (await admin.post('/version', { bot, name: 'Versão 1', description: 'antes' })).body.id
    const file = await admin.get(`/version/${version}/download`)
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="Vers_o_1')
    expect(file.body).toMatchObject({ format: 'parley-version', version: 1, name: 'Versão 1', bot: { name: 'Bot' } })

    await admin.put(`/dialog/${id}/flow`, { ...FLOW, operators: { a: operator('Outra') }, links: {} })
    const preview = (await admin.get(`/version/${version}/preview`)).body
    expect(preview.dialogs).toMatchObject([{ id, state: 'changed', summary: { added: [{ id: 'b' }] } }])

    expect((await admin.post(`/version/${version}/apply`, {})).body.code).toBe('validation.confirm')
    expect((await admin.post(`/version/${version}/apply`, { confirm: 'CONFIRM' })).status).toBe(200)
    expect(Object.keys((await admin.get(`/dialog/${id}/flow`)).body.operators).sort()).toEqual(['a', 'b'])
    expect((await admin.get(`/version?bot=${bot}`)).body.total).toBe(2)

    const uploaded = await upload(`/version/upload?bot=${bot}`, file.text)
    expect(uploaded.status).toBe(201)
    const stamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/u)
    const stamps = { created_at: stamp, modified_at: stamp }
    expect((await admin.get(`/version/${uploaded.body.id}`)).body).toMatchObject({
      name: 'Versão 1',
      uploaded: true,
      ...stamps,
    })
    expect((await admin.get(`/version/${version}`)).body).toMatchObject({
      name: 'Versão 1',
      description: 'antes',
      uploaded: false,
      ...stamps,
    })
    const latest = (await admin.get(`/version?bot=${bot}`)).body.items.filter(item => item.latest === true)
    expect(latest).toHaveLength(1)
  })

  test('rejects an invalid version file', async () => {
    expect(await upload(`/version/upload?bot=${bot}`, '{"format":"parley-flow"}')).toMatchObject({
      status: 422,
      body: { code: 'version.format' },
    })
    expect((await upload(`/version/upload?bot=${bot}`, 'half a {')).body.code).toBe('version.format')
    expect((await upload('/version/upload?bot=none', '{}')).status).toBe(422)
    expect((await admin.post(`/version/upload?bot=${bot}`, {})).status).toBe(415)
    const empty = await admin.send('POST', `/version/upload?bot=${bot}`, { body: new FormData() })
    expect(empty.status).toBe(422)
  })
})

describe('a flow', () => {
  test.each(['dialog', 'handler'])('says of a %s whether it was changed since it was published', async kind => {
    const id = await draw(kind)
    const modified = async () => (await admin.get(`/${kind}/${id}`)).body.modified
    const listed = async (value: boolean) =>
      (await admin.get(`/${kind}?modified=${value}&dialogtask=${task}&size=100`)).body.items.some(
        item => item.id === id,
      )
    await admin.put(`/${kind}/${id}/flow`, FLOW)
    expect(await modified()).toBe(false)
    await admin.post(`/${kind}/${id}/publish`, {})
    expect(await modified()).toBe(false)
    await admin.put(`/${kind}/${id}/flow`, { ...FLOW, links: {} })
    expect(await modified()).toBe(true)
    expect([await listed(true), await listed(false)]).toEqual([true, false])
    expect((await admin.patch(`/${kind}/${id}`, { modified: false }, 1)).status).toBe(422)
    await admin.post(`/${kind}/${id}/publish`, {})
    expect(await modified()).toBe(false)
    await admin.put(`/${kind}/${id}/flow`, FLOW)
    await admin.post(`/${kind}/${id}/unpublish`, {})
    expect(await modified()).toBe(false)
  })

  test('has a line in the audit that says whether it was edited, imported or restored, and from where', async () => {
    const id = await draw()
    const { revision } = (await admin.put(`/dialog/${id}/flow`, FLOW)).body
    await admin.put(`/dialog/${id}/flow`, { ...FLOW, links: {} })
    await admin.post(`/dialog/${id}/flow/restore`, { revision })
    const { items } = (await admin.get(`/audit?entity=dialog&entityid=${id}`)).body
    expect(items.map(({ action, source }) => [action, source])).toEqual([
      ['restored', { kind: 'restore', revision }],
      ['imported', { kind: 'import' }],
      ['imported', { kind: 'import' }],
      ['edited', undefined],
      ['created', undefined],
    ])
    expect((await admin.get(`/audit?entity=dialog&entityid=${id}&action=imported`)).body.total).toBe(2)
  })
})
