import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import type { FlowOperator } from '#schemas/flow/file.ts'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
import { changeGroups, outputChanges } from './change-groups.ts'
import { valueWords } from './diff-texts.ts'
import { fieldRows, lastEdit } from './field-row.ts'
import { changeEntries, linkEntries, reuseUnchanged, revisionFlow, sceneOf } from './scene.ts'

const words = (key: string) => key
const text = (value: string, left = 0): FlowOperator => ({
  type: 'text',
  title: 'text/plain',
  top: 0,
  left,
  properties: { text: value, inputs: { input_1: { label: '' } }, outputs: { output_1: { label: '' } } },
})
const link = (fromOperator: string, toOperator: string) => ({
  fromOperator,
  fromConnector: 'output_1',
  fromSubConnector: 0,
  toOperator,
  toConnector: 'input_1',
  toSubConnector: 0,
})
const flow = (operators: Record<string, FlowOperator>, links: Record<string, ReturnType<typeof link>> = {}) =>
  revisionFlow(1, { format: 'parley-flow', version: 1, operators, links })

test('Shows two moments on one canvas: removed blocks at their old place, moved ones with their origin', () => {
  const before = flow({ a: text('um dois'), b: text('b', 40), c: text('c') }, { l: link('a', 'b') })
  const after = flow({ a: text('um três'), c: text('c', 300), d: text('d') }, { l: link('a', 'c') })
  const scene = sceneOf(before, after, words)
  expect([...scene.blocks].map(([id, { kind }]) => [id, kind]).sort()).toEqual([
    ['a', 'changed'],
    ['b', 'removed'],
    ['c', 'changed'],
    ['d', 'added'],
  ])
  expect(scene.model.nodes.get('b')?.x).toBe(40)
  expect(scene.blocks.get('c')?.from).toEqual({ x: 0, y: 0 })
  expect(scene.blocks.get('a')?.preview).toEqual([
    { kind: 'same', text: 'um ' },
    { kind: 'removed', text: 'dois' },
    { kind: 'added', text: 'três' },
  ])
  expect(linkEntries(scene, words).map(({ kind, words: said }) => [kind, said])).toEqual([
    ['changed', 'block:type.text → block:type.text'],
  ])
  expect(changeEntries(scene, words).map(({ id }) => id)).toEqual(['a', 'c', 'd', 'b'])
})

test('Keeps the identity of unchanged items between two pictures', () => {
  const first = flow({ a: text('a'), b: text('b') }).model
  const second = reuseUnchanged(first, flow({ a: text('a'), b: text('changed') }).model)
  expect(second.nodes.get('a')).toBe(first.nodes.get('a'))
  expect(second.nodes.get('b')).not.toBe(first.nodes.get('b'))
})

test('Shows which member of which item changed in a list', () => {
  const rules = (value: string) => [
    { id: 'x', rules: [{ id: 'r', values: [value] }] },
    { id: 'y', label: 'y' },
  ]
  const [row] = fieldRows([{ path: 'properties.conditions', before: rules('sim'), after: rules('não') }])
  expect(row?.details).toEqual([
    { names: ['conditions', 'rules', 'values'], places: [1, 1], before: ['sim'], after: ['não'] },
  ])
})

test('The last edit of a field is found by its name, whole block or part of it', () => {
  const edit = (revision: number, fields: readonly string[]) =>
    ({ revision, summary: { added: [], removed: [], changed: [{ id: 'a', fields }] } }) as unknown as Moment
  const moments = [edit(1, ['data']), edit(2, ['title']), edit(3, ['dataset'])]
  expect(lastEdit(moments, 'a', 'properties.data.text')?.revision).toBe(1)
  expect(lastEdit(moments, 'a')?.revision).toBe(3)
  expect(lastEdit(moments, 'b')).toBeUndefined()
})

const QUESTION = { data: { type: 'choice', text: 'Paga como?' }, inputs: {}, varname: '' }
const question = (options: readonly string[], shown = options): FlowOperator => ({
  ...text(''),
  type: 'prompt',
  title: 'Pagamento',
  properties: {
    ...QUESTION,
    data: { ...QUESTION.data, options: options.map(label => ({ id: label.toLowerCase(), label, value: '' })) },
    outputs: Object.fromEntries(
      ['output_1', ...shown.map(label => label.toLowerCase())].map(id => [id, { label: '' }]),
    ),
  },
})
const titled = (title: string): FlowOperator => ({ ...text(title), title })
const from = (fromConnector: string, to: string) => ({ ...link('q', to), fromConnector })
const PARTS = { a: titled('Obrigado'), b: titled('Espera') }

test('names the option that a changed link leaves by, and the block that it led to before [P-2841]', () => {
  const before = flow(
    { q: question(['Pix', 'Boleto', 'Cheque']), ...PARTS },
    { x: from('pix', 'a'), y: from('boleto', 'a'), z: from('cheque', 'a') },
  )
  const after = flow(
    { q: question(['Pix', 'Boleto', 'Cartão']), ...PARTS },
    { x: from('pix', 'b'), y: from('boleto', 'a'), z: from('cartão', 'b') },
  )
  const scene = sceneOf(before, after, words)
  expect(linkEntries(scene, words).map(({ kind, words: said, was }) => [kind, said, was])).toEqual([
    ['changed', 'Pagamento · Pix → Espera', 'Obrigado'],
    ['added', 'Pagamento · Cartão → Espera', undefined],
    ['removed', 'Pagamento · Cheque → Obrigado', undefined],
  ])
})

test('tells items by id, else by place, and nothing of ids that are new [P-2842]', () => {
  const [named, bare] = [question(['Pix', 'Boleto']), { data: { ...QUESTION.data, options: ['Pix', 'Boleto'] } }]
  const options = (operator: { readonly data?: unknown }) => (operator.data as { options: Json }).options
  const rowsOf = (before: Json, after: Json) =>
    fieldRows([{ path: 'properties.data.options', before, after }], 'prompt').flatMap(({ details }) =>
      details.map(({ names, places, before: was, after: is }) => [names.at(-1), places, was, is]),
    )
  const now = options(named.properties as { readonly data?: unknown })
  expect(rowsOf(options(bare), now)).toEqual([])
  expect(
    rowsOf(options(bare), [
      { id: 'pix', label: 'Pix' },
      { id: 'b', label: 'Boletos' },
    ]),
  ).toEqual([['label', [2], 'Boleto', 'Boletos']])
  expect(rowsOf([], [{ id: 'pix', label: 'Pix' }])).toEqual([['options', [1], undefined, { label: 'Pix' }]])
  const reversed = [
    { label: 'Boleto', value: '' },
    { label: 'Pix', value: '' },
  ]
  expect(rowsOf(now, [...(now as readonly Json[])].reverse() as Json)).toEqual([
    ['options', [], [...reversed].reverse(), reversed],
  ])
})

test('leaves the outputs of a block to their words [P-2842]', () => {
  expect(fieldRows([{ path: 'properties.outputs.pix', after: { label: '' } }], 'prompt')).toEqual([])
})

test('tells a new item by what it says, not by its form in a file [P-2842]', () => {
  const t = ((key: string) => key) as unknown as TFunction<'history'>
  const detail = { names: ['data', 'options'], places: [2], before: undefined }
  const said = (after: Json) =>
    valueWords('prompt', { ...detail, after }, key => (key.startsWith('block:field') ? key : ''), t)
  expect(said({ label: 'Pix', value: '' })).toMatchObject({ before: '', after: 'Pix', short: true, code: false })
  expect(said({ label: 'Pix', value: 'p' }).after).toBe(
    'block:field.prompt.data.options.label: Pix\nblock:field.prompt.data.options.value: p',
  )
})

test('names the outputs that a block got and lost, which are chosen as one field [P-2841]', () => {
  const bare = {
    ...question([]),
    properties: { ...question([]).properties, data: { ...QUESTION.data, options: ['Pix', 'Boleto'] } },
  }
  const groupsOf = (before: FlowOperator, after: FlowOperator) => {
    const [entry] = changeEntries(sceneOf(flow({ q: before }), flow({ q: after }), words), words)
    if (entry === undefined) throw new Error('a change')
    const said = outputChanges(entry.before, entry.node, words).map(({ kind, words: named }) => `${kind} ${named}`)
    return [said, changeGroups(entry, words)]
  }
  const [outputs, options] = [['properties.outputs.item_1', 'properties.outputs.item_2'], ['properties.data.options']]
  const shown = {
    ...bare,
    properties: {
      ...bare.properties,
      outputs: { output_1: { label: '' }, item_1: { label: '' }, item_2: { label: '' } },
    },
  }
  expect(groupsOf(bare, shown)).toEqual([['added Pix', 'added Boleto'], [outputs]])
  expect(groupsOf(question(['Pix', 'Cheque']), question(['Pix']))).toEqual([
    ['removed Cheque'],
    [options, ['properties.outputs.cheque']],
  ])
})
