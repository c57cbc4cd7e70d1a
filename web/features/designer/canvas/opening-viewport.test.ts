import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document.ts'
import { addNode } from '#domain/flow/edit.ts'
import { readFlow } from '#domain/flow/read-flow.ts'
import { COMFORTABLE } from './geometry.ts'
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
