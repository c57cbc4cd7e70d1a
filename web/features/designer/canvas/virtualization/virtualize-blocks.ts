import { type ReactFlowState, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { type Box, overlaps, type Size } from '../../model/geometry.ts'
import type { CanvasState } from '../canvas-context.ts'

/** Up to so many blocks are all drawn, wherever they are. */
export const MANY = 150
/** So far around the view blocks are drawn before they are seen, and so far they stay afterwards. Flow pixels. */
const AHEAD = 200
const BEHIND = 1200
/** Newly rendered blocks per frame. */
export const IN_FRAME = 6

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

type Boxes = ReadonlyMap<string, Box>

const within = (boxes: Boxes, region: Box): string[] => {
  const inside: string[] = []
  for (const [id, box] of boxes) if (overlaps(box, region)) inside.push(id)
  return inside
}

/** Blocks that could be seen in a part of the flow and are not drawn. */
export const undrawnBlocks = (drawn: ReadonlySet<string>, boxes: Boxes, view: Box): ReadonlySet<string> =>
  drawn.size === boxes.size ? new Set() : new Set(within(boxes, view)).difference(drawn)

/**
 * The next blocks to render: those in view, then those soon in view, up to `most` new ones; `focus` always. Returns the
 * same set when nothing changes.
 */
export const nextDrawnBlocks = (
  drawn: ReadonlySet<string>,
  boxes: Boxes,
  view: Box,
  focus: string | undefined,
  most: number = IN_FRAME,
): ReadonlySet<string> => {
  if (boxes.size <= MANY) {
    return drawn.size === boxes.size && boxes.keys().every(id => drawn.has(id)) ? drawn : new Set(boxes.keys())
  }
  const next = new Set(within(boxes, grown(view, BEHIND))).intersection(drawn)
  if (focus !== undefined && boxes.has(focus)) next.add(focus)
  const wanted = new Set([...within(boxes, view), ...within(boxes, grown(view, AHEAD))]).difference(next)
  for (const id of wanted.keys().take(most)) next.add(id)
  return next.size === drawn.size && next.isSubsetOf(drawn) ? drawn : next
}

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
export const updateDrawnBlocks = (state: CanvasState, view: View): (() => void) => {
  const { drawn, boxes, motion, flow, positions, focus, compact } = state
  let frame = 0
  let soon: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    const before = drawn.get()
    drawn.set(nextDrawnBlocks(before, boxes(), view.get(), focus.get()))
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

/** Minimum window space outside the canvas: more renders once the canvas size is known. CSS pixels. */
const BESIDE = { width: 216, height: 28 }

const partOf = ({ x, y, zoom }: Viewport, { width, height }: Size): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})

/** The part of the flow that can be seen now. */
export const viewOf = ({ transform: [x, y, zoom], width, height }: ReactFlowState): Box =>
  partOf({ x, y, zoom }, { width, height })

/** Selects the blocks to render: at opening all in view at once, then as the view moves. */
export const useVirtualizedBlocks = (state: CanvasState, opening: Viewport): void => {
  const store = useStoreApi()
  useState(() => {
    const { drawn, boxes, focus } = state
    const view = partOf(opening, { width: innerWidth - BESIDE.width, height: innerHeight - BESIDE.height })
    const seen = undrawnBlocks(drawn.get(), boxes(), view).size
    drawn.set(nextDrawnBlocks(drawn.get(), boxes(), view, focus.get(), seen))
  })
  useEffect(() => {
    let seen = store.getState()
    return updateDrawnBlocks(state, {
      get: () => viewOf(store.getState()),
      subscribe: listener =>
        store.subscribe(now => {
          const stays = now.transform === seen.transform && now.width === seen.width && now.height === seen.height
          seen = now
          if (!stays) listener()
        }),
    })
  }, [state, store])
}
