import { expect, test } from 'vitest'
import type { FlowOperator } from '#schemas/flow/file.ts'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
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
  expect(linkEntries(scene, words).map(({ kind, words: said }) => [kind, said])).toHaveLength(2)
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
