import { describe, expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document.ts'
import { addNode } from '#domain/flow/edit.ts'
import { createUndo } from '#domain/flow/undo.ts'
import { createCanvasState, NOTHING } from '../canvas/canvas-context.ts'
import { COMFORTABLE, COMPACT } from '../canvas/geometry.ts'
import { createPositions } from '../canvas/positions.ts'
import { followFlow } from '../model/flow-store.ts'
import { boxOf, contentsOf } from '../model/look.ts'
import { overlapping, tidyPlaces } from '../model/tidy.ts'
import { createActions, OWN_EDIT } from './actions.ts'
import { readingOrder, walk } from './walk.ts'

const given = () => {
  const doc = createFlow()
  addNode(doc, { id: 's', type: 'start', title: '', x: 0, y: 0 }, 'other')
  addNode(doc, { id: 'a', type: 'text', title: '', x: 0, y: 100 }, 'other')
  addNode(doc, { id: 'b', type: 'text', title: '', x: 300, y: 100 }, 'other')
  const flow = followFlow(doc)
  const state = createCanvasState(flow, createPositions(flow))
  const undo = createUndo(doc, [OWN_EDIT])
  return { doc, flow, state, actions: createActions(doc, state, undo) }
}

describe('on the canvas', () => {
  test('a second link from an output replaces the first', () => {
    const { actions, flow } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    actions.link({ from: 's', fromConnector: 'output_1' }, 'b')
    expect([...flow.get().links.values()].map(({ to }) => to)).toEqual(['b'])
  })

  test('deleting a block deletes its links, and one undo brings both back', () => {
    const { actions, flow, state } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    state.selection.set({ blocks: new Set(['a']), links: new Set() })
    expect(actions.remove()).toEqual({ blocks: 1, links: 0 })
    expect(flow.get().links.size).toBe(0)
    actions.undo()
    expect(flow.get().nodes.has('a')).toBe(true)
    expect(flow.get().links.size).toBe(1)
  })

  test('copied blocks are pasted from their text with the links among them, and selected', () => {
    const { actions, flow, state } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    state.selection.set({ blocks: new Set(['s', 'a']), links: new Set() })
    const text = actions.copy() ?? ''
    expect(actions.paste(text)).toEqual({ pasted: 2 })
    expect(flow.get().nodes.size).toBe(5)
    expect(flow.get().links.size).toBe(2)
    expect(state.selection.get().blocks.size).toBe(2)
  })

  test('a frame is drawn around what is selected, takes all that lies in it along in one step, and leaves it when it goes', () => {
    const { actions, flow, state } = given()
    state.selection.set({ blocks: new Set(['s', 'a']), links: new Set() })
    const frame = actions.group('Começo') ?? ''
    expect(flow.get().nodes.get(frame)).toMatchObject({ type: 'group', title: 'Começo', x: -20, y: -14 })
    expect(contentsOf(flow.get().nodes, [frame], COMFORTABLE)).toEqual(new Set(['s', 'a']))
    actions.nudge(40, 20)
    expect(flow.get().nodes.get('a')).toMatchObject({ x: 40, y: 120 })
    expect(flow.get().nodes.get('b')).toMatchObject({ x: 300, y: 100 })
    actions.undo()
    expect(flow.get().nodes.get(frame)).toMatchObject({ x: -20, y: -14 })
    expect(flow.get().nodes.get('a')).toMatchObject({ x: 0, y: 100 })
    actions.remove()
    expect([...flow.get().nodes.keys()]).toEqual(['s', 'a', 'b'])
  })

  test('a frame is no obstacle to what is added in it, is not tidied away, and is as large as it is made', () => {
    const { actions, flow, state } = given()
    state.selection.set({ blocks: new Set(['s', 'b']), links: new Set() })
    const frame = actions.group('Tudo') ?? ''
    actions.resize(frame, { width: 900, height: 700 })
    expect(flow.get().nodes.get(frame)?.properties).toMatchObject({ width: 900, height: 700 })
    const added = actions.add('text', '', { x: 40, y: 300 })
    expect(flow.get().nodes.get(added)).toMatchObject({ x: 40, y: 300 })
    state.selection.set(NOTHING)
    actions.tidy()
    expect(flow.get().nodes.get(frame)).toMatchObject({ x: -20, y: -14 })
  })

  test('what is put in order while compact blocks are looked at covers nothing of the comfortable ones', () => {
    const { actions, flow, state } = given()
    state.compact.set(true)
    actions.move(new Map([['b', { x: 160, y: 100 }]]))
    const added = actions.add('text', '', { x: 0, y: 60 })
    state.selection.set({ blocks: new Set(['s', 'a', 'b', added]), links: new Set() })
    actions.tidy()
    const boxes = [...flow.get().nodes.values()].map(node => boxOf(node, COMFORTABLE))
    expect(overlapping(boxes)).toBe(0)
    const frame = actions.group('Tudo') ?? ''
    for (const size of [COMFORTABLE, COMPACT]) expect(contentsOf(flow.get().nodes, [frame], size).size).toBe(4)
  })

  test('text that is no flow file pastes nothing', () => {
    const { actions, flow } = given()
    expect(actions.paste('hello')).toEqual({ pasted: 0, refused: true })
    expect(flow.get().nodes.size).toBe(3)
  })

  test('a block added after an output is linked to it in the same step', () => {
    const { actions, flow } = given()
    actions.add('prompt', '', { x: 0, y: 300 }, { from: 'a', fromConnector: 'output_1' })
    expect(flow.get().links.size).toBe(1)
    actions.undo()
    expect(flow.get().links.size).toBe(0)
    expect(flow.get().nodes.size).toBe(3)
  })
})

describe('by keyboard', () => {
  test('arrows follow the first output, the source and the siblings', () => {
    const { actions, flow } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    actions.link({ from: 'a', fromConnector: 'output_1' }, 'b')
    expect(walk(flow.get(), 's', 'down')).toBe('a')
    expect(walk(flow.get(), 'b', 'up')).toBe('a')
    expect(walk(flow.get(), 'b', 'home')).toBe('s')
    expect(readingOrder(flow.get())).toEqual(['s', 'a', 'b'])
  })
})

describe('tidying up', () => {
  test('leaves nothing on top of anything, and the columns and their order as they were', () => {
    const blocks = [
      { id: 'a', x: 3, y: 0, width: 240, height: 72 },
      { id: 'b', x: 0, y: 50, width: 240, height: 72 },
      { id: 'c', x: 200, y: 10, width: 240, height: 72 },
    ]
    expect(overlapping(blocks)).toBe(3)
    const places = tidyPlaces(blocks)
    const after = blocks.map(block => ({ ...block, ...places.get(block.id) }))
    expect(overlapping(after)).toBe(0)
    expect((after[0]?.y ?? 0) < (after[1]?.y ?? 0)).toBe(true)
    expect((after[2]?.x ?? 0) > (after[0]?.x ?? 0)).toBe(true)
  })
})
