import { useReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import { ZOOM, zoomStepper } from './zoom.ts'

/** Takes the view one step in or out. */
export const useZoomStep = (): ((direction: 1 | -1) => void) => {
  const { zoomTo, getZoom } = useReactFlow()
  return useMemo(() => {
    const stepped = zoomStepper()
    return direction => void zoomTo(stepped(getZoom(), direction, performance.now()), { duration: ZOOM.duration })
  }, [zoomTo, getZoom])
}
