import { expect, test, vi } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode, moveNodes, removeNodes } from '#domain/flow/document/edit.ts'
import { observeFlow } from '../model/flow-store.ts'
import { createPositions, OWN_LIFT } from './positions.ts'

const given = () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'text', title: '', x: 0, y: 0 }, 'me')
  addNode(doc, { id: 'b', type: 'text', title: '', x: 0, y: 200 }, 'me')
  const flow = observeFlow(doc)
  return { doc, flow, positions: createPositions(flow) }
}

test('a drag moves what is drawn and tells those who watch that block alone', () => {
  const { positions, flow } = given()
  const onA = vi.fn()
  const onB = vi.fn()
  positions.watch(['a'], onA)
  positions.watch(['b'], onB)
  positions.lift('peer', new Map([['a', { x: 30, y: 10 }]]))
  expect(positions.get('a')).toEqual({ x: 30, y: 10 })
  expect(flow.get().nodes.get('a')?.x).toBe(0)
  expect(onA).toHaveBeenCalledOnce()
  expect(onB).not.toHaveBeenCalled()
})

test('a block whose drop arrives before the end of its drag is not moved twice', () => {
  const { doc, positions } = given()
  positions.lift('peer', new Map([['a', { x: 40, y: 0 }]]))
  moveNodes(doc, new Map([['a', { x: 40, y: 0 }]]), 'remote')
  expect(positions.get('a')).toEqual({ x: 40, y: 0 })
  positions.drop('peer')
  expect(positions.get('a')).toEqual({ x: 40, y: 0 })
})

test('keeps the own lift of a block that another person drops, until the own drop [P-1783]', () => {
  const { doc, positions } = given()
  positions.lift(OWN_LIFT, new Map([['a', { x: 40, y: 0 }]]))
  positions.lift('peer', new Map([['a', { x: 0, y: 300 }]]))
  expect(positions.get('a')).toEqual({ x: 40, y: 0 })
  moveNodes(doc, new Map([['a', { x: 0, y: 300 }]]), 'remote')
  positions.drop('peer')
  expect([positions.get('a'), positions.lifted('a')]).toEqual([{ x: 40, y: 0 }, true])
  moveNodes(doc, new Map([['a', positions.get('a')]]), 'me')
  positions.drop(OWN_LIFT)
  expect([positions.get('a'), positions.lifted('a')]).toEqual([{ x: 40, y: 0 }, false])
})

test('lifts a block during a drag, and notifies its listeners when it is dropped', () => {
  const { doc, positions } = given()
  const told: boolean[] = []
  positions.get('a')
  positions.onMoved(() => told.push(positions.lifted('a')))
  positions.lift('peer', new Map([['a', { x: 0, y: 0 }]]))
  positions.lift('peer', new Map([['a', { x: 40, y: 0 }]]))
  moveNodes(doc, new Map([['a', { x: 40, y: 0 }]]), 'remote')
  positions.drop('peer')
  expect(told).toEqual([true, true, false])
  expect(positions.lifted('b')).toBe(false)
})

test('keeps one set of carried blocks until one is lifted, dropped or removed', () => {
  const { doc, positions } = given()
  const told = vi.fn()
  positions.carried.subscribe(told)
  positions.lift('peer', new Map([['a', { x: 10, y: 0 }]]))
  const held = positions.carried.get()
  positions.lift('peer', new Map([['a', { x: 40, y: 0 }]]))
  expect(positions.carried.get()).toBe(held)
  positions.lift('own', new Map([['b', { x: 1, y: 0 }]]))
  expect(positions.carried.get()).toEqual(new Set(['a', 'b']))
  removeNodes(doc, ['b'], 'remote')
  expect(positions.carried.get()).toEqual(new Set(['a']))
  positions.drop('peer')
  positions.drop('own')
  expect(positions.carried.get()).toEqual(new Set())
  expect(told).toHaveBeenCalledTimes(4)
})

test('keeps the identity of nodes that a flow change does not touch', () => {
  const { doc, flow } = given()
  const before = flow.get().nodes.get('b')
  moveNodes(doc, new Map([['a', { x: 60, y: 0 }]]), 'me')
  expect(flow.get().nodes.get('b')).toBe(before)
  expect(flow.get().nodes.get('a')?.x).toBe(60)
})
