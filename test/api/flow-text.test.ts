import { expect, test } from 'vitest'
import type { FlowHits } from '#schemas/api/flow-text.ts'
import { link } from '#test/fixture/flow-parts.ts'
import { placeOf, undoReplacement } from '#web/features/designer/search/undo-replacement.ts'
import type { Answer } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()
const flows: Record<string, string> = {}

const block = (type: string, title: string, properties: object) => ({ type, title, top: 0, left: 0, properties })
const put = (kind: string, id: string, operators: object, links: object = {}) =>
  admin.put(`/${kind}/${id}/flow`, { format: 'parley-flow', version: 1, operators, links })
const made = (entity: string, fields: object) => admin.create(entity, fields)
const flowOf = async (id: string) => (await admin.get(`/dialog/${id}/flow`)).body.operators as Record<string, never>
const found = (answer: Answer) =>
  answer.body.items.map(item => [item.name, (item.hits as { block: string; field: string }[]).map(hit => hit.block)])

const bot = await made('bot', { name: 'Loja' })
const task = await made('dialogtask', { name: 'Pedidos', bot })
for (const name of ['Menu', 'Troca']) flows[name] = await made('dialog', { name, dialogtask: task })
flows.Prazo = await made('handler', { name: 'Prazo', dialogtask: task })
await put(
  'dialog',
  flows.Menu ?? '',
  {
    m: block('marker', 'Entrega', {}),
    ask: {
      ...block('prompt', 'Número', { varname: 'pedido', data: { type: 'text', text: 'Qual pedido?' } }),
      top: 90,
    },
    say: { ...block('text', '', { text: 'O pedido <b>{{pedido}}</b> chega {{pedido.prazo}}' }), top: 180 },
    go: { ...block('subdialog', 'Vai', { subScenario: flows.Troca }), top: 270 },
  },
  { a: link('m', 'ask'), b: link('ask', 'say') },
)
await put('dialog', flows.Troca ?? '', {
  call: block('restservice', 'Busca', { url: 'https://x.example/{{pedido}}' }),
})
await put('handler', flows.Prazo ?? '', { say: block('text', '', { text: 'pedido' }) })
for (const name of ['pedido', 'sobra']) await made('variable', { bot, name })

test('lists uses of a variable, dialog or text by flow with their section, and variables without uses', async () => {
  const uses = await admin.get(`/bot/${bot}/flow/uses?of=variable&value=pedido`)
  expect(found(uses)).toEqual([
    ['Menu', ['ask', 'say', 'say']],
    ['Troca', ['call']],
  ])
  expect(uses.body.total).toBe(4)
  expect(uses.body.items[0]).toMatchObject({
    kind: 'dialog',
    dialogtask: { id: task, name: 'Pedidos' },
    hits: [
      { field: 'varname', title: 'Número', section: 'Entrega', part: 'expression' },
      { field: 'text', before: 'O pedido <b>{{', text: 'pedido', after: '}}</b> chega {{pedido.prazo}}' },
      {},
    ],
  })
  expect(found(await admin.get(`/bot/${bot}/flow/uses?of=dialog&value=${flows.Troca}`))).toEqual([['Menu', ['go']]])

  const texts = await admin.get(`/bot/${bot}/flow/find?text=PEDIDO&word=true`)
  expect(found(texts)).toEqual([
    ['Menu', ['ask', 'ask', 'say', 'say', 'say']],
    ['Troca', ['call']],
    ['Prazo', ['say']],
  ])
  expect(found(await admin.get(`/bot/${bot}/flow/find?text=pedido&dialogtask=none`))).toEqual([])
  expect((await admin.get(`/bot/${bot}/flow/unused`)).body.items).toMatchObject([{ name: 'sobra' }])
})

test('returns all direct and indirect callers of a dialog in the bot', async () => {
  const make = async (name: string) => (await admin.post('/dialog', { name, dialogtask: task })).body.id as string
  const [first = '', second = '', third = ''] = [await make('Um'), await make('Dois'), await make('Três')]
  const runs = (subScenario: string) => ({
    operators: { sub: { type: 'subdialog', title: '', top: 0, left: 0, properties: { subScenario } } },
    links: {},
  })
  await admin.put(`/dialog/${first}/flow`, runs(second))
  await admin.put(`/dialog/${second}/flow`, runs(third))
  const callers = async (dialog: string) => {
    const { status, body } = await admin.get(`/bot/${bot}/flow/callers?dialog=${dialog}`)
    expect(status).toBe(200)
    return new Set(body.items)
  }
  expect(await callers(third)).toEqual(new Set([first, second]))
  expect(await callers(first)).toEqual(new Set())
  await admin.put(`/dialog/${third}/flow`, runs(first))
  expect(await callers(first)).toEqual(new Set([first, second, third]))
  for (const id of [first, second, third]) await admin.delete(`/dialog/${id}`)
})

test('replaces chosen places in all flows, one change per flow, and reports places that no longer match', async () => {
  const search = { text: 'pedido', word: true }
  const ask = { block: 'ask', path: ['data', 'text'], offset: 5 }
  const answer = await admin.post(`/bot/${bot}/flow/replace`, {
    ...search,
    by: 'código',
    flows: [
      {
        id: flows.Menu,
        hits: [ask, { block: 'say', path: ['text'], offset: 2 }, { block: 'gone', path: [], offset: 0 }],
      },
      { id: flows.Prazo, hits: [{ block: 'say', path: ['text'], offset: 0 }] },
    ],
  })
  expect(answer.body).toMatchObject({ flows: 2, texts: 3, left: [{ name: 'Menu', block: 'gone', field: 'title' }] })
  expect(await flowOf(flows.Menu ?? '')).toMatchObject({
    ask: { properties: { varname: 'pedido', data: { text: 'Qual código?' } } },
    say: { properties: { text: 'O código <b>{{pedido}}</b> chega {{pedido.prazo}}' } },
  })
  const moments = (await admin.get(`/dialog/${flows.Menu}/flow/history`)).body.items
  expect(moments.at(-1)).toMatchObject({ source: { kind: 'replace' }, authors: [{ username: 'admin' }] })
  expect(moments.filter(({ source }) => (source as { kind?: string } | undefined)?.kind === 'replace')).toHaveLength(1)

  const foreign = { ...search, by: '', flows: [{ id: 'elsewhere', hits: [ask] }] }
  expect(await admin.post(`/bot/${bot}/flow/replace`, foreign)).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'flows.0.id', code: 'reference' }] },
  })
})

test('undoes a replacement in all flows, and keeps later changes by others', async () => {
  const all = async () => [await flowOf(flows.Menu ?? ''), await flowOf(flows.Troca ?? '')]
  const before = await all()
  const by = 'encomenda já feita'
  const replace = async () => {
    const { items } = (await admin.get(`/bot/${bot}/flow/find?text=PEDIDO`)).body as unknown as FlowHits
    const chosen = items.map(({ id, hits }) => ({ id, hits: hits.map(placeOf) }))
    await admin.post(`/bot/${bot}/flow/replace`, { text: 'PEDIDO', by, flows: chosen })
    return items
  }
  const takeBack = async (items: FlowHits['items']) => {
    for (const call of undoReplacement(items, by) ?? []) await admin.post(`/bot/${bot}/flow/replace`, call)
  }

  await takeBack(await replace())
  expect(await all()).toEqual(before)

  const items = await replace()
  const { say } = (await all())[0] as Record<string, { properties: { text: string } }>
  expect(say?.properties.text.match(/encomenda já feita/gu)?.length).toBeGreaterThan(1)
  const changed = {
    ...(await flowOf(flows.Menu ?? '')),
    say: { ...(say as object), properties: { text: 'Outra coisa' } },
  }
  await put('dialog', flows.Menu ?? '', changed)
  await takeBack(items)
  const [menu, troca] = await all()
  expect(menu?.say).toMatchObject({ properties: { text: 'Outra coisa' } })
  expect([menu?.ask, troca]).toEqual([before[0]?.ask, before[1]])
  await put('dialog', flows.Menu ?? '', before[0] ?? {}, { a: link('m', 'ask'), b: link('ask', 'say') })
})

test('a variable is renamed in its declaration and in every flow, and a restore of one flow undoes it there', async () => {
  const refusals = [{ name: 'pedido novo' }, { name: 'sobra' }, { name: 'context' }, { variable: 'nada', name: 'novo' }]
  const answers = await Promise.all(
    refusals.map(body => admin.post(`/bot/${bot}/flow/rename`, { variable: 'pedido', ...body })),
  )
  expect(answers.map(({ status }) => status)).toEqual([422, 409, 409, 422])

  const renamed = await admin.post(`/bot/${bot}/flow/rename`, { variable: 'pedido', name: 'numero' })

  expect(renamed.body).toMatchObject({ flows: 2, texts: 3, left: [] })
  expect(await flowOf(flows.Menu ?? '')).toMatchObject({
    ask: { properties: { varname: 'numero' } },
    say: { properties: { text: 'O código <b>{{numero}}</b> chega {{numero.prazo}}' } },
  })
  expect(await flowOf(flows.Troca ?? '')).toMatchObject({
    call: { properties: { url: 'https://x.example/{{numero}}' } },
  })
  const variables = (await admin.get(`/variable?bot=${bot}`)).body.items
  expect(variables.map(({ name }) => name).sort()).toEqual(['numero', 'sobra'])
  const last = (await admin.get(`/dialog/${flows.Troca}/flow/history`)).body.items.at(-1)
  expect(last).toMatchObject({ source: { kind: 'rename', from: 'pedido', to: 'numero' } })
  await admin.post(`/dialog/${flows.Troca}/flow/restore`, { revision: Number(last?.revision) - 1 })
  expect(await flowOf(flows.Troca ?? '')).toMatchObject({
    call: { properties: { url: 'https://x.example/{{pedido}}' } },
  })
})

test('of flows that someone may not read they learn nothing, and change nothing where they may not draw', async () => {
  const place = await level(admin, 'outro')
  const stranger = await person(parley, admin, { username: 'eva', level: place, actions: ['readbot', 'readdialog'] })
  const root = String((await admin.get(`/bot/${bot}`)).body.hierarchylevel)
  const actions = ['readbot', 'updatebot', 'readhandler', 'updatehandler']
  const helper = await person(parley, admin, { username: 'rui', level: root, actions })

  expect((await stranger.client.get(`/bot/${bot}/flow/find?text=numero`)).status).toBe(404)
  expect((await helper.client.get(`/bot/${bot}/flow/find?text=numero`)).body.total).toBe(0)
  expect((await helper.client.get(`/bot/${bot}/flow/unused`)).body.items).toEqual([])
  const renaming = await helper.client.post(`/bot/${bot}/flow/rename`, { variable: 'numero', name: 'outro' })
  expect([renaming.status, renaming.body.code]).toEqual([403, 'access.forbidden'])
  expect(
    (await helper.client.post(`/bot/${bot}/flow/replace`, { text: 'a', by: '', flows: [{ id: flows.Menu, hits: [] }] }))
      .status,
  ).toBe(422)
})
