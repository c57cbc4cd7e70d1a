import type { Box } from '../../model/geometry.ts'
import type { CanvasState } from '../canvas-context.ts'
import { nextDrawn } from './drawn-blocks.ts'

/** Check interval for blocks dragged into view by others, ms. */
const CARRYING = 250

/** The part of the flow that can be seen. */
interface View {
  readonly get: () => Box
  readonly subscribe: (listener: () => void) => () => void
}

/**
 * Keeps blocks in and near the view rendered: a few more per frame. While the view moves fast none is added or removed,
 * because each would lay out the whole flow again. Returns the stop function.
 */
export const keepDrawn = (state: CanvasState, view: View): (() => void) => {
  const { drawn, boxes, motion, flow, positions, focus, compact } = state
  let frame = 0
  let soon: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    const before = drawn.get()
    drawn.set(nextDrawn(before, boxes(), view.get(), focus.get()))
    if (drawn.get() !== before) ask()
  }
  function ask() {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      if (!motion.hurrying.get()) draw()
    })
  }
  const askSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      ask()
    }, CARRYING)
  }
  const stops = [
    view.subscribe(ask),
    motion.hurrying.subscribe(ask),
    flow.subscribe(draw),
    focus.subscribe(draw),
    compact.subscribe(draw),
    positions.onMoved(askSoon),
  ]
  ask()
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(soon)
    for (const stop of stops) stop()
  }
}
