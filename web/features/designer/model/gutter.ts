import type { Box, LinkShape, Point } from './geometry.ts'

/** Offsets of a link's turn below its port and beside its target, and its corners. Flow pixels. */
const DROP = 24
const BESIDE = 36
const CORNER = 12

/** Whether an upright line comes through a block. */
const hits = (x: number, top: number, bottom: number, boxes: readonly Box[]): boolean =>
  boxes.some(box => x > box.x - CORNER && x < box.x + box.width + CORNER && box.y < bottom && box.y + box.height > top)

/** X of an upward link that passes behind no block, the nearest to its port first. */
const gutterAt = (from: Point, target: Box, boxes: readonly Box[]): number => {
  const [top, bottom] = [target.y + target.height / 2, from.y + DROP]
  const edges = boxes.flatMap(({ x, width }) => [x - BESIDE, x + width + BESIDE])
  const free = [target.x - BESIDE, target.x + target.width + BESIDE, ...edges]
    .filter(x => !hits(x, top, bottom, boxes))
    .sort((a, b) => Math.abs(a - from.x) - Math.abs(b - from.x))
  return free[0] ?? target.x - BESIDE
}

/** A line with round corners through these points. */
const rounded = (points: readonly Point[]): string =>
  points
    .map((point, place) => {
      const before = points[place - 1]
      const after = points[place + 1]
      if (before === undefined) return `M${point.x},${point.y}`
      if (after === undefined) return `L${point.x},${point.y}`
      const toward = (other: Point): Point => {
        const length = Math.hypot(other.x - point.x, other.y - point.y) || 1
        const share = Math.min(CORNER, length / 2) / length
        return { x: point.x + (other.x - point.x) * share, y: point.y + (other.y - point.y) * share }
      }
      const [a, b] = [toward(before), toward(after)]
      return `L${a.x},${a.y}Q${point.x},${point.y} ${b.x},${b.y}`
    })
    .join('')

/** A link that goes up, round through the gutter between blocks instead of behind them (UI.md §15). */
export const gutterShape = (from: Point, target: Box, around: Iterable<Box>): LinkShape => {
  const x = gutterAt(from, target, [...around])
  const side = x < target.x + target.width / 2 ? 'left' : 'right'
  const end = { x: side === 'left' ? target.x : target.x + target.width, y: target.y + target.height / 2 }
  const below = from.y + DROP
  const path = rounded([from, { x: from.x, y: below }, { x, y: below }, { x, y: end.y }, end])
  const length = Math.abs(x - from.x) + Math.abs(below - end.y) + Math.abs(end.x - x)
  return { path, side, end, middle: { x, y: (below + end.y) / 2 }, length, arrow: true }
}
