import { expect, test } from 'vitest'
import { importRecords } from '#domain/conversation-test/import/read-import.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { isFull } from '#test/fixture/full.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

/** A pattern without end takes all of it. */
const limits = isFull ? {} : { testMs: 3_000 }

const { parley, admin } = await openAdmin({ limits })

const made = (entity: string, fields: object) => admin.create(entity, fields)
const draw = (greeting = 'Olá') =>
  admin.put(`/dialog/${dialog}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      hello: { ...plainBlock('text', 90, { text: greeting }), title: 'Saudação' },
      ask: plainBlock('prompt', 180, { varname: 'nome', data: { type: 'text', text: 'Nome?' } }),
      told: plainBlock('text', 360, { text: 'Oi {{nome}}' }),
    },
    links: { a: link('start', 'hello'), b: link('hello', 'ask'), c: link('ask', 'told') },
  })
const fileOf = (steps: readonly object[], more: object = {}) =>
  JSON.stringify({ format: 'parley-test', version: 1, name: 'Saúda', given: { task: 'Entrada' }, ...more, steps })
const GOOD = [{ user: 'oi' }, { bot: 'Olá' }, { bot: 'Nome?' }, { user: 'Ana' }, { bot: 'Oi Ana' }]
const BAD = [{ user: 'oi' }, { bot: 'Tchau' }]
const write = (steps: readonly object[], more: object = {}) =>
  admin.post('/conversationtest', { bot, name: 'Saúda', file: fileOf(steps), ...more })
const remove = (id: string) => admin.delete(`/conversationtest/${id}`)

const place = await level(admin, 'Loja')
const { bot, task, dialog } = await admin.createDialog({ name: 'Loja', hierarchylevel: place }, 'Entrada', 'Recepção')
await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
await draw()

test('a test that names what the bot lacks, or is no test, is refused by line [R-86]', async () => {
  const refused = await admin.post('/conversationtest', {
    bot,
    name: 't',
    file: 'format: parley-test\nsteps:\n  - say: oi\n',
  })
  expect(refused).toMatchObject({ status: 422, body: { code: 'validation.failed' } })
  expect(refused.body.errors).toContainEqual(
    expect.objectContaining({
      path: 'file',
      code: 'testfile',
      params: expect.objectContaining({ rule: 'step', line: 3 }),
    }),
  )
  const unknown = await write([
    { user: 'oi' },
    { expect: { visited: ['Saudação'], at: 'Nada', variables: { idade: 1 } } },
  ])
  expect(unknown.status).toBe(422)
  expect(
    (unknown.body.errors as unknown as { params: { rule: string; name: string } }[]).map(
      ({ params }) => `${params.rule} ${params.name}`,
    ),
  ).toEqual(['block Nada', 'variable idade'])
})

test('a test is run against the drawing, answers what came and is remembered [R-88]', async () => {
  const { body } = await write(GOOD, { gating: false })
  const ran = await admin.post(`/conversationtest/${body.id}/run`, {})
  expect(ran).toMatchObject({ status: 200, body: { revision: 2, result: { passed: true } } })
  expect(ran.body.result).toMatchObject({ path: [{ block: 'start', step: 1 }, { title: 'Saudação' }, {}, {}, {}] })
  const { body: read } = await admin.get(`/conversationtest/${body.id}`)
  expect(read).toMatchObject({ last: { passed: true, revision: 2 } })
  await admin.patch(`/conversationtest/${body.id}`, { file: fileOf(BAD) }, read.revision)
  expect((await admin.post(`/conversationtest/${body.id}/run`, {})).body.result).toMatchObject({
    passed: false,
    step: 2,
    kind: 'message',
    expected: 'Tchau',
    got: 'Olá',
  })
  const { client: reader } = await person(parley, admin, {
    username: 'lea',
    level: place,
    actions: ['readbot', 'readconversationtest'],
  })
  expect((await reader.post(`/conversationtest/${body.id}/run`, {})).status).toBe(403)
  await remove(String(body.id))
})

test('a regular expression that never ends fails its test in time, and the next one runs [R-88]', async () => {
  const steps = [{ user: 'a'.repeat(40) }, { bot: { matches: '^(a+)+$' } }]
  await draw('{{input.text}}!')
  const { body } = await write(steps, { gating: false })
  const ran = await admin.post(`/conversationtest/${body.id}/run`, {})
  expect(ran.body.result).toMatchObject({ passed: false, kind: 'time' })
  await draw()
  await remove(String(body.id))
  const next = await write(GOOD, { gating: false })
  expect((await admin.post(`/conversationtest/${next.body.id}/run`, {})).body.result).toMatchObject({ passed: true })
  await remove(String(next.body.id))
}, 40_000)

test('nothing is published while a gating test fails, unless with a reason by who may [R-89]', async () => {
  const { body } = await write(BAD)
  const refused = await admin.post(`/dialog/${dialog}/publish`, {})
  expect(refused).toMatchObject({ status: 422, body: { code: 'test.failed' } })
  expect(refused.body.errors).toMatchObject([
    {
      path: `tests.${body.id}`,
      code: 'test',
      params: { rule: 'message', name: 'Saúda', step: 2, expected: 'Tchau', got: 'Olá' },
    },
  ])
  expect(await admin.post(`/dialogtask/${task}/publishall`, {})).toMatchObject({
    status: 422,
    body: { code: 'test.failed' },
  })
  const { client: publisher } = await person(parley, admin, {
    username: 'pia',
    level: place,
    actions: ['readbot', 'readdialog', 'publishdialog'],
  })
  expect((await publisher.post(`/dialog/${dialog}/publishuntested`, { reason: 'x' })).status).toBe(403)
  expect((await admin.post(`/dialog/${dialog}/publishuntested`, {})).status).toBe(422)
  expect((await admin.post(`/dialog/${dialog}/publishuntested`, { reason: 'Feriado amanhã' })).status).toBe(200)
  expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({
    published: true,
    untestedreason: 'Feriado amanhã',
  })
  expect(JSON.stringify((await admin.get(`/dialog/${dialog}/history`)).body)).toContain('Feriado amanhã')
  await draw('Bom dia')
  expect((await admin.post(`/dialogtask/${task}/publishuntested`, { reason: 'Urgente' })).status).toBe(200)
  expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({ modified: false })
  expect((await admin.get(`/dialogtask/${task}`)).body).toMatchObject({ untestedreason: 'Urgente' })
  await draw()
  await remove(String(body.id))
  const good = await write(GOOD)
  expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
  expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({ untestedreason: null })
  await remove(String(good.body.id))
})

test('a published flow comes back, and a version is applied, when the gating tests hold [R-89]', async () => {
  const kept = (await admin.post('/version', { bot, name: 'v1' })).body.id
  const other = await made('dialog', { name: 'Outra', dialogtask: task })
  await admin.put(`/dialog/${other}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: { start: plainBlock('start', 0) },
    links: {},
  })
  expect((await admin.post(`/dialog/${other}/publish`, {})).status).toBe(200)
  const { body } = await write(BAD)
  const removed = await admin.delete(`/dialog/${other}`, { confirm: 'CONFIRM' })
  expect(removed.status).toBe(200)
  const back = await admin.post(`/dialog/${other}/restore`, { revision: 2 })
  expect(back).toMatchObject({ status: 422, body: { code: 'test.failed' } })
  expect(await admin.post(`/version/${kept}/apply`, { confirm: 'CONFIRM' })).toMatchObject({
    status: 422,
    body: { code: 'test.failed' },
  })
  expect((await admin.post(`/version/${kept}/publishuntested`, { confirm: 'CONFIRM', reason: 'Volta' })).status).toBe(
    200,
  )
  expect((await admin.get(`/version/${kept}`)).body).toMatchObject({ untestedreason: 'Volta' })
  expect((await admin.get(`/conversationtest/${body.id}`)).status).toBe(404)
  expect((await admin.post(`/dialog/${other}/restore`, { revision: 2 })).status).toBe(200)
})

test('a version of another bot is applied when the gating tests hold against the flows and settings that it brings [P-1789]', async () => {
  await draw('Olá')
  expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
  await draw('Rascunho')
  const target = await made('bot', { name: 'Loja em produção', hierarchylevel: place })
  const test = { bot: target, name: 'Saúda', file: fileOf(GOOD) }
  const bring = async () => {
    const kept = (await admin.post('/version', { bot, name: 'v' })).body.id
    const file = (await admin.get(`/version/${kept}/download`)).text
    const form = new FormData()
    form.append('file', new Blob([file], { type: 'application/json' }), 'v.json')
    const { body } = await admin.send('POST', `/version/upload?bot=${target}`, { body: form })
    return admin.post(`/version/${body.id}/apply`, { confirm: 'CONFIRM' })
  }
  // The task has neither a main dialog nor a flow yet: only what comes can hold.
  await made('dialogtask', { name: 'Entrada', bot: target })
  expect((await admin.post('/conversationtest', test)).status).toBe(201)
  expect((await bring()).status).toBe(200)
  const [come] = (await admin.get(`/dialogtask?bot=${target}`)).body.items
  const live = async () => {
    const [item] = (await admin.get(`/dialog?dialogtask=${come?.id}`)).body.items
    const { operators } = (await admin.get(`/dialog/${item?.id}/flow`)).body as unknown as {
      operators: Record<string, { properties: { text?: string } }>
    }
    return [item?.published, item?.modified, operators.hello?.properties.text]
  }
  expect(await live()).toEqual([true, false, 'Olá'])

  // The live version passes the test, the next one fails.
  expect((await admin.post('/conversationtest', test)).status).toBe(201)
  await draw('Tchau')
  expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
  const held = await bring()
  expect([held.status, held.body.code]).toEqual([422, 'test.failed'])
  expect(held.body.errors).toMatchObject([{ params: { name: 'Saúda', step: 2, expected: 'Olá' } }])
  expect(await live()).toEqual([true, false, 'Olá'])
  await draw()
})

test('tests are run against what is drawn, was drawn and would be published, with the outputs that none takes [P-903] [P-1821] [P-1829] [P-2828]', async () => {
  await draw()
  expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
  const { body: good } = await write(GOOD)
  const { body: other } = await write([{ user: 'oi' }, { bot: 'Olá' }, { bot: 'any' }], {
    name: 'Curto',
    gating: false,
  })
  const run = async (body: object) =>
    (await admin.post(`/bot/${bot}/tests`, body)).body as unknown as {
      readonly total: number
      readonly outcomes: readonly { id: string; passed: boolean; path: unknown[]; got?: unknown }[]
      readonly outputs: readonly { block: string; to: string; taken: boolean; changed: boolean }[]
    }
  const outputOf = (answer: Awaited<ReturnType<typeof run>>, block: string) =>
    answer.outputs.find(each => each.block === block)
  const all = await run({})
  expect(all.outcomes.map(({ passed }) => passed)).toEqual([true, true])
  expect(outputOf(all, 'ask')).toMatchObject({ to: 'text', taken: true, changed: false })
  const short = await run({ tests: [other.id] })
  expect(short.outcomes.map(({ id }) => id)).toEqual([other.id])
  expect(outputOf(short, 'ask')).toMatchObject({ taken: false })
  const before = new Date().toISOString()
  await draw('Bom dia')
  const moments = (await admin.get(`/bot/${bot}/tests`)).body.items as unknown as { at: string; flow: object | null }[]
  expect(moments[0]).toMatchObject({ at: 'draft', flow: { id: dialog, name: 'Recepção' } })
  expect(moments.at(-1)).toMatchObject({ at: 'published', flow: null })
  expect((await run({ brief: true })).outcomes[0]).toMatchObject({ passed: false, got: 'Bom dia', path: [] })
  expect((await run({ at: before, brief: true })).outcomes[0]).toMatchObject({ passed: true })
  expect((await run({ at: 'published', brief: true })).outcomes[0]).toMatchObject({ passed: true })
  const going = await run({ publish: { dialogs: [dialog] }, gating: true })
  expect(going.outcomes).toMatchObject([{ id: good.id, passed: false }])
  // Also those that do not hold publishing back.
  expect(going.total).toBe(all.outcomes.length)
  expect(outputOf(going, 'hello')).toMatchObject({ changed: true, taken: true })
  expect(outputOf(going, 'ask')).toMatchObject({ changed: false, taken: false })
  expect((await run({ dialog, brief: true })).outcomes).toHaveLength(2)
  const elsewhere = await made('dialog', { name: 'Longe', dialogtask: task })
  expect((await run({ dialog: elsewhere, brief: true })).outcomes).toHaveLength(0)
  const [failed] = (await run({ brief: true })).outcomes
  expect(failed).toMatchObject({ at: { dialog, block: 'hello' }, flows: [dialog] })
  const far = { start: plainBlock('start', 0), far: plainBlock('text', 90, { text: 'Longe' }) }
  const drawn = { format: 'parley-flow', version: 1, operators: far, links: { a: link('start', 'far') } }
  expect((await admin.put(`/dialog/${elsewhere}/flow`, drawn)).status).toBe(200)
  const newest = async (query = '') => {
    const { items } = (await admin.get(`/bot/${bot}/tests${query}`)).body as unknown as { items: { flow: object }[] }
    return items
  }
  await expect.poll(async () => (await newest())[0]?.flow).toMatchObject({ id: elsewhere })
  const columns = await newest(`?flows=${dialog}`)
  expect(columns[0]?.flow).toMatchObject({ id: dialog, name: 'Recepção' })
  expect(JSON.stringify(columns)).not.toContain(elsewhere)
  const { client: stranger } = await person(parley, admin, { username: 'eva', level: place, actions: ['readbot'] })
  expect((await stranger.post(`/bot/${bot}/tests`, {})).status).toBe(403)
  expect((await admin.post('/bot/none/tests', {})).status).toBe(404)
  expect((await admin.post(`/bot/${bot}/tests`, { dialog: 'none' })).body.errors).toMatchObject([{ path: 'dialog' }])
  for (const { id } of [good, other]) await remove(id)
  await draw()
})

test('files of others are read into tests, then taken in as one import [P-904]', async () => {
  const text = 'cliente: oi\nbot: Olá\nbot: Nome?\ncliente: Ana\nagente: alô\n'
  const read = await admin.post(`/bot/${bot}/readtests`, { name: 'fala.txt', text })
  expect(read).toMatchObject({
    status: 200,
    body: { tests: [{ name: 'fala', steps: 4 }], faults: [{ line: 5, code: 'agent', text: 'agente' }] },
  })
  const tests = read.body.tests as unknown as readonly { name: string; file: string }[]
  const body = importRecords(tests)
  const headers = { 'content-type': 'text/csv', authorization: `Bearer ${admin.token}` }
  const dry = await admin.send('POST', `/conversationtest/import?bot=${bot}&dryrun=true`, { body, headers })
  expect(dry).toMatchObject({ status: 200, body: { created: 1 } })
  const taken = await admin.send('POST', `/conversationtest/import?bot=${bot}`, { body, headers })
  expect(taken).toMatchObject({ status: 200, body: { created: 1 } })
  const { items } = (await admin.get(`/conversationtest?bot=${bot}&search=fala`)).body
  expect(items).toMatchObject([{ name: 'fala', source: 'import' }])
  const outcome = (await admin.post(`/bot/${bot}/tests`, { tests: [items[0]?.id], brief: true })).body
  expect(outcome).toMatchObject({ outcomes: [{ passed: false, kind: 'message' }] })
  await remove(String(items[0]?.id))
  expect((await admin.post(`/bot/${bot}/readtests`, { name: 'x', text: '' })).status).toBe(422)
})

test('a conversation that was tried is kept as a test that passes, with an example for what is masked [R-82]', async () => {
  const secret = await made('dialog', { name: 'Senha', dialogtask: task })
  await admin.put(`/dialog/${secret}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      ask: plainBlock('prompt', 90, {
        varname: 'senha',
        data: { type: 'text', textStyle: 'password', text: 'Senha?' },
      }),
      call: plainBlock('restservice', 180, { url: 'https://loja.example/{{senha}}', resultVariable: 'r' }),
      told: plainBlock('text', 270, { text: 'Saldo {{r.saldo}}' }),
    },
    links: { a: link('start', 'ask'), b: link('ask', 'call'), c: link('call', 'told') },
  })
  const begun = await admin.post(`/bot/${bot}/simulation`, { dialog: secret })
  const at = `/simulation/${begun.body.simulation}`
  expect((await admin.post(`${at}/say`, { text: 'opensesame' })).body).toMatchObject({ status: 'calling' })
  expect((await admin.post(`${at}/test`, { name: 'Saldo' })).status).toBe(409)
  await admin.post(`${at}/answer`, { status: 200, body: { saldo: 10 } })
  const { body } = await admin.post(`${at}/test`, { name: 'Saldo' })
  expect(body.file).not.toContain('opensesame')
  const kept = await admin.post('/conversationtest', {
    bot,
    name: 'Saldo',
    file: body.file,
    source: 'simulation',
    gating: false,
  })
  expect(kept.status).toBe(201)
  expect((await admin.post(`/conversationtest/${kept.body.id}/run`, {})).body.result).toMatchObject({ passed: true })
})

test('history, audit and its exports name a test and its bot without what people said in it [P-2201]', async () => {
  const words = ['moro na rua das Acácias', 'agora na rua dos Ipês']
  const [first = '', second = ''] = words.map(said => fileOf([{ user: said }, { bot: 'Olá' }]))
  const { id } = (await admin.post('/conversationtest', { bot, name: 'Endereço', file: first })).body
  await admin.patch(`/conversationtest/${id}`, { file: second }, 1)
  await admin.patch(`/conversationtest/${id}`, { name: 'Endereço novo' }, 2)

  const history = (await admin.get(`/conversationtest/${id}/history`)).body
  const change = { path: 'file', before: null, after: null, words: true }
  expect(history.items[0]?.changes).toEqual(
    expect.arrayContaining([
      change,
      { path: 'bot', before: null, after: bot },
      { path: 'name', before: null, after: 'Endereço' },
    ]),
  )
  expect(history.items[1]?.changes).toEqual([change])
  const then = (await admin.get(`/conversationtest/${id}/at/1`)).body
  expect(then).toMatchObject({ name: 'Endereço', bot })
  expect(then).not.toHaveProperty('file')
  const told = [
    JSON.stringify(history),
    (await admin.get(`/audit?entityid=${id}`)).text,
    (await admin.get(`/audit/export?format=csv&entityid=${id}`)).text,
    (await admin.get(`/audit/export?format=jsonl&entityid=${id}`)).text,
  ]
  for (const text of told) {
    expect(text).toContain('Endereço')
    for (const said of words) expect(text).not.toContain(said)
  }
  // An earlier word is found by nobody, the name is.
  expect((await admin.get(`/audit?entityid=${id}&search=${encodeURIComponent('das Acácias')}`)).body.total).toBe(0)
  expect((await admin.get(`/audit?entityid=${id}&search=Endere`)).body.total).toBe(3)

  // It comes back nevertheless: the event has it.
  expect((await admin.post(`/conversationtest/${id}/restore`, { revision: 1, fields: ['file'] })).status).toBe(200)
  expect((await admin.get(`/conversationtest/${id}`)).body.file).toBe(first)
  await remove(id)
})

test('a conversation that people had is kept as a test that passes, by who may read its words [P-908]', async () => {
  await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, Number((await admin.get(`/bot/${bot}`)).body.revision))
  expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
  const channel = await made('channel', { bot, type: 'webchat' })
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  const conversation = await openChat(parley.origin, channel, ['Ana'])
  const { body } = await admin.post(`/conversation/${conversation}/test`, { name: 'Ana' })
  const kept = await admin.post('/conversationtest', { bot, name: 'Ana', file: body.file, source: 'conversation' })
  expect(kept.status).toBe(201)
  const ran = await admin.post(`/conversationtest/${kept.body.id}/run`, {})
  expect(ran.body.result).toMatchObject({ passed: true })
  expect(String(body.file)).toContain('Oi Ana')
  const { client: reader } = await person(parley, admin, { username: 'ivo', level: place, actions: ['readbot'] })
  expect((await reader.post(`/conversation/${conversation}/test`, { name: 'Ana' })).status).toBe(403)
})
