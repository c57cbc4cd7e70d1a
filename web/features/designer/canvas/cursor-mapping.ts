import { boxOf, type Cursor, shapeOf } from '../model/block-appearance.ts'
import type { Box, Point } from '../model/geometry.ts'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'

type LayoutState = Pick<CanvasState, 'flow' | 'positions' | 'compact'>

/** Of what everybody may look at in a size of their own; sheets and frames have one for all. */
const drawn = (state: LayoutState, block: string): Box | undefined => {
  const node = state.flow.get().nodes.get(block)
  if (node === undefined || shapeOf(node) !== undefined) return undefined
  return { ...boxOf(node, blockSizeOf(state)), ...state.positions.get(block) }
}

/** From the middle to the edge, with what hangs over it, as a part of the whole. */
const EDGE = 0.7

const thousandth = (part: number) => Math.round(part * 1000) / 1000

/** A pointer as sent to others: its block and its position. */
export const cursorAt = (state: LayoutState, { x, y }: Point, block: string | undefined): Cursor => {
  const at = { x: Math.round(x), y: Math.round(y) }
  const box = block === undefined ? undefined : drawn(state, block)
  if (block === undefined || box === undefined) return at
  const across = (x - box.x) / box.width
  const down = (y - box.y) / box.height
  // A link is pulled out of a block.
  if (Math.abs(across - 0.5) > EDGE || Math.abs(down - 0.5) > EDGE) return at
  return { ...at, over: { block, across: thousandth(across), down: thousandth(down) } }
}

/** Another person's pointer here: on the same part of the same block, at any block size. */
export const cursorToPoint = (state: LayoutState, { x, y, over }: Cursor): Point => {
  const box = over === undefined ? undefined : drawn(state, over.block)
  if (over === undefined || box === undefined) return { x, y }
  return { x: box.x + over.across * box.width, y: box.y + over.down * box.height }
}
