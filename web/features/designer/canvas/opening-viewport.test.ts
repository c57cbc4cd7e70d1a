import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { COMFORTABLE } from '../model/geometry.ts'
import { openingViewport } from './opening-viewport.ts'

test('a flow opens with its start in view and what lies left of it where there is room, also on a phone', () => {
  const doc = createFlow()
  addNode(doc, { id: 'first', type: 'start', title: '', x: 1200, y: 400 }, 'me')
  addNode(doc, { id: 'aside', type: 'text', title: '', x: 800, y: 600 }, 'me')
  const flow = readFlow(doc)
  const seen = (width: number, flowX: number) => {
    const { x, zoom } = openingViewport(flow, { width, height: 844 }, COMFORTABLE)
    return x + flowX * zoom
  }
  expect(seen(1440, 800)).toBeGreaterThan(0)
  for (const width of [1440, 768, 390]) {
    expect(seen(width, 1200)).toBeGreaterThan(0)
    expect(seen(width, 1200 + COMFORTABLE.width)).toBeLessThan(width)
  }
})

test('a small flow opens whole and at its own size, where it would not have to be moved when the inspector opens', () => {
  const doc = createFlow()
  addNode(doc, { id: 'first', type: 'start', title: '', x: 400, y: 80 }, 'me')
  addNode(doc, { id: 'second', type: 'text', title: '', x: 100, y: 480 }, 'me')
  const flow = readFlow(doc)
  expect(openingViewport(flow, { width: 1440, height: 900 }, COMFORTABLE)).toEqual({ x: -40, y: -20, zoom: 1 })
  expect(openingViewport(flow, { width: 1180, height: 900 }, COMFORTABLE).zoom).toBeLessThan(1)
  expect(openingViewport(flow, { width: 1440, height: 700 }, COMFORTABLE).zoom).toBeLessThan(1)
})

test('opens at the first block of the largest linked part when a lone note stands far above and there is no start [P-90]', () => {
  const doc = createFlow()
  addNode(doc, { id: 'note', type: 'marker', title: '', x: -4000, y: -3000 }, 'me')
  for (let n = 0; n < 12; n += 1) {
    addNode(doc, { id: `b${n}`, type: 'text', title: '', x: 900 + (n % 3) * 400, y: 1000 + n * 200 }, 'me')
    if (n > 0)
      addLink(doc, { id: `l${n}`, from: `b${n - 1}`, fromConnector: 'out', to: `b${n}`, toConnector: 'in' }, 'me')
  }
  const flow = readFlow(doc)
  const { x, y, zoom } = openingViewport(flow, { width: 1440, height: 900 }, COMFORTABLE)
  const seen = [...flow.nodes.values()].filter(
    node => x + node.x * zoom > 0 && x + node.x * zoom < 1440 && y + node.y * zoom > 0 && y + node.y * zoom < 900,
  )
  expect(seen.map(({ id }) => id)).toContain('b0')
  expect(seen.length).toBeGreaterThan(4)
})

test('opens where blocks stand together when nothing is linked [P-90]', () => {
  const doc = createFlow()
  addNode(doc, { id: 'note', type: 'marker', title: '', x: -9000, y: -9000 }, 'me')
  for (let n = 0; n < 6; n += 1) addNode(doc, { id: `b${n}`, type: 'text', title: '', x: n * 400, y: 2000 }, 'me')
  const { x, y, zoom } = openingViewport(readFlow(doc), { width: 1024, height: 700 }, COMFORTABLE)
  expect(y + 2000 * zoom).toBeGreaterThan(0)
  expect(y + 2000 * zoom).toBeLessThan(700)
  expect(x).toBeGreaterThan(0)
  expect(x).toBeLessThan(1024)
})
