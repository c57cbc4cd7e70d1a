import { useReactFlow } from '@xyflow/react'
import { type RefObject, useCallback } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { type Box, bounds } from '../model/geometry.ts'
import { boxOf } from '../model/look.ts'
import { useBlockSize } from './canvas-context.ts'
import { ZOOM } from './zoom.ts'

/** Near enough to read, far enough to see what is around. */
const CLOSE = { least: 0.5, one: 0.7, most: 0.8 }
const MARGIN = 120

/** Brings blocks into sight, unless some or most of them are. */
export const useCamera = (view: RefObject<HTMLElement | null>) => {
  const { getViewport, setCenter } = useReactFlow()
  const size = useBlockSize()
  return useCallback(
    (nodes: readonly NodeModel[], unless: 'never' | 'some' | 'most') => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = view.current ?? {}
      const { x, y, zoom } = getViewport()
      const inSight = ({ x: left, y: top, width: wide, height: high }: Box) =>
        left * zoom + x >= 0 &&
        (left + wide) * zoom + x <= width &&
        top * zoom + y >= 0 &&
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
    [view, getViewport, setCenter, size],
  )
}
