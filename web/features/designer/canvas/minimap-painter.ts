import type { FlowModel } from '#domain/flow/document/model.ts'
import { boxOf, categoryOf, isFrame, shapeOf, sizeOf } from '../model/block-appearance.ts'
import { type Box, bounds, overlaps, type Point } from '../model/geometry.ts'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'

/** Of the picture, CSS pixels. */
export const PICTURE = { width: 136, height: 96 } as const

/** Place and scale of the flow. */
export interface Scale extends Point {
  readonly scale: number
}

const scaleOf = (box: Box): Scale => {
  const scale = Math.min(PICTURE.width / (box.width + 200), PICTURE.height / (box.height + 200))
  return {
    scale,
    x: (PICTURE.width - box.width * scale) / 2 - box.x * scale,
    y: (PICTURE.height - box.height * scale) / 2 - box.y * scale,
  }
}

/** Whether two states of a flow give the same picture: block contents do not show. */
export const isSameMinimapPicture = (a: FlowModel['nodes'], b: FlowModel['nodes']): boolean => {
  if (a.size !== b.size) return false
  for (const [id, node] of b) {
    const other = a.get(id)
    if (other === node) continue
    if (other?.x !== node.x || other.y !== node.y || other.type !== node.type || shapeOf(node) !== undefined)
      return false
    if (other.outputs.length !== node.outputs.length) return false
  }
  return true
}

/** Colours by category, and of the view's frame. */
export type Colors = ReadonlyMap<string, string>

const surface = (ratio: number): CanvasRenderingContext2D | null => {
  const canvas = document.createElement('canvas')
  canvas.width = PICTURE.width * ratio
  canvas.height = PICTURE.height * ratio
  const context = canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}

/**
 * The whole flow at a glance. Blocks at rest are painted once and kept: a frame of a drag paints the carried ones over
 * them, and the view.
 */
export const createMinimapPainter = (state: CanvasState, context: CanvasRenderingContext2D) => {
  const { flow, positions } = state
  const ratio = devicePixelRatio
  context.canvas.width = PICTURE.width * ratio
  context.canvas.height = PICTURE.height * ratio
  const rest = surface(ratio)
  let held: { readonly carried: readonly string[]; readonly all: Box | undefined; readonly at: Scale } | undefined

  const whole = () => {
    const size = blockSizeOf(state)
    return bounds([...flow.get().nodes.values()].map(node => boxOf(node, size)))
  }
  const fill = (on: CanvasRenderingContext2D, id: string, { scale, x, y }: Scale, colors: Colors) => {
    const node = flow.get().nodes.get(id)
    if (node === undefined || isFrame(node)) return
    const place = positions.get(id)
    on.fillStyle = colors.get(categoryOf(node.type)) ?? ''
    const { width, height } = sizeOf(node, blockSizeOf(state))
    on.fillRect(place.x * scale + x, place.y * scale + y, Math.max(2, width * scale), Math.max(1.5, height * scale))
  }
  const settle = (on: CanvasRenderingContext2D, at: Scale, all: Box | undefined, colors: Colors) => {
    const carried: string[] = []
    on.clearRect(0, 0, PICTURE.width, PICTURE.height)
    for (const id of flow.get().nodes.keys()) {
      if (positions.lifted(id)) carried.push(id)
      else fill(on, id, at, colors)
    }
    held = { carried, all, at }
    return held
  }
  return {
    /** Invalidates the cached picture. */
    forget: () => {
      held = undefined
    },
    paint: (shown: Box, colors: Colors): Scale | undefined => {
      const all = held === undefined ? whole() : held.all
      if (all === undefined || rest === null) return undefined
      const at = scaleOf(overlaps(all, shown) ? all : (bounds([all, shown]) ?? all))
      const same = held !== undefined && held.at.scale === at.scale && held.at.x === at.x && held.at.y === at.y
      const { carried } = same && held !== undefined ? held : settle(rest, at, all, colors)
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, context.canvas.width, context.canvas.height)
      context.drawImage(rest.canvas, 0, 0)
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      for (const id of carried) fill(context, id, at, colors)
      context.strokeStyle = colors.get('view') ?? ''
      context.fillStyle = colors.get('seen') ?? ''
      context.lineWidth = 1.5
      const { scale, x, y } = at
      const frame = [shown.x * scale + x, shown.y * scale + y, shown.width * scale, shown.height * scale] as const
      context.fillRect(...frame)
      context.strokeRect(...frame)
      return at
    },
  }
}
