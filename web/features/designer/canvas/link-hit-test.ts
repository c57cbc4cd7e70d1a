import type { FlowModel, LinkModel } from '#domain/flow/document/model.ts'
import { boxOf } from '../model/block-appearance.ts'
import { type Box, centerOf, isJump, linkShape, type Point, pointsAlong, SIZE } from '../model/geometry.ts'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'
import { portPoint } from './link-plan.ts'

/** Minimum overlap of a block on a link to split it. Flow pixels. */
const REACH = 10

/** The port a link leaves and the block it ends at, where they are drawn now. */
const endsOf = (state: CanvasState, { from, fromConnector, to }: LinkModel) => {
  const { nodes } = state.flow.get()
  const source = nodes.get(from)
  const target = nodes.get(to)
  if (source === undefined || target === undefined) return undefined
  const size = blockSizeOf(state)
  return {
    start: portPoint(source, fromConnector, state.positions.get(from), size),
    target: { ...boxOf(target, size), ...state.positions.get(to) },
  }
}

interface LinkPoints {
  readonly from: Point
  readonly to: Point
  /** Place of the button that inserts a block: the middle, or below the label there. */
  readonly insert: Point
}

/** From the middle of a label to the middle of the button below it. */
const BELOW_LABEL = 20

/** Current start, end and place to insert of a link on the canvas. */
export const linkPoints = (state: CanvasState, link: LinkModel): LinkPoints | undefined => {
  const ends = endsOf(state, link)
  if (ends === undefined) return undefined
  const { end, middle, length } = linkShape(ends.start, ends.target)
  const isLabeled = (state.flow.get().nodes.get(link.from)?.outputs.length ?? 0) > 1 && length >= SIZE.label
  return { from: ends.start, to: end, insert: { x: middle.x, y: middle.y + (isLabeled ? BELOW_LABEL : 0) } }
}

/** Whether a block may come between two others: it leads on, and nothing leads to it or from it yet. */
export const canSplitLink = ({ nodes, links }: FlowModel, id: string): boolean => {
  const node = nodes.get(id)
  const isFree = node !== undefined && node.inputs.length > 0 && node.outputs.length > 0
  return isFree && ![...links.values()].some(({ from, to }) => from === id || to === id)
}

/** The link under this box: the nearest one to its center. */
export const linkAtBox = (state: CanvasState, box: Box): string | undefined => {
  const middle = centerOf(box)
  const isInside = ({ x, y }: Point) =>
    Math.abs(x - middle.x) < box.width / 2 - REACH && Math.abs(y - middle.y) < box.height / 2 - REACH
  let nearest: { readonly id: string; readonly away: number } | undefined
  for (const [id, link] of state.flow.get().links) {
    const ends = endsOf(state, link)
    // Drawn as a tag, without a line that a block could cover.
    if (ends === undefined || (state.jumpTags.get() && isJump(ends.start, ends.target))) continue
    for (const point of pointsAlong(ends.start, ends.target)) {
      const away = Math.hypot(point.x - middle.x, point.y - middle.y)
      if (isInside(point) && (nearest === undefined || away < nearest.away)) nearest = { id, away }
    }
  }
  return nearest?.id
}
