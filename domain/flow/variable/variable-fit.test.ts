import { expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { importFlow } from '../document/patch-flow.ts'
import { readFlow } from '../document/read-flow.ts'
import { type DeclaredVariables, declaredVariables, misfitOf, wantedVariable } from './variable-fit.ts'

const blockOf = (type: string, properties: { [name: string]: Json }) => {
  const operators = { a: { type, title: 'a', top: 0, left: 0, properties } }
  const node = readFlow(importFlow({ format: 'parley-flow', version: 1, operators, links: {} })).nodes.get('a')
  if (node === undefined) throw new Error('no block')
  return node
}
const asking = (data: { [name: string]: Json }, properties: { [name: string]: Json } = {}) =>
  blockOf('prompt', { ...properties, varname: 'x', data })
type DeclaredVariable = NonNullable<ReturnType<DeclaredVariables['get']>>[number]

const variable = (datatype: string, more: Partial<DeclaredVariable> = {}): DeclaredVariable => ({
  datatype,
  schema: '',
  inReach: true,
  ...more,
})
const fits = (node: ReturnType<typeof blockOf>, ...declared: DeclaredVariable[]) =>
  misfitOf(node, 'x', new Map([['x', declared]]))

test.each([
  ['number', {}, 'string', 'block.datatype'],
  ['number', {}, 'number', undefined],
  ['number', { validationType: 'CPF' }, 'string', undefined],
  ['text', {}, 'number', 'block.datatype'],
  ['confirm', {}, 'boolean', undefined],
  ['time', { dateExtractType: 'date' }, 'string', 'block.datatype'],
  ['time', { dateExtractType: 'year' }, 'number', undefined],
  ['choice', {}, 'object', 'block.datatype'],
  ['location', {}, 'object', undefined],
  ['attachment', {}, 'array', undefined],
])('a question for %s %o with a variable of type %s: %s', (type, data, datatype, misfit) => {
  expect(fits(asking({ type, ...data }), variable(datatype))).toBe(misfit)
})

test('the data type and the schema that a block names count, and a variable without a schema takes any', () => {
  const node = asking({ type: 'text' }, { datatype: 'object', variableschema: 's1' })

  expect(fits(node, variable('string'))).toBe('block.datatype')
  expect(fits(node, variable('object', { schema: 's2' }))).toBe('block.schema')
  expect(fits(node, variable('object', { schema: 's1' }))).toBeUndefined()
  expect(fits(node, variable('object'))).toBeUndefined()
  expect(fits(asking({ type: 'location' }), variable('object', { schema: 's1' }))).toBe('block.schema')
})

test('a new variable is of the type and schema that the block keeps in it', () => {
  expect(wantedVariable(asking({ type: 'number' }))).toEqual({ datatype: 'number', schema: '' })
  expect(wantedVariable(asking({ type: 'location' }))).toEqual({ datatype: 'object', schema: '' })
  const chosen = { datatype: 'array', variableschema: 's1' }
  expect(wantedVariable(asking({ type: 'text' }, chosen))).toEqual({ datatype: 'array', schema: 's1' })
})

test('a variable of another dialog does not count, one of the same name that fits does, an unknown one is not judged', () => {
  const node = asking({ type: 'number' })
  const elsewhere = variable('number', { inReach: false })

  expect(fits(node, elsewhere)).toBe('block.scope')
  expect(fits(node, elsewhere, variable('string'))).toBe('block.datatype')
  expect(fits(node, variable('string'), variable('number'))).toBeUndefined()
  expect(misfitOf(node, 'y', new Map())).toBeUndefined()
})

test('a variable is within reach of the bot, or of the task or dialog that it belongs to', () => {
  const variables = [
    { name: 'a' },
    { name: 'b', task: 't1', datatype: 'number', schema: null },
    { name: 'b', task: 't2', dialog: null },
    { name: 'c', dialog: 'd2', schema: 's1' },
  ]

  const declared = declaredVariables(variables, { task: 't1', dialog: 'd1' })

  expect([...declared]).toEqual([
    ['a', [{ datatype: 'string', schema: '', inReach: true }]],
    [
      'b',
      [
        { datatype: 'number', schema: '', inReach: true },
        { datatype: 'string', schema: '', inReach: false },
      ],
    ],
    ['c', [{ datatype: 'string', schema: 's1', inReach: false }]],
  ])
})
