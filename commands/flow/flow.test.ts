import { afterAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { NO_CHANGES } from '#schemas/flow/summary.ts'
import { openWorkbench } from '../fixture/workbench.ts'
import { WrongRevision } from '../store/port.ts'

const bench = await openWorkbench()
const bot = (await bench.must('bot', 'create', '', { name: 'Hotel' })).id
const task = (await bench.must('dialogtask', 'create', '', { name: 'Reserva', bot })).id
afterAll(() => bench.close())

const flows = () => bench.handler.flows
const fileOf = async (id: string, revision?: number): Promise<FlowFile> => {
  const doc = revision === undefined ? (await flows().load(id)).doc : await flows().at(id, revision)
  if (doc === undefined) throw new Error('no such revision')
  return exportFlow(doc)
}
const block = (type: string, title: string, top: number): JsonObject => ({
  type,
  title,
  top,
  left: 0,
  properties: { inputs: {}, outputs: {} },
})
const file = (titles: readonly string[]) => ({
  format: 'parley-flow',
  version: 1,
  operators: Object.fromEntries(titles.map((title, index) => [`b${index}`, block('marker', title, index * 100)])),
  links: {},
})
const makeDialog = async (name: string) => (await bench.must('dialog', 'create', '', { name, dialogtask: task })).id
const put = (id: string, flow: JsonObject) => bench.must('dialog', 'importflow', id, { flow })

test('a new dialog begins with a start block, and publishes [C-4.03]', async () => {
  const id = await makeDialog('Começo')
  const { operators } = await fileOf(id)
  expect(Object.values(operators).map(({ type }) => type)).toEqual(['start'])
  const { revision } = await bench.must('dialog', 'publish', id, { flowrevision: 1 })
  expect(revision).toBe(2)
  expect((await bench.must('dialog', 'publish', id)).revision).toBe(2)
  const [, published] = await bench.events(`dialog-${id}`)
  expect(published).toMatchObject({
    type: 'DialogPublished',
    version: 2,
    data: { fields: { published: true, publishedrevision: 1 } },
  })
  expect((await bench.must('dialog', 'unpublish', id)).revision).toBe(3)
  expect((await bench.events(`dialog-${id}`)).at(-1)?.data).toMatchObject({ fields: { published: false } })
})

test('refuses to publish a flow that changed since review or has errors', async () => {
  const id = await makeDialog('Revisto')
  await put(id, file(['a']))
  expect(await bench.run('dialog', 'publish', id, { flowrevision: 1 })).toMatchObject({
    refusal: { code: 'flow.changed', params: { flowrevision: 2 } },
  })
  expect(await bench.run('dialog', 'publish', id)).toMatchObject({ ok: true })
  // A jump that leads nowhere stops it
  await put(id, { ...file(['Ola']), operators: { jump: block('gototask', 'Ir', 0) } })
  expect(await bench.run('dialog', 'publish', id)).toMatchObject({ refusal: { code: 'flow.invalid' } })
})

test('brings a revision back that was published before, keeps the drawing, and refuses others [P-2837]', async () => {
  const id = await makeDialog('Volta ao que era')
  await put(id, file(['a']))
  await bench.must('dialog', 'publish', id)
  await put(id, file(['b']))
  await put(id, file(['c']))
  await bench.must('dialog', 'publish', id)
  const liveAfter = async (flowrevision: number) => {
    const outcome = await bench.run('dialog', 'publish', id, { flowrevision, again: true })
    const fields = (await bench.events(`dialog-${id}`)).at(-1)?.data.fields as JsonObject
    return outcome.ok ? fields.publishedrevision : outcome.refusal.errors
  }
  expect(await liveAfter(2)).toBe(2)
  expect(await fileOf(id)).toEqual(file(['c']))
  expect(await liveAfter(3)).toEqual([{ path: 'flowrevision', code: 'reference' }])
  expect(await liveAfter(4)).toBe(4)
  // The newest drawing is published as before.
  expect(await bench.run('dialog', 'publish', id, { flowrevision: 2 })).toMatchObject({
    refusal: { code: 'flow.changed', params: { flowrevision: 4 } },
  })
})

test('refuses to bring a revision back that has errors by now, unless with a reason [P-2839]', async () => {
  const id = await makeDialog('Volta a um destino')
  const target = await makeDialog('Destino')
  const jump = { ...block('gototask', 'Ir', 0), properties: { inputs: {}, outputs: {}, task, taskdialog: target } }
  await put(id, { ...file([]), operators: { jump } })
  await bench.must('dialog', 'publish', id)
  await put(id, file(['b']))
  await bench.must('dialog', 'publish', id)
  const again = { flowrevision: 2, again: true }
  const live = async () => {
    const [event] = (await bench.events(`dialog-${id}`)).slice(-1)
    return (event?.data.fields as JsonObject | undefined)?.publishedrevision
  }
  expect(await bench.run('dialog', 'publish', id, again)).toMatchObject({ ok: true })
  await bench.must('dialog', 'publish', id, { flowrevision: 3 })

  await bench.must('dialog', 'remove', target, { confirm: 'CONFIRM' })
  expect(await bench.run('dialog', 'publish', id, again)).toMatchObject({
    refusal: {
      code: 'flow.outdated',
      params: { flowrevision: 2, count: 1 },
      errors: [{ path: 'operators.jump.properties.taskdialog', code: 'flow', params: { rule: 'block_target' } }],
    },
  })
  expect(await live()).toBe(3)
  // The reason goes past errors of what bots ran, not past those of a drawing that never was live.
  const reason = 'Everyone gets an error now'
  expect(await bench.run('dialog', 'publishuntested', id, { ...again, reason })).toMatchObject({ ok: true })
  expect(await live()).toBe(2)
  await put(id, { ...file([]), operators: { jump, b: block('marker', 'b', 100) } })
  expect(await bench.run('dialog', 'publishuntested', id, { flowrevision: 4, again: true, reason })).toMatchObject({
    refusal: { code: 'validation.failed', errors: [{ path: 'flowrevision', code: 'reference' }] },
  })
  expect(await bench.run('dialog', 'publishuntested', id, { reason })).toMatchObject({
    refusal: { code: 'flow.invalid' },
  })
})

test('blocks publishing only when a jump target is removed or in another bot', async () => {
  const id = await makeDialog('Saltos')
  const near = await makeDialog('Perto')
  const gone = await makeDialog('Some')
  await bench.must('dialog', 'remove', gone, { confirm: 'CONFIRM' })
  const elsewhere = (await bench.must('bot', 'create', '', { name: 'Outro hotel' })).id
  const far = (await bench.must('dialogtask', 'create', '', { name: 'Longe', bot: elsewhere })).id
  const jump = (to: string, dialog: string) => ({
    ...block('gototask', 'Ir', 0),
    properties: { inputs: {}, outputs: {}, task: to, taskdialog: dialog },
  })
  const errors = async (jumps: readonly JsonObject[]) => {
    await put(id, { ...file([]), operators: Object.fromEntries(jumps.map((each, at) => [`j${at}`, each])) })
    const outcome = await bench.run('dialog', 'publish', id)
    return outcome.ok ? 0 : outcome.refusal.params?.count
  }
  expect(await errors([jump(task, near), jump(task, '')])).toBe(0)
  expect(await errors([jump(task, gone)])).toBe(1)
  expect(await errors([jump(far, ''), jump('nowhere', 'nowhere'), jump(task, near)])).toBe(3)
})

test('a variable of another dialog or of another type stops publishing what is kept in it, not what reads it [C-5.20]', async () => {
  const id = await makeDialog('Guarda')
  const other = await makeDialog('Outro dono')
  const declare = (name: string, more: JsonObject) => bench.must('variable', 'create', '', { bot, name, ...more })
  await declare('idade', { datatype: 'number' })
  await declare('alheia', { dialog: other })
  await declare('nome', { dialog: id })
  const errors = async (variables: readonly string[], question: JsonObject) => {
    const properties = { inputs: {}, outputs: {} }
    const lines = variables.map((name, at) => ({ id: `v${at}`, name, value: '{{alheia}}' }))
    const operators = {
      set: { ...block('assignvariables', 'Guardar', 0), properties: { ...properties, variables: lines } },
      ask: { ...block('prompt', 'Perguntar', 100), properties: { ...properties, ...question } },
    }
    await put(id, { ...file([]), operators })
    const outcome = await bench.run('dialog', 'publish', id)
    return outcome.ok ? 0 : outcome.refusal.params?.count
  }
  const asking = (varname: string, type: string) => ({ varname, data: { type, text: 'Oi' } })
  expect(await errors(['nome', 'idade', 'ninguém'], asking('idade', 'number'))).toBe(0)
  expect(await errors(['nome', 'alheia'], asking('idade', 'text'))).toBe(2)
  expect(await errors([], asking('alheia', 'text'))).toBe(1)
})

test('a file replaces the flow as one change; the same again writes nothing', async () => {
  const id = await makeDialog('Arquivo')
  expect((await put(id, file(['a', 'b']))).revision).toBe(2)
  expect(await fileOf(id)).toEqual(file(['a', 'b']))
  expect(await put(id, file(['a', 'b']))).toEqual({ ok: true, id, revision: 2, result: { unknown: [] } })
  const [, edited] = await bench.events(`flow-${id}`)
  expect(edited).toMatchObject({ actor: 'ana', level: 'root', data: { authors: ['ana'], source: { kind: 'import' } } })
})

test('rejects an invalid flow file with error paths', async () => {
  const id = await makeDialog('Errado')
  expect(await bench.run('dialog', 'importflow', id, { flow: { operators: 3 } })).toMatchObject({
    refusal: { code: 'flow.format', errors: [{ path: 'operators', code: 'type' }, { path: 'links' }] },
  })
})

test('a flow comes back as it stood, or only chosen blocks of it', async () => {
  const id = await makeDialog('Volta')
  await put(id, file(['a', 'b']))
  await put(id, file(['x', 'y']))
  await bench.must('dialog', 'restoreflow', id, { revision: 2, blocks: ['b0'] })
  expect(await fileOf(id)).toEqual(file(['a', 'y']))
  expect((await bench.must('dialog', 'restoreflow', id, { revision: 2 })).revision).toBe(5)
  expect(await fileOf(id)).toEqual(file(['a', 'b']))
  expect(await fileOf(id, 3)).toEqual(file(['x', 'y']))
  expect(await bench.run('dialog', 'restoreflow', id, { revision: 99 })).toMatchObject({
    refusal: { errors: [{ path: 'revision', code: 'toolarge' }] },
  })
})

describe('an edit too large for one event', () => {
  const large = () =>
    file(['L'.repeat(9000), ...Array.from({ length: 250 }, (_, index) => `${index}`.padEnd(9000, 'x'))])

  test('is written in chunks and read back whole', async () => {
    const id = await makeDialog('Grande')
    const { revision } = await put(id, large())
    expect(revision).toBeGreaterThan(3)
    expect(await fileOf(id)).toEqual(large())
    expect(exportFlow((await bench.again().flows.load(id)).doc)).toEqual(large())
  })

  test('is ignored while its group is incomplete; the next edit is appended after it', async () => {
    const id = await makeDialog('Partido')
    const before = await fileOf(id)
    const piece = (k: number) => ({
      update: 'AAAA',
      part: { group: 'g', k, n: 3 },
      authors: [],
      bindings: [],
      ranges: [],
    })
    await bench.store.append(`flow-${id}`, 1, [{ ...stub('p1'), data: piece(1) }])
    await bench.store.append(`flow-${id}`, 2, [{ ...stub('p2'), data: piece(2) }])
    const loaded = await flows().load(id)
    expect([loaded.revision, exportFlow(loaded.doc)]).toEqual([3, before])
    expect((await put(id, file(['c']))).revision).toBe(4)
    expect(await fileOf(id)).toEqual(file(['c']))
  })
})

test('rejects the second writer at one revision and recomputes its change', async () => {
  const id = await makeDialog('Dois')
  const [first, second] = [await flows().load(id), await flows().load(id)]
  const edit = (doc: Y.Doc) => ({
    update: Y.encodeStateAsUpdate(doc),
    actor: 'ana',
    authors: ['ana'],
    bindings: [{ client: doc.clientID, user: 'ana' }],
    ranges: [],
    summary: NO_CHANGES,
  })
  await flows().append(id, first, edit(first.doc), '11111111-1111-4111-8111-111111111111')
  await expect(
    flows().append(id, second, edit(second.doc), '11111111-1111-4111-8111-111111111112'),
  ).rejects.toBeInstanceOf(WrongRevision)
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(title => put(id, file([title]))))
  expect(outcomes.map(outcome => outcome.revision).sort()).toEqual([3, 4, 5, 6])
  expect((await flows().load(id)).bindings.get(first.doc.clientID)).toBe('ana')
})

const stub = (name: string) => ({
  id: `00000000-0000-4000-8000-${name.padStart(12, '0')}`,
  type: 'FlowEdited',
  version: 1,
  time: new Date().toISOString(),
  actor: null,
  correlation: 'c',
  causation: null,
  level: null,
  hash: name,
})
