import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode } from '#domain/flow/document/edit.ts'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { readFlow, readNode } from '#domain/flow/document/read-flow.ts'
import { COMFORTABLE, COMPACT } from '../model/geometry.ts'
import { planLinks } from './link-plan.ts'

const t = (key: string, values?: Readonly<Record<string, unknown>>) => String(values?.defaultValue ?? key)

const column = () => {
  const doc = createFlow()
  const blocks = ['a', 'b', 'c']
  for (const [index, id] of blocks.entries()) addNode(doc, { id, type: 'text', title: id, x: 0, y: index * 90 }, 'me')
  addNode(doc, { id: 'far', type: 'enddialog', title: '', x: 4000, y: 0 }, 'me')
  const link = (id: string, from: string, to: string) =>
    addLink(doc, { id, from, fromConnector: 'output_1', to, toConnector: 'input_1' }, 'me')
  link('ab', 'a', 'b')
  link('b-far', 'b', 'far')
  link('c-far', 'c', 'far')
  return doc
}

/** As on the canvas: unedited nodes keep their identity. */
const edited = (flow: FlowModel, doc: ReturnType<typeof column>, id: string): FlowModel => {
  const node = readNode(doc, id)
  if (node === undefined) throw new Error(id)
  return { ...flow, nodes: new Map(flow.nodes).set(id, node) }
}

test('replans only the links of the block with a typed letter, and keeps equal links unchanged', () => {
  const doc = column()
  const flow = readFlow(doc)
  const first = planLinks(flow, t, COMFORTABLE)
  let asked = 0
  const counted = (key: string, values?: Readonly<Record<string, unknown>>) => {
    asked += 1
    return t(key, values)
  }
  const before = { ...first, t: counted }
  const again = planLinks(edited(flow, doc, 'a'), counted, COMFORTABLE, before)
  expect(asked).toBe(0)
  expect(first.links.size).toBe(3)
  for (const [id, planned] of first.links) expect(again.links.get(id)).toBe(planned)
  expect(again.tags.get('c')?.tags[0]).toBe(first.tags.get('c')?.tags[0])
})

test('links leave and reach blocks of the size that is looked at', () => {
  const flow = readFlow(column())
  const large = planLinks(flow, t, COMFORTABLE)
  const small = planLinks(flow, t, COMPACT, large)
  for (const planned of large.links.values()) {
    expect(planned).toMatchObject({ offset: 120, targetWidth: 240, height: 72 })
  }
  expect(small.links.size).toBe(3)
  for (const [id, planned] of small.links) {
    expect(planned).toMatchObject({ offset: 70, targetWidth: 140, height: 48 })
    expect(planLinks(flow, t, COMPACT, small).links.get(id)).toBe(planned)
  }
})

test('tags of far links hang under a block, or beside it where the next one stands close', () => {
  const doc = column()
  const { tags } = planLinks(readFlow(doc), t, COMFORTABLE)
  expect([...tags].map(([id, { aside }]) => [id, aside])).toEqual([
    ['b', true],
    ['c', false],
  ])
})
