import { type Box, type Point, SIZE } from './geometry.ts'

/** A line shown while an edge or the middle of what is dragged stands level with another block's. */
export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly from: number
  readonly to: number
}
export interface Snapped {
  readonly x: number
  readonly y: number
  readonly guides: readonly Guide[]
}

const PULL = 6

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid

interface Match {
  readonly shift: number
  readonly at: number
  readonly other: Box
}

const stops = (start: number, length: number) => [start, start + length / 2, start + length]

const closest = (box: Box, others: readonly Box[], axis: 'x' | 'y'): Match | undefined => {
  let best: Match | undefined
  const size = axis === 'x' ? 'width' : 'height'
  const own = stops(box[axis], box[size])
  for (const other of others) {
    for (const [index, at] of stops(other[axis], other[size]).entries()) {
      const shift = at - (own[index] ?? at)
      if (Math.abs(shift) <= PULL && (best === undefined || Math.abs(shift) < Math.abs(best.shift))) {
        best = { shift, at, other }
      }
    }
  }
  return best
}

const guide = (axis: 'x' | 'y', match: Match, box: Box): Guide => {
  const cross = axis === 'x' ? 'y' : 'x'
  const length = axis === 'x' ? 'height' : 'width'
  const from = Math.min(box[cross], match.other[cross])
  const to = Math.max(box[cross] + box[length], match.other[cross] + match.other[length])
  return { axis, at: match.at, from, to }
}

/** Where a dragged block comes to rest, in whole pixels: level with a neighbour when it is near one, else on the grid; `free` neither. */
export const snap = (box: Box, others: readonly Box[], free: boolean): Snapped => {
  if (free) return { x: Math.round(box.x), y: Math.round(box.y), guides: [] }
  const across = closest(box, others, 'x')
  const down = closest(box, others, 'y')
  const at: Point = {
    x: across === undefined ? onGrid(box.x) : Math.round(box.x + across.shift),
    y: down === undefined ? onGrid(box.y) : Math.round(box.y + down.shift),
  }
  const placed = { ...box, ...at }
  return {
    ...at,
    guides: [
      ...(across === undefined ? [] : [guide('x', across, placed)]),
      ...(down === undefined ? [] : [guide('y', down, placed)]),
    ],
  }
}

/** The nearest free grid place to a wish, going down in steps, so that a new block covers nothing. */
export const freePlace = (wish: Point, width: number, taken: readonly Box[]): Point => {
  let at = { x: onGrid(wish.x), y: onGrid(wish.y) }
  const covers = (box: Box) =>
    at.x < box.x + box.width && box.x < at.x + width && at.y < box.y + box.height && box.y < at.y + SIZE.height
  for (let step = 0; step < 200 && taken.some(covers); step += 1) at = { x: at.x, y: at.y + SIZE.grid }
  return at
}
