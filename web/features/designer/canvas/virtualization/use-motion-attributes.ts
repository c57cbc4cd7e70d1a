import { type RefObject, useEffect } from 'react'
import type { CanvasState } from '../canvas-context.ts'

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
