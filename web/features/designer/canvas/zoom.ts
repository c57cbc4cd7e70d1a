/** Zoom as specified: 0.3 to 6 in steps of 0.3; the camera takes 200 ms. */
export const ZOOM = { min: 0.3, max: 6, step: 0.3, duration: 200 } as const

type ZoomLevel = 'near' | 'middle' | 'far' | 'farthest'

/** Below 0.6 labels go, below 0.5 previews, below 0.35 only markers keep their words. */
export const zoomLevel = (zoom: number): ZoomLevel => {
  if (zoom >= 0.6) return 'near'
  if (zoom >= 0.5) return 'middle'
  return zoom >= 0.35 ? 'far' : 'farthest'
}

/** Half a percent in steps: a view that shows a stop's percentage is at it, though its glide may end a frame late. */
const NEAR = 0.005 / ZOOM.step

/** The next stop of the specified steps from any zoom, which a wheel may have left between two of them. */
const stepZoom = (zoom: number, direction: 1 | -1): number => {
  const steps = zoom / ZOOM.step
  const next = direction === 1 ? Math.floor(steps + NEAR) + 1 : Math.ceil(steps - NEAR) - 1
  return Math.min(ZOOM.max, Math.max(ZOOM.min, next * ZOOM.step))
}

/**
 * Successive steps, `now` in ms: a step during the previous glide starts from its target, so that no quick press is
 * lost.
 */
export const zoomStepper = () => {
  let last = { to: 1, until: Number.NEGATIVE_INFINITY }
  return (zoom: number, direction: 1 | -1, now: number): number => {
    const to = stepZoom(now < last.until ? last.to : zoom, direction)
    last = { to, until: now + ZOOM.duration }
    return to
  }
}
