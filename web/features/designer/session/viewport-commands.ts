import { type ReactFlowInstance, useReactFlow } from '@xyflow/react'
import { useEffect } from 'react'
import { blockSizeOf } from '../canvas/canvas-context.ts'
import { BOTTOM_BARS_HEIGHT, ZOOM } from '../canvas/zoom.ts'
import { boxOf } from '../model/block-appearance.ts'
import { type Box, bounds, centerOf, type Point } from '../model/geometry.ts'
import type { Designer } from './designer.ts'

/** Narrower than a block with room around it, a gap is no place to show one in. CSS pixels. */
const LEAST = 280

/**
 * Offset of the canvas's center right of the free center: sheets cover the canvas, and the inspector is about to take
 * `opening` from its right. CSS pixels.
 */
const offCenter = (opening: number): number => {
  const canvas = document.querySelector('.pl-canvas')?.getBoundingClientRect()
  if (canvas === undefined) return 0
  let { left } = canvas
  let right = canvas.right - opening
  for (const sheet of document.querySelectorAll<HTMLElement>('.pl-sheet')) {
    const box = sheet.getBoundingClientRect()
    if (sheet.dataset.side === 'left') left = Math.max(left, box.right)
    else right = Math.min(right, box.left - opening)
  }
  const all = right - left < LEAST
  const middle = all ? (canvas.left + canvas.right - opening) / 2 : (left + right) / 2
  return (canvas.left + canvas.right) / 2 - middle
}

/** Inspector width, and the window width from which it is beside the canvas. CSS pixels. */
const INSPECTOR = 308
const BESIDE = 1024
/** Room around what is brought into view. CSS pixels. */
const EDGE = 16

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
/** Uncovered canvas height: above the tools, or above the block sheet on a phone. CSS pixels. */
const footOf = ({ top, height }: DOMRect) => {
  const sheet = document.querySelector('.pl-bottom')?.getBoundingClientRect()
  return Math.min(height - BOTTOM_BARS_HEIGHT, sheet === undefined ? height : sheet.top - top - EDGE)
}
const canvasBox = () => document.querySelector('.pl-canvas')?.getBoundingClientRect()

type Camera = Pick<
  ReactFlowInstance,
  'screenToFlowPosition' | 'fitBounds' | 'setCenter' | 'getZoom' | 'getViewport' | 'setViewport'
>

/** The view on the flow; commands move it. */
export const viewOf = ({ canvas }: Designer, camera: Camera, isFull: () => boolean) => {
  const duration = () => (calm() ? 0 : ZOOM.duration)
  const boxesOf = (ids: Iterable<string>) =>
    [...ids].flatMap(id => {
      const node = canvas.flow.get().nodes.get(id)
      return node === undefined ? [] : [boxOf(node, blockSizeOf(canvas))]
    })
  const frame = (boxes: readonly Box[]) => {
    const all = bounds(boxes)
    if (all !== undefined) void camera.fitBounds(all, { padding: 0.3, duration: duration() })
  }
  return {
    duration,
    /** The middle of what is seen. */
    center: (): Point => {
      const root = canvasBox()
      return camera.screenToFlowPosition(root === undefined ? { x: 0, y: 0 } : centerOf(root), { snapToGrid: false })
    },
    /** Position of a block centered at this point. */
    around: ({ x, y }: Point): Point => {
      const { width, height } = blockSizeOf(canvas)
      return { x: x - width / 2, y: y - height / 2 }
    },
    /** Width the inspector is about to take. */
    opening: (): number => {
      const opens = canvas.selection.get().blocks.size === 0 && !isFull() && innerWidth >= BESIDE
      return opens ? INSPECTOR : 0
    },
    /** Brings a block into the middle of what is free; `opening` is about to be taken from it. */
    goTo: (box: Box, opening: number): void => {
      const zoom = Math.max(camera.getZoom(), 0.6)
      const { x, y } = centerOf(box)
      void camera.setCenter(x + offCenter(opening) / zoom, y, { zoom, duration: duration() })
    },
    frame: (blocks: Iterable<string>): void => frame(boxesOf(blocks)),
    /** Moves the canvas by no more than it takes to see these blocks whole, beside what lies over it. */
    reveal: (blocks: Iterable<string>, taken: number): void => {
      const boxes = boxesOf(blocks)
      const all = bounds(boxes)
      const root = canvasBox()
      if (all === undefined || root === undefined) return
      const { x, y, zoom } = camera.getViewport()
      const part = { left: EDGE, top: EDGE, right: root.width - EDGE - taken, bottom: footOf(root) }
      const [width, height] = [all.width * zoom, all.height * zoom]
      if (width > part.right - part.left || height > part.bottom - part.top) {
        frame(boxes)
        return
      }
      const [left, top] = [all.x * zoom + x, all.y * zoom + y]
      const dx = Math.max(part.left - left, Math.min(0, part.right - left - width))
      const dy = Math.max(part.top - top, Math.min(0, part.bottom - top - height))
      if (dx !== 0 || dy !== 0) void camera.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: duration() })
    },
  }
}

/** On a phone, keeps the block of the sheet visible above it. */
export const useRevealAboveSheet = (designer: Designer, phone: boolean): void => {
  const camera = useReactFlow()
  useEffect(() => {
    if (!phone) return
    const { reveal } = viewOf(designer, camera, () => false)
    const { selection } = designer.canvas
    let frame = 0
    const stop = selection.subscribe(() => {
      cancelAnimationFrame(frame)
      const { blocks } = selection.get()
      // Once the sheet is there.
      if (blocks.size === 1)
        frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => reveal(blocks, 0))))
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [designer, camera, phone])
}
