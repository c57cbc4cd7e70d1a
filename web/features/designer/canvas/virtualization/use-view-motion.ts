import { type Transform, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { CanvasState } from '../canvas-context.ts'

const way = ([x, y, zoom]: Transform, [fromX, fromY, fromZoom]: Transform): number =>
  zoom === fromZoom ? Math.hypot(x - fromX, y - fromY) : Number.POSITIVE_INFINITY

/** Tells the canvas how its view moves. */
export const useViewMotion = ({ motion }: CanvasState): void => {
  const store = useStoreApi()
  useEffect(() => {
    let { transform } = store.getState()
    return store.subscribe(({ transform: now }) => {
      if (now === transform) return
      motion.moved(way(now, transform))
      transform = now
    })
  }, [store, motion])
}
