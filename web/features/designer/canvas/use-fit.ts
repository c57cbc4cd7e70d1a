import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback } from 'react'
import { boxOf } from '../model/look.ts'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'
import { bounds } from './geometry.ts'
import { ZOOM } from './zoom.ts'

/** What the bars at the bottom take, with room above them. CSS pixels. */
export const BARS = 84
/** Room around a flow that is shown whole; nothing of it lies under the bars. */
const PADDING = { top: '32px', left: '32px', right: '32px', bottom: `${BARS}px` } as const

/** Shows a flow whole, in so many ms. React Flow's own way knows of what is drawn alone. */
export const useFit = (state: CanvasState): ((duration?: number) => void) => {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  return useCallback(
    (duration: number = ZOOM.duration) => {
      const size = blockSizeOf(state)
      const all = bounds([...state.flow.get().nodes.values()].map(node => boxOf(node, size)))
      const { width, height, minZoom, maxZoom } = store.getState()
      if (all === undefined) return
      void setViewport(getViewportForBounds(all, width, height, minZoom, maxZoom, PADDING), { duration })
    },
    [state, setViewport, store],
  )
}
