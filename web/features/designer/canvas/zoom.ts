import { getViewportForBounds, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useMemo } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { boxOf } from '../model/block-appearance.ts'
import { type Box, bounds } from '../model/geometry.ts'
import { blockSizeOf, type CanvasState, useBlockSize } from './canvas-context.ts'
import { isInView, openingViewport } from './opening-viewport.ts'

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

/** Takes the view one step in or out. */
export const useZoomStep = (): ((direction: 1 | -1) => void) => {
  const { zoomTo, getZoom } = useReactFlow()
  return useMemo(() => {
    const stepped = zoomStepper()
    return direction => void zoomTo(stepped(getZoom(), direction, performance.now()), { duration: ZOOM.duration })
  }, [zoomTo, getZoom])
}

/** Near enough to read, far enough to see what is around. */
const CLOSE = { least: 0.5, one: 0.7, most: 0.8 }
const MARGIN = 120

/** Brings blocks into sight, unless some or most of them are. `covered`: pixels at the top that something lies over. */
export const useCamera = (view: RefObject<HTMLElement | null>, covered = 0) => {
  const { getViewport, setCenter } = useReactFlow()
  const size = useBlockSize()
  return useCallback(
    (nodes: readonly NodeModel[], unless: 'never' | 'some' | 'most') => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = view.current ?? {}
      const { x, y, zoom } = getViewport()
      const inSight = ({ x: left, y: top, width: wide, height: high }: Box) =>
        left * zoom + x >= 0 &&
        (left + wide) * zoom + x <= width &&
        top * zoom + y >= covered &&
        (top + high) * zoom + y <= height
      const boxes = nodes.map(node => boxOf(node, size))
      const seen = boxes.filter(inSight).length
      if ((unless === 'some' && seen > 0) || (unless === 'most' && seen * 2 > boxes.length)) return
      const all = bounds(boxes)
      const [first] = boxes
      if (all === undefined || first === undefined || width === 0) return
      const fits = Math.min(width / (all.width + MARGIN), height / (all.height + MARGIN))
      const target = fits < CLOSE.least ? first : all
      const near = unless === 'never' || target === first ? Math.max(zoom, CLOSE.one) : Math.min(CLOSE.most, fits)
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches
      void setCenter(target.x + target.width / 2, target.y + target.height / 2, {
        zoom: near,
        duration: still ? 0 : ZOOM.duration,
      })
    },
    [view, getViewport, setCenter, size, covered],
  )
}

/** Widths of the canvas below which its tools lose their words, and the map makes room for them. CSS pixels. */
const ROOM = { words: 770, map: 660 }

export const useCanvasRoom = (): 'wide' | 'tight' | 'narrow' =>
  useStore(({ width }) => (width === 0 || width >= ROOM.words ? 'wide' : width >= ROOM.map ? 'tight' : 'narrow'))

/** Height of the bars at the bottom, with margin. CSS pixels. */
export const BOTTOM_BARS_HEIGHT = 84
/** Padding around a flow shown whole; the bars cover none of its blocks. */
const PADDING = { top: '32px', left: '32px', right: '32px', bottom: `${BOTTOM_BARS_HEIGHT}px` } as const

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
