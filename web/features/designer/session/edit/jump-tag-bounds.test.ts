import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode } from '#domain/flow/document/edit.ts'
import { readFlow, readNode } from '#domain/flow/document/read-flow.ts'
import { boxOf } from '../../model/block-appearance.ts'
import { COMFORTABLE, overlaps } from '../../model/geometry.ts'
import { insertBlock, linkTagBoxes } from './place-blocks.ts'

const given = (far: number) => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'text', title: '', x: 0, y: 0 }, 'other')
  addNode(doc, { id: 'b', type: 'text', title: '', x: 0, y: far }, 'other')
  addLink(doc, { id: 'l', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'other')
  return doc
}

test('keeps the tag of a far link visible when a block is placed', () => {
  const doc = given(2000)
  const [tag] = linkTagBoxes(readFlow(doc))
  expect(tag?.box).toMatchObject({ x: 252, y: 10 })
  const id = insertBlock(doc, readFlow(doc), { type: 'text', title: '' }, { x: 280, y: 0 }, undefined, 'own')
  const made = readNode(doc, id)
  expect(made).toBeDefined()
  if (made !== undefined && tag !== undefined) expect(overlaps(boxOf(made, COMFORTABLE), tag.box)).toBe(false)
})

test('a link that is drawn whole takes no room', () => {
  const doc = given(160)
  expect(linkTagBoxes(readFlow(doc))).toEqual([])
  const id = insertBlock(doc, readFlow(doc), { type: 'text', title: '' }, { x: 280, y: 0 }, undefined, 'own')
  expect(readNode(doc, id)).toMatchObject({ x: 280, y: 0 })
})
