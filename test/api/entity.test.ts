import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { parley, admin } = await openAdmin()

const create = async (fields: object) => {
  const { status, body } = await admin.post('/codesample', fields)
  expect(status).toBe(201)
  return body.id
}

describe('one entity over HTTP', () => {
  test('answers HEAD with the status and headers of GET and no body, also where access is refused', async () => {
    const id = await create({ name: 'Cabeçalho' })
    for (const [client, path] of [
      [admin, `/codesample/${id}`],
      [admin, '/codesample/none'],
      [parley.anyone, '/codesample'],
    ] as const) {
      const [get, head] = [await client.get(path), await client.send('HEAD', path)]
      expect([head.status, head.text]).toEqual([get.status, ''])
      for (const name of ['content-type', 'etag']) expect(head.headers.get(name), name).toBe(get.headers.get(name))
      expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.text))
    }
  })

  test('made, listed, read, changed, looked back at, brought back, removed and undeleted', async () => {
    const id = await create({ name: 'Saudação', code: 'a' })

    const list = await admin.get('/codesample?search=saudacao')
    expect(list.body).toMatchObject({ total: 1, page: 1, size: 25, items: [{ id, name: 'Saudação', revision: 1 }] })
    const read = await admin.get(`/codesample/${id}`)
    expect(read.headers.get('etag')).toBe('"1"')
    expect(read.body).toMatchObject({ name: 'Saudação', code: 'a', description: null, revision: 1 })
    expect(read.body.created_by).toBe(read.body.modified_by)

    expect((await admin.patch(`/codesample/${id}`, { code: 'b' }, 1)).body).toEqual({ id, revision: 2 })
    const history = await admin.get(`/codesample/${id}/history`)
    expect(history.body).toMatchObject({
      total: 2,
      items: [
        { revision: 1, action: 'created', actor: { username: 'admin' } },
        { revision: 2, action: 'changed', changes: [{ path: 'code', before: 'a', after: 'b' }] },
      ],
    })
    expect((await admin.get(`/codesample/${id}/history?after=1`)).body.items).toHaveLength(1)
    expect((await admin.get(`/codesample/${id}/at/1`)).body).toMatchObject({ code: 'a' })
    expect((await admin.get(`/codesample/${id}/at/9`)).status).toBe(404)

    expect((await admin.post(`/codesample/${id}/restore`, { revision: 1, fields: ['code'] })).body).toEqual({
      revision: 3,
    })
    expect((await admin.get(`/codesample/${id}`)).body).toMatchObject({ code: 'a', revision: 3 })

    expect((await admin.delete(`/codesample/${id}`)).body).toEqual({ revision: 4 })
    expect((await admin.get(`/codesample/${id}`)).status).toBe(404)
    expect((await admin.get('/codesample?search=saudacao')).body.total).toBe(0)
    expect((await admin.post(`/codesample/${id}/restore`, { revision: 3 })).body).toEqual({ revision: 5 })
    expect((await admin.get(`/codesample/${id}`)).body).toMatchObject({ name: 'Saudação', revision: 5 })
  })

  test('changes of others merge where they touch other fields, and conflict where they touch the same', async () => {
    const id = await create({ name: 'Merge', code: 'a', description: 'a' })
    await admin.patch(`/codesample/${id}`, { code: 'b' }, 1)

    expect((await admin.patch(`/codesample/${id}`, { description: 'c' }, 1)).body).toEqual({ id, revision: 3 })
    const conflict = await admin.patch(`/codesample/${id}`, { code: 'c' }, 1)
    expect(conflict.status).toBe(409)
    expect(conflict.body).toMatchObject({
      code: 'entity.conflict',
      errors: [{ path: 'code', code: 'conflict', before: 'a', yours: 'c', theirs: 'b' }],
    })
    expect((await admin.patch(`/codesample/${id}`, { code: 'd' }, 99)).status).toBe(412)
    expect((await admin.send('PATCH', `/codesample/${id}`, jsonBody({ code: 'd' }))).status).toBe(428)
    expect((await admin.get(`/codesample/${id}`)).body.revision).toBe(3)
  })

  test('a body is checked member by member, and nothing of a wrong one is kept', async () => {
    const refusal = async (fields: unknown) => (await admin.post('/codesample', fields)).body
    expect(await refusal({})).toMatchObject({ status: 422, errors: [{ path: 'name', code: 'required' }] })
    expect(await refusal({ name: 5 })).toMatchObject({ errors: [{ path: 'name', code: 'type' }] })
    expect(await refusal({ name: 'x', colour: 1 })).toMatchObject({ errors: [{ path: 'colour', code: 'unknown' }] })
    expect(await refusal({ name: 'a\u0000b' })).toMatchObject({ errors: [{ path: 'name', code: 'characters' }] })
    expect(await refusal({ name: 'x'.repeat(201) })).toMatchObject({ errors: [{ path: 'name', code: 'toolong' }] })
    expect(await refusal('{"name":"half')).toMatchObject({ status: 422 })
    expect((await admin.get('/codesample?name=x')).body.total).toBe(0)
  })

  test('names are one after folding, and free again when what had them is removed [C-5.08]', async () => {
    const first = await admin.post('/bot', { name: ' Reserva  de Hotel' })
    const second = await admin.post('/bot', { name: 'RESERVA DE HOTEL' })
    expect(second).toMatchObject({ status: 409, body: { code: 'entity.name.taken' } })
    expect((await admin.post('/bot', { name: 'Reserva de Hótel' })).status).toBe(201)

    expect((await admin.delete(`/bot/${first.body.id}`)).body.code).toBe('validation.confirm')
    expect((await admin.delete(`/bot/${first.body.id}`, { confirm: 'CONFIRM' })).status).toBe(200)
    expect((await admin.post('/bot', { name: 'reserva de hotel' })).status).toBe(201)
    const undelete = await admin.post(`/bot/${first.body.id}/restore`, { revision: 1 })
    expect(undelete).toMatchObject({ status: 409, body: { code: 'entity.name.taken' } })
  })

  test('a dialog belongs to a task, a task to a bot, and their names to what they are in [C-5.13] [C-5.15]', async () => {
    const bot = (await admin.post('/bot', { name: 'Pais' })).body.id
    const task = (await admin.post('/dialogtask', { name: 'Tarefa', bot })).body.id
    const dialog = await admin.post('/dialog', { name: 'Início', dialogtask: task })
    expect(dialog.status).toBe(201)
    const twice = await admin.post('/dialog', { name: 'início', dialogtask: task })
    expect(twice.body).toMatchObject({ code: 'entity.name.taken', detail: 'Dialog already exists' })
    expect((await admin.post('/dialogtask', { name: 'TAREFA', bot })).body).toMatchObject({ code: 'entity.name.taken' })
    await admin.post('/handler', { name: 'Preço', dialogtask: task })
    expect((await admin.post('/handler', { name: 'preço', dialogtask: task })).body).toMatchObject({
      code: 'entity.name.taken',
      detail: 'Handler already exists',
    })
    expect((await admin.post('/dialog', { name: 'x', dialogtask: 'nowhere' })).body.errors?.[0]).toMatchObject({
      path: 'dialogtask',
      code: 'reference',
    })
    expect((await admin.get(`/dialog?dialogtask=${task}`)).body.total).toBe(1)
    expect((await admin.post(`/dialogtask/${task}/publishall`, {})).body).toMatchObject({
      detail: 'main dialog must be set',
    })
    expect((await admin.get(`/dialog/hierarchy?id=${dialog.body.id}`)).body).toHaveProperty('hierarchylevel')
    expect((await admin.get('/dialog/hierarchy?id=none')).body).toEqual({})
  })

  test('a bot says in what language its expressions and paths are written: Jexl and JSONPath unless it says otherwise [C-3.14] [D-3.13.01] [D-3.13.02]', async () => {
    const bot = (await admin.post('/bot', { name: 'Linguagem' })).body.id
    const said = async () => {
      const { expressionparser, jsonpathparser } = (await admin.get(`/bot/${bot}`)).body
      return [expressionparser, jsonpathparser]
    }
    expect(await said()).toEqual(['Jexl', 'JSONPath'])
    const choices = { expressionparser: ['ExprEval', 'JsonAta', 'Jexl'], jsonpathparser: ['JsonAta', 'JSONPath'] }
    let revision = 1
    for (const [field, values] of Object.entries(choices)) {
      for (const value of values) {
        revision = (await admin.patch(`/bot/${bot}`, { [field]: value }, revision)).body.revision
        expect(await said()).toContain(value)
      }
      expect(await admin.patch(`/bot/${bot}`, { [field]: 'Lua' }, revision)).toMatchObject({
        status: 422,
        body: { errors: [{ path: field, code: 'option' }] },
      })
    }
    expect(await said()).toEqual(['Jexl', 'JSONPath'])
  })

  test('a task has what it is called and about, what people say to reach it, its main dialog, and whether the menu shows it [C-3.27]', async () => {
    const bot = (await admin.post('/bot', { name: 'Com tarefa' })).body.id
    const about = { description: 'Marca consultas', utterences: ['marcar', 'quero uma consulta'], showinmenu: true }
    const task = (await admin.post('/dialogtask', { name: 'Agenda', bot, ...about })).body.id
    const dialog = (await admin.post('/dialog', { name: 'Marca', dialogtask: task })).body.id
    await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)

    const read = (await admin.get(`/dialogtask/${task}`)).body
    expect(read).toMatchObject({ name: 'Agenda', ...about, principaldialog: dialog })
    expect((await admin.get(`/dialogtask?bot=${bot}&search=consulta`)).body.total).toBe(1)
    const bare = (await admin.post('/dialogtask', { name: 'Vazia', bot })).body.id
    expect((await admin.get(`/dialogtask/${bare}`)).body).toMatchObject({
      utterences: [],
      principaldialog: null,
      showinmenu: false,
    })
  })

  test('returns whether a dialog is published and when it was modified, and whether a handler is global or slow [C-3.29]', async () => {
    const { task: dialogtask, dialog } = await admin.createDialog({ name: 'Com fluxos' }, 'Agenda', 'Marca')
    const handler = (await admin.post('/handler', { name: 'Preço', dialogtask, global: true, slow: true })).body.id
    const before = (await admin.get(`/dialog/${dialog}`)).body
    expect(before).toMatchObject({ name: 'Marca', published: false })

    await admin.post(`/dialog/${dialog}/publish`)

    const after = (await admin.get(`/dialog/${dialog}`)).body
    expect(after).toMatchObject({ published: true, publishedrevision: 1 })
    expect(Date.parse(String(after.modified_at))).toBeGreaterThan(Date.parse(String(before.modified_at)))
    expect((await admin.get(`/handler/${handler}`)).body).toMatchObject({
      name: 'Preço',
      published: false,
      global: true,
      slow: true,
    })
    const plain = (await admin.post('/handler', { name: 'Prazo', dialogtask })).body.id
    expect((await admin.get(`/handler/${plain}`)).body).toMatchObject({ global: false, slow: false })
  })

  test('returns the highest version as the newest release, in any write order, and each number once [C-7.06] [P-1812]', async () => {
    expect((await admin.get('/releasenote/latest')).body).toEqual({})
    const note = { name: 'Nota', improvement: 'a\nb', bugfix: 'c' }
    for (const [major, minor, patch] of [
      [1, 9, 9],
      [2, 10, 1],
      [2, 9, 3],
    ])
      expect((await admin.post('/releasenote', { ...note, major, minor, patch })).status).toBe(201)
    expect((await admin.get('/releasenote/latest')).body).toEqual({ ...note, major: 2, minor: 10, patch: 1 })
    const taken = async (language: string) => {
      const again = { ...note, name: 'Outra', major: 2, minor: 9, patch: 3 }
      const { status, body } = await admin.post('/releasenote', again, { 'accept-language': language })
      return [status, body.code, body.detail, body.errors.map(({ path, code }) => [path, code])]
    }
    const errors = [['patch', 'taken']]
    expect(await taken('en')).toEqual([409, 'entity.name.taken', '2.9.3 already exists', errors])
    expect(await taken('es')).toEqual([409, 'entity.name.taken', '2.9.3 ya existe', errors])
    expect(await taken('pt')).toEqual([409, 'entity.name.taken', '2.9.3 já existe', errors])
  })

  test('a bot has one variable of a name in a scope [P-1812]', async () => {
    const bot = (await admin.post('/bot', { name: 'Variáveis' })).body.id
    const other = (await admin.post('/bot', { name: 'Outras variáveis' })).body.id
    const post = async (fields: object) =>
      (await admin.post('/variable', { name: 'cpf', scope: 'user', ...fields })).status
    expect(await post({ bot })).toBe(201)
    expect(await post({ bot })).toBe(409)
    expect(await post({ bot, name: ' CPF ' })).toBe(409)
    expect(await post({ bot, scope: 'dialog' })).toBe(201)
    expect(await post({ bot: other })).toBe(201)
    const second = (await admin.post('/variable', { bot, name: 'rg', scope: 'user' })).body
    expect((await admin.patch(`/variable/${second.id}`, { name: 'cpf' }, second.revision)).status).toBe(409)
  })

  test('a level, and a bot, has one global variable of a name, for simultaneous posts too [P-2008]', async () => {
    const bot = (await admin.post('/bot', { name: 'Globais' })).body.id
    const other = (await admin.post('/bot', { name: 'Outras globais' })).body.id
    const post = async (fields: object) => (await admin.post('/globalvariable', { name: 'chave', ...fields })).status
    for (const place of [{}, { bot }, { bot: other }]) {
      const statuses = await Promise.all(Array.from({ length: 5 }, () => post(place)))
      expect(statuses.sort()).toEqual([201, 409, 409, 409, 409])
    }
    expect(await post({ name: ' CHAVE ' })).toBe(409)
    const second = (await admin.post('/globalvariable', { name: 'outra' })).body
    expect((await admin.patch(`/globalvariable/${second.id}`, { name: 'chave' }, second.revision)).status).toBe(409)
    const [first] = (await admin.get('/globalvariable?name=chave')).body.items.filter(item => item.bot === null)
    expect((await admin.delete(`/globalvariable/${first?.id}`)).status).toBe(200)
    expect(await post({})).toBe(201)
  })

  test('a bot does what its running status allows', async () => {
    const bot = (await admin.post('/bot', { name: 'Motor' })).body.id
    expect((await admin.post(`/bot/${bot}/start`)).body).toEqual({ revision: 2 })
    expect((await admin.get(`/bot/${bot}`)).body.runningstatus).toMatch(/started|running|pending/)
    expect((await admin.post(`/bot/${bot}/fly`)).status).toBe(404)
  })
})

describe('the same request twice', () => {
  test('the same key and body answer as the first time and write nothing new', async () => {
    const headers = { 'idempotency-key': 'one' }
    const first = await admin.post('/codesample', { name: 'Once' }, headers)
    const again = await admin.post('/codesample', { name: 'Once' }, headers)
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect((await admin.get('/codesample?name=Once')).body.total).toBe(1)
  })

  test('the same key with another body is refused', async () => {
    const headers = { 'idempotency-key': 'two' }
    await admin.post('/codesample', { name: 'Two' }, headers)
    const other = await admin.post('/codesample', { name: 'Another' }, headers)
    expect(other).toMatchObject({ status: 422, body: { code: 'request.idempotency' } })
  })

  test('many at once make one', async () => {
    const headers = { 'idempotency-key': 'many' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.post('/codesample', { name: 'Many' }, headers)),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await admin.get('/codesample?name=Many')).body.total).toBe(1)
  })

  test('a refusal is not remembered', async () => {
    const headers = { 'idempotency-key': 'later' }
    const { id } = (await admin.post('/bot', { name: 'In the way' })).body
    expect((await admin.post('/bot', { name: 'in the way' }, headers)).status).toBe(409)
    await admin.delete(`/bot/${id}`, { confirm: 'CONFIRM' })
    expect((await admin.post('/bot', { name: 'in the way' }, headers)).status).toBe(201)
  })
})

function jsonBody(body: unknown): RequestInit {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
