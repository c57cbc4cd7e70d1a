import Elk from 'elkjs/lib/elk.bundled.js'
import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { boxOf } from './block-appearance.ts'
import { COMFORTABLE, overlaps } from './geometry.ts'
import { layoutGraph, layoutPositions } from './layout-graph.ts'

/** Two sections, all blocks on one heap: a question with two ways, and an ending that a jump leads to. */
const heap = () => {
  const doc = createFlow()
  const types = { m: 'marker', ask: 'prompt', yes: 'text', no: 'text', other: 'marker', end: 'enddialog' }
  for (const [id, type] of Object.entries(types)) addNode(doc, { id, type, title: id, x: 40, y: 60 }, 'me')
  const links = [
    ['m', 'output_1', 'ask'],
    ['ask', 'output_1', 'yes'],
    ['ask', 'output_giveup', 'no'],
    ['other', 'output_1', 'end'],
    ['yes', 'output_1', 'other'],
    ['no', 'output_1', 'ask'],
  ] as const
  for (const [from, fromConnector, to] of links) {
    addLink(doc, { id: `${from}-${to}`, from, fromConnector, to, toConnector: 'input_1' }, 'me')
  }
  return readFlow(doc)
}

test('a heap of blocks is laid out downwards, section by section, ways in the order of their ports, nothing on anything', async () => {
  const flow = heap()
  const graph = await new Elk().layout(layoutGraph(flow, new Set(flow.nodes.keys())))
  const places = layoutPositions(graph, flow)
  const boxes = [...flow.nodes.values()].map(node => ({ ...boxOf(node, COMFORTABLE), ...places.get(node.id) }))
  const at = (id: string) => ({ ...boxOf(flow.nodes.get(id) ?? fail(), COMFORTABLE), ...places.get(id) })
  expect(at('m').y).toBeLessThan(at('ask').y)
  expect(at('ask').y).toBeLessThan(at('yes').y)
  expect(at('yes').x).toBeLessThan(at('no').x)
  expect(at('other').x).toBeGreaterThan(at('no').x + at('no').width)
  expect(boxes.filter(box => boxes.some(other => other !== box && overlaps(box, other)))).toEqual([])
  expect(boxes.every(({ x, y }) => x % 20 === 0 && y % 20 === 0)).toBe(true)
})

test('lays out the start of a flow first, at any drawn position', async () => {
  const doc = createFlow()
  for (const [id, type, y] of [
    ['other', 'marker', 0],
    ['end', 'enddialog', 100],
    ['begin', 'start', 900],
    ['hello', 'text', 1000],
  ] as const)
    addNode(doc, { id, type, title: id, x: y, y }, 'me')
  for (const [from, to] of [
    ['other', 'end'],
    ['begin', 'hello'],
  ] as const)
    addLink(doc, { id: from, from, fromConnector: 'output_1', to, toConnector: 'input_1' }, 'me')
  const flow = readFlow(doc)
  const graph = await new Elk().layout(layoutGraph(flow, new Set(flow.nodes.keys())))
  const places = layoutPositions(graph, flow)
  const at = (id: string) => ({ ...boxOf(flow.nodes.get(id) ?? fail(), COMFORTABLE), ...places.get(id) })
  expect(at('begin').x).toBeLessThan(at('other').x)
  expect(at('begin').y).toBe(at('other').y)
})

test('of a selection only the selected blocks move, and from where they stood', async () => {
  const flow = heap()
  const graph = await new Elk().layout(layoutGraph(flow, new Set(['yes', 'no'])))
  const places = layoutPositions(graph, flow)
  expect([...places.keys()].every(id => id === 'yes' || id === 'no')).toBe(true)
  expect(places.size).toBe(1)
})

const fail = (): never => {
  throw new Error('no such block')
}
