import { useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import { zoomLevel } from './zoom.ts'

/** Writes the level of detail on the canvas, so that a zoom restyles blocks without rendering any. */
export const useZoomLevel = (root: RefObject<HTMLElement | null>): void => {
  const store = useStoreApi()
  useEffect(() => {
    const write = () => {
      const level = zoomLevel(store.getState().transform[2])
      if (root.current !== null && root.current.dataset.zoom !== level) root.current.dataset.zoom = level
    }
    write()
    return store.subscribe(write)
  }, [store, root])
}
