import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { createStore } from '../model/store.ts'
import { createCanvasState } from './canvas-context.ts'
import { cursorAt, cursorToPoint } from './cursor-mapping.ts'
import { createPositions } from './positions.ts'

test('shows a pointer on the same part of a block to viewers with another block size', () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'text', title: '', x: 1000, y: 500 }, 'me')
  const flow = createStore(readFlow(doc))
  const large = createCanvasState(flow, createPositions(flow))
  const small = createCanvasState(flow, createPositions(flow), { compact: createStore(true) })
  const lowerRight = cursorAt(small, { x: 1140, y: 548 }, 'a')
  expect(cursorToPoint(small, lowerRight)).toEqual({ x: 1140, y: 548 })
  expect(cursorToPoint(large, lowerRight)).toEqual({ x: 1240, y: 572 })
  expect(cursorToPoint(small, cursorAt(large, { x: 1120, y: 536 }, 'a'))).toEqual({ x: 1070, y: 524 })
  for (const block of ['a', undefined]) {
    expect(cursorToPoint(large, cursorAt(small, { x: 1300.4, y: 520 }, block))).toEqual({ x: 1300, y: 520 })
  }
})
