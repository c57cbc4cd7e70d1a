import { type Transform, useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
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

/** While the view moves, what is drawn of the flow glides along as one picture; while it zooms, without dots. */
export const useMotionAttributes = (root: RefObject<HTMLElement | null>, { motion }: CanvasState): void => {
  useEffect(() => {
    const { moving, zooming } = motion
    const stops = [
      moving.subscribe(() => root.current?.toggleAttribute('data-gliding', moving.get())),
      zooming.subscribe(() => root.current?.toggleAttribute('data-zooming', zooming.get())),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [root, motion])
}
