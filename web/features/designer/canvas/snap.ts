import { type Box, type Point, SIZE } from '../model/geometry.ts'

/** A line shown while an edge or the middle of what is dragged stands level with another block's. */
export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly from: number
  readonly to: number
}
interface Snapped {
  readonly x: number
  readonly y: number
  readonly guides: readonly Guide[]
}

const PULL = 6

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid

/** An edge or the middle of a block, on one axis. */
interface Stop {
  readonly at: number
  /** Which of the three: only like ones come to stand level. */
  readonly which: number
  readonly other: Box
}

/** The edges and middles of blocks at rest, sorted, so that each move looks at near ones alone. */
export interface SnapLines {
  readonly x: readonly Stop[]
  readonly y: readonly Stop[]
}

interface Match {
  readonly shift: number
  readonly at: number
  readonly other: Box
}

const SIZE_OF = { x: 'width', y: 'height' } as const

const stopsOf = (box: Box, axis: 'x' | 'y'): readonly number[] => {
  const length = box[SIZE_OF[axis]]
  return [box[axis], box[axis] + length / 2, box[axis] + length]
}

export const snapLinesOf = (others: readonly Box[]): SnapLines => {
  const along = (axis: 'x' | 'y') =>
    others.flatMap(other => stopsOf(other, axis).map((at, which) => ({ at, which, other }))).sort((a, b) => a.at - b.at)
  return { x: along('x'), y: along('y') }
}

const firstFrom = (stops: readonly Stop[], from: number): number => {
  let low = 0
  let high = stops.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stops[middle]?.at ?? from) < from) low = middle + 1
    else high = middle
  }
  return low
}

const closest = (box: Box, stops: readonly Stop[], axis: 'x' | 'y'): Match | undefined => {
  let best: Match | undefined
  for (const [which, own] of stopsOf(box, axis).entries()) {
    for (let index = firstFrom(stops, own - PULL); index < stops.length; index += 1) {
      const stop = stops[index]
      if (stop === undefined || stop.at > own + PULL) break
      const shift = stop.at - own
      if (stop.which === which && (best === undefined || Math.abs(shift) < Math.abs(best.shift))) {
        best = { shift, at: stop.at, other: stop.other }
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

/**
 * Drop position of a dragged block, in whole pixels: aligned with a near neighbour, else on the grid; with `free`,
 * neither.
 */
export const snap = (box: Box, others: SnapLines, free: boolean): Snapped => {
  if (free) return { x: Math.round(box.x), y: Math.round(box.y), guides: [] }
  const across = closest(box, others.x, 'x')
  const down = closest(box, others.y, 'y')
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
