import { useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { CanvasState } from './canvas-context.ts'
import { zoomLevel } from './zoom.ts'

/**
 * Writes the level of detail on the canvas, so that a zoom restyles blocks without rendering any, and once only: when the
 * view no longer hurries.
 */
export const useZoomLevel = (root: RefObject<HTMLElement | null>, { motion }: CanvasState): void => {
  const store = useStoreApi()
  useEffect(() => {
    const write = () => {
      if (motion.hurrying.get()) return
      const level = zoomLevel(store.getState().transform[2])
      if (root.current !== null && root.current.dataset.zoom !== level) root.current.dataset.zoom = level
    }
    write()
    const stops = [store.subscribe(write), motion.hurrying.subscribe(write)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [store, root, motion])
}
