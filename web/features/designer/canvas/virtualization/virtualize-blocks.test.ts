import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { observeFlow } from '../../model/flow-store.ts'
import { createStore } from '../../model/store.ts'
import { createCanvasState } from '../canvas-context.ts'
import { createPositions } from '../positions.ts'
import { HURRY, REST } from './view-motion.ts'
import { IN_FRAME, MANY, undrawnBlocks, updateDrawnBlocks } from './virtualize-blocks.ts'

const FRAME = 16
const FAR = 8000

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, FRAME))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A row of blocks that is wider than any view, seen from its beginning, and all of that drawn. */
const given = () => {
  const doc = createFlow()
  for (let n = 0; n < 2 * MANY; n++) addNode(doc, { id: `n${n}`, type: 'text', title: '', x: n * 100, y: 0 }, 'me')
  const flow = observeFlow(doc)
  const state = createCanvasState(flow, createPositions(flow))
  const view = createStore({ x: 0, y: 0, width: 2000, height: 1000 })
  const told: number[] = []
  state.drawn.subscribe(() => told.push(state.drawn.get().size))
  const stop = updateDrawnBlocks(state, view)
  vi.advanceTimersByTime(20 * FRAME)
  const missing = () => undrawnBlocks(state.drawn.get(), state.boxes(), view.get()).size
  const moveTo = (x: number, by: number) => {
    view.set(before => ({ ...before, x }))
    state.motion.moved(by)
  }
  return { doc, state, told, missing, moveTo, stop }
}

test('draws blocks in the view, a few in each frame', () => {
  const { told, missing } = given()
  expect(missing()).toBe(0)
  for (const [index, size] of told.entries()) expect(size - (told[index - 1] ?? 0)).toBeLessThanOrEqual(IN_FRAME)
})

test('while a view hurries nothing is drawn and nothing goes; when it rests, all that can be seen is drawn', () => {
  const { told, missing, moveTo } = given()
  told.length = 0
  for (let x = 0; x <= FAR; x += 200) {
    moveTo(x, HURRY)
    vi.advanceTimersByTime(FRAME)
  }
  expect(told).toEqual([])
  expect(missing()).toBeGreaterThan(IN_FRAME)
  vi.advanceTimersByTime(REST + 20 * FRAME)
  expect(missing()).toBe(0)
})

test('a view that is read along with has what comes into it drawn', () => {
  const { missing, moveTo } = given()
  for (let x = 0; x <= FAR; x += HURRY - 1) {
    moveTo(x, HURRY - 1)
    vi.advanceTimersByTime(FRAME)
    expect(missing()).toBe(0)
  }
})

test('a block that is added, or gets the focus, is drawn at once', () => {
  const { doc, state } = given()
  addNode(doc, { id: 'new', type: 'text', title: '', x: 50, y: 200 }, 'me')
  expect(state.drawn.get().has('new')).toBe(true)
  state.focus.set('n299')
  expect(state.drawn.get().has('n299')).toBe(true)
})

test('draws a block that another person carries into the view', () => {
  const { state } = given()
  state.positions.lift('peer', new Map([['n299', { x: -29_000, y: 300 }]]))
  vi.advanceTimersByTime(500)
  expect(state.drawn.get().has('n299')).toBe(true)
})

test('draws nothing after the canvas stopped', () => {
  const { told, moveTo, stop } = given()
  stop()
  told.length = 0
  moveTo(FAR, 1)
  vi.advanceTimersByTime(1000)
  expect(told).toEqual([])
})
