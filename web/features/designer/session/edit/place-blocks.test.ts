import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode, removeNodes } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { onlyOpenEnd } from './place-blocks.ts'

const given = () => {
  const doc = createFlow()
  addNode(doc, { id: 's', type: 'start', title: '', x: 0, y: 0 }, 'test')
  addNode(doc, { id: 'a', type: 'text', title: '', x: 0, y: 100 }, 'test')
  const link = (from: string, to: string) =>
    addLink(doc, { id: `${from}${to}`, from, fromConnector: 'output_1', to, toConnector: 'input_1' }, 'test')
  return { doc, link, after: (type: string) => onlyOpenEnd(readFlow(doc), type) }
}

test('follows the only open end of a flow', () => {
  const { link, after } = given()
  link('s', 'a')
  expect(after('text')).toMatchObject({ source: { id: 'a' }, output: { from: 'a', fromConnector: 'output_1' } })
})

test('chooses no end when there are several or none', () => {
  const { doc, link, after } = given()
  expect(after('text')).toBeUndefined()
  removeNodes(doc, ['s', 'a'], 'test')
  expect(after('text')).toBeUndefined()
  addNode(doc, { id: 'l', type: 'text', title: '', x: 0, y: 0 }, 'test')
  link('l', 'l')
  expect(after('text')).toBeUndefined()
})

test('joins nothing to a block that cannot be led to or that does not run', () => {
  const { link, after } = given()
  link('s', 'a')
  for (const type of ['note', 'group', 'start']) expect(after(type), type).toBeUndefined()
})
