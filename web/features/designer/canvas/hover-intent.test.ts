import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GRACE, watchHoverIntent } from './hover-intent.ts'

/** As much of an element as resting on it asks for. */
class Block extends EventTarget {
  readonly isConnected = true
  readonly dataset = { block: 'hello' }
  closest(selector: string): Block | null {
    return selector === '[data-block]' ? this : null
  }
  matches(): boolean {
    return false
  }
}
/** The canvas beside the blocks. */
class Pane extends Block {
  override closest(): null {
    return null
  }
}

/** A pointer event of the page at a place. */
const pointer = (kind: string, clientX: number, clientY: number) =>
  Object.assign(new Event(kind), { clientX, clientY, buttons: 0 })

const over = (block: Block, pointerType = 'mouse') => {
  const event = new Event('pointerover')
  return Object.defineProperties(event, {
    target: { value: block },
    pointerType: { value: pointerType },
    buttons: { value: 0 },
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Element', Block)
  vi.stubGlobal('document', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('opens a short tooltip of a block after 500 ms and the full one after 1000, never by touch [D-9.06]', () => {
  const told: (boolean | undefined)[] = []
  const root = new EventTarget() as HTMLElement
  const watch = watchHoverIntent(root, rested => told.push(rested?.full))
  root.dispatchEvent(over(new Block(), 'touch'))
  vi.advanceTimersByTime(2000)
  expect(told).toEqual([])
  root.dispatchEvent(over(new Block()))
  vi.advanceTimersByTime(499)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([false])
  vi.advanceTimersByTime(499)
  expect(told).toEqual([false])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([false, true])
  root.dispatchEvent(new Event('pointerdown'))
  expect(told).toEqual([false, true, undefined])
  watch.stop()
})

test('keeps the tooltip while the pointer moves to it, past another block, and over it', () => {
  const told: (boolean | undefined)[] = []
  const root = new EventTarget() as HTMLElement
  const watch = watchHoverIntent(root, rested => told.push(rested?.full))
  root.dispatchEvent(over(new Block()))
  vi.advanceTimersByTime(1000)
  root.dispatchEvent(over(new Pane()))
  vi.advanceTimersByTime(GRACE / 2)
  root.dispatchEvent(over(new Block()))
  vi.advanceTimersByTime(GRACE - 1)
  watch.hold()
  root.dispatchEvent(new Event('focusout'))
  vi.advanceTimersByTime(60_000)
  expect(told).toEqual([false, true])
  watch.release()
  vi.advanceTimersByTime(GRACE)
  expect(told).toEqual([false, true, undefined])
  watch.stop()
})

test('closes the tooltip on Escape, and soon after the pointer moves to another block', () => {
  const told: (boolean | undefined)[] = []
  const root = new EventTarget() as HTMLElement
  const watch = watchHoverIntent(root, rested => told.push(rested?.full))
  root.dispatchEvent(over(new Block()))
  vi.advanceTimersByTime(500)
  document.dispatchEvent(Object.assign(new Event('keydown'), { key: 'Escape' }))
  expect(told).toEqual([false, undefined])
  vi.advanceTimersByTime(5000)
  root.dispatchEvent(over(new Block()))
  vi.advanceTimersByTime(500)
  root.dispatchEvent(over(new Pane()))
  root.dispatchEvent(over(new Block()))
  vi.advanceTimersByTime(GRACE)
  expect(told).toEqual([false, undefined, false, undefined])
  vi.advanceTimersByTime(500 - GRACE)
  expect(told).toEqual([false, undefined, false, undefined, false])
  watch.stop()
})

test.each(['pointerup', 'drop'])(
  'opens no tooltip after a %s until the pointer moves, and then when it rests [P-91]',
  kind => {
    const told: (boolean | undefined)[] = []
    const root = new EventTarget() as HTMLElement
    const watch = watchHoverIntent(root, rested => told.push(rested?.full))
    root.dispatchEvent(new Event('pointerdown'))
    document.dispatchEvent(pointer(kind, 300, 200))
    root.dispatchEvent(over(new Block()))
    watch.moved()
    vi.advanceTimersByTime(60_000)
    root.dispatchEvent(pointer('pointermove', 301, 200))
    vi.advanceTimersByTime(60_000)
    expect(told).toEqual([])
    root.dispatchEvent(pointer('pointermove', 310, 204))
    vi.advanceTimersByTime(499)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual([false])
    watch.stop()
  },
)
