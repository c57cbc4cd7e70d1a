import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback } from 'react'
import { bounds } from '../model/geometry.ts'
import { boxOf } from '../model/look.ts'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'
import { isInView, openingViewport } from './opening-viewport.ts'
import { ZOOM } from './zoom.ts'

/** Height of the bars at the bottom, with margin. CSS pixels. */
export const BARS = 84
/** Padding around a flow shown whole; the bars cover none of its blocks. */
const PADDING = { top: '32px', left: '32px', right: '32px', bottom: `${BARS}px` } as const

/** A small flow is shown at its own size, not magnified. */
const MAX_FIT = 1

/** Shows a flow whole, or where it begins when there would be no block in view, in so many ms. React Flow's own way knows of what is drawn alone. */
export const useFit = (state: CanvasState): ((duration?: number) => void) => {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  return useCallback(
    (duration: number = ZOOM.duration) => {
      const size = blockSizeOf(state)
      const flow = state.flow.get()
      const boxes = [...flow.nodes.values()].map(node => boxOf(node, size))
      const all = bounds(boxes)
      const { width, height, minZoom } = store.getState()
      if (all === undefined) return
      const whole = getViewportForBounds(all, width, height, minZoom, MAX_FIT, PADDING)
      // The middle of a flow that is too large to be shown whole may be empty.
      const hasBlock = boxes.some(box => isInView(box, whole, { width, height }))
      void setViewport(hasBlock ? whole : openingViewport(flow, { width, height }, size), { duration })
    },
    [state, setViewport, store],
  )
}
