export interface Point {
  readonly x: number
  readonly y: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
export interface Box extends Point, Size {}

/** Block size, independent of content. Flow pixels. */
export interface BlockSize extends Size {
  /** Outputs that fit the plain width; each one beyond it widens the block. */
  readonly ports: number
  readonly portPitch: number
}

/**
 * Block positions are shared, display size is per person: flow data and prints use this size regardless of
 * the screen, and a layout made in the other size never overlaps in this one.
 */
export const COMFORTABLE: BlockSize = { width: 240, height: 72, ports: 8, portPitch: 28 }
/** Width from the specification; one line for the title, one for the text. */
export const COMPACT: BlockSize = { width: 140, height: 48, ports: 5, portPitch: 24 }

/** Distances on the canvas in flow pixels. */
export const SIZE = {
  grid: 20,
  /** Links at least this long in flow pixels may be drawn as a jump tag. */
  jump: 900,
  /** Below this a link is a straight line without arrow head. */
  straight: 30,
  /** Below this a link carries no label. */
  label: 110,
} as const

export const blockWidth = (outputs: number, { width, ports, portPitch }: BlockSize): number =>
  width + Math.max(0, outputs - ports) * portPitch

/** The middle of an output's port, as a part of the block's width. */
export const portShare = (index: number, outputs: number): number => (index + 0.5) / Math.max(1, outputs)

/** The middle of an output's port, from the block's left edge. */
export const portOffset = (index: number, outputs: number, size: BlockSize): number =>
  portShare(index, outputs) * blockWidth(outputs, size)

type Side = 'top' | 'left' | 'right'

export interface LinkShape {
  readonly path: string
  readonly side: Side
  readonly end: Point
  readonly middle: Point
  /** Distance between its ends. */
  readonly length: number
  readonly arrow: boolean
}

/** The side of the target that faces where the link comes from. */
export const facingSide = (from: Point, target: Box): Side => {
  if (from.y <= target.y) return 'top'
  return from.x < target.x + target.width / 2 ? 'left' : 'right'
}

const endAt = (target: Box, side: Side): Point => {
  if (side === 'top') return { x: target.x + target.width / 2, y: target.y }
  const x = side === 'left' ? target.x : target.x + target.width
  return { x, y: target.y + target.height / 2 }
}

const reach = (distance: number) => Math.min(160, Math.max(36, distance * 0.42))

const round = (value: number) => Math.round(value * 10) / 10
const pair = (point: Point) => `${round(point.x)},${round(point.y)}`

const controls = (from: Point, end: Point, side: Side): readonly [Point, Point] => {
  const down = reach(Math.abs(end.y - from.y) + Math.abs(end.x - from.x) * 0.12)
  const first = { x: from.x, y: from.y + (side === 'top' ? Math.min(down, Math.max(18, (end.y - from.y) * 0.7)) : 60) }
  if (side === 'top') return [first, { x: end.x, y: end.y - Math.min(down, Math.max(18, (end.y - from.y) * 0.7)) }]
  const aside = reach(Math.abs(end.x - from.x))
  return [first, { x: end.x + (side === 'left' ? -aside : aside), y: end.y }]
}

const middleOf = (from: Point, a: Point, b: Point, end: Point): Point => ({
  x: (from.x + 3 * a.x + 3 * b.x + end.x) / 8,
  y: (from.y + 3 * a.y + 3 * b.y + end.y) / 8,
})

/** Offsets of a link's turn below its port and beside its target, and its corners. Flow pixels. */
const DROP = 24
const BESIDE = 36
const CORNER = 12
/** Blocks of one row stand 20 px apart: a link between them turns up within that gap. */
const GAP = 12

const goesUp = (from: Point, target: Box): boolean => target.y + target.height < from.y - target.height

/** Whether source and target are in one row: a curve would pass behind the source. */
const isBeside = (from: Point, target: Box): boolean => facingSide(from, target) !== 'top' && !goesUp(from, target)

/** Down from the port, below the row, and up beside the target. */
const besideRoute = (from: Point, end: Point, side: Side): readonly Point[] => {
  const x = end.x + (side === 'left' ? -GAP : GAP)
  const below = from.y + DROP
  return [from, { x: from.x, y: below }, { x, y: below }, { x, y: end.y }, end]
}

const besideMiddle = (from: Point, end: Point): Point => ({ x: (from.x + end.x) / 2, y: from.y + DROP })

/** A link from a port to the side of its target that faces it. */
export const linkShape = (from: Point, target: Box): LinkShape => {
  const side = facingSide(from, target)
  const end = endAt(target, side)
  const length = Math.hypot(end.x - from.x, end.y - from.y)
  if (length < SIZE.straight) {
    const middle = { x: (from.x + end.x) / 2, y: (from.y + end.y) / 2 }
    return { path: `M${pair(from)}L${pair(end)}`, side, end, middle, length, arrow: false }
  }
  if (isBeside(from, target)) {
    const path = rounded(besideRoute(from, end, side))
    return { path, side, end, middle: besideMiddle(from, end), length, arrow: true }
  }
  const [a, b] = controls(from, end, side)
  const path = `M${pair(from)}C${pair(a)} ${pair(b)} ${pair(end)}`
  return { path, side, end, middle: middleOf(from, a, b, end), length, arrow: true }
}

const STEPS = 24

/** Places along a link, from its port to its target. */
export const pointsAlong = (from: Point, target: Box): readonly Point[] => {
  const side = facingSide(from, target)
  const end = endAt(target, side)
  if (isBeside(from, target)) {
    const corners = besideRoute(from, end, side)
    return corners.flatMap((to, place) => {
      const before = corners[place - 1]
      if (before === undefined) return [to]
      return Array.from({ length: STEPS / 4 }, (_, step) => {
        const t = (step + 1) / (STEPS / 4)
        return { x: before.x + (to.x - before.x) * t, y: before.y + (to.y - before.y) * t }
      })
    })
  }
  const [a, b] = controls(from, end, side)
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const t = step / STEPS
    const u = 1 - t
    const on = (axis: 'x' | 'y') =>
      u ** 3 * from[axis] + 3 * u ** 2 * t * a[axis] + 3 * u * t ** 2 * b[axis] + t ** 3 * end[axis]
    return { x: on('x'), y: on('y') }
  })
}

/** A link being pulled ends at the pointer, not at a block. */
export const draggedLinkPath = (from: Point, to: Point): string => {
  const down = Math.min(90, Math.max(24, Math.abs(to.y - from.y) / 2))
  return `M${pair(from)}C${pair({ x: from.x, y: from.y + down })} ${pair({ x: to.x, y: to.y - down / 2 })} ${pair(to)}`
}

/** Whether a link is drawn as a tag under its port: it goes up, or further than the eye follows. */
export const isJump = (from: Point, target: Box): boolean => {
  const end = endAt(target, facingSide(from, target))
  return goesUp(from, target) || Math.hypot(end.x - from.x, end.y - from.y) > SIZE.jump
}

export const centerOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })

export const bounds = (boxes: Iterable<Box>): Box | undefined => {
  let left = Number.POSITIVE_INFINITY
  let top = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  let bottom = Number.NEGATIVE_INFINITY
  for (const box of boxes) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.width)
    bottom = Math.max(bottom, box.y + box.height)
  }
  return left > right ? undefined : { x: left, y: top, width: right - left, height: bottom - top }
}

export const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

export const contains = (room: Box, box: Box): boolean =>
  box.x >= room.x &&
  box.y >= room.y &&
  box.x + box.width <= room.x + room.width &&
  box.y + box.height <= room.y + room.height

/** Number of overlapping blocks, for the offer to tidy up. */
export const overlapping = (blocks: readonly Box[]): number => {
  const sorted = [...blocks].sort((a, b) => a.y - b.y)
  const covered = new Set<Box>()
  for (const [index, block] of sorted.entries()) {
    for (const other of sorted.slice(index + 1)) {
      if (other.y >= block.y + block.height) break
      if (!overlaps(block, other)) continue
      covered.add(block)
      covered.add(other)
    }
  }
  return covered.size
}

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

/** A link that goes up, round through the gutter between blocks instead of behind them. */
export const gutterShape = (from: Point, target: Box, around: Iterable<Box>): LinkShape => {
  const x = gutterAt(from, target, [...around])
  const side = x < target.x + target.width / 2 ? 'left' : 'right'
  const end = { x: side === 'left' ? target.x : target.x + target.width, y: target.y + target.height / 2 }
  const below = from.y + DROP
  const path = rounded([from, { x: from.x, y: below }, { x, y: below }, { x, y: end.y }, end])
  const length = Math.abs(x - from.x) + Math.abs(below - end.y) + Math.abs(end.x - x)
  return { path, side, end, middle: { x, y: (below + end.y) / 2 }, length, arrow: true }
}
