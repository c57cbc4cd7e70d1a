import type { Box } from '../../model/geometry.ts'
import type { CanvasState } from '../canvas-context.ts'
import { nextDrawn } from './drawn-blocks.ts'

/** What others carry may come into the view: looked for so often, ms. */
const CARRYING = 250

/** The part of the flow that can be seen. */
interface View {
  readonly get: () => Box
  readonly subscribe: (listener: () => void) => () => void
}

/**
 * Keeps drawn what is in the view and around it: a few blocks more in each frame. While the view hurries none comes and none
 * goes, because each would have the whole flow arranged anew. Answers how to stop it.
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
