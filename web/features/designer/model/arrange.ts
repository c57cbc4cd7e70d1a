import { type Box, bounds, type Point, SIZE } from './geometry.ts'

/** In one line by an edge or the middle, or with equal room between: aside (x) or down (y). */
export const ARRANGEMENTS = ['left', 'center', 'right', 'top', 'middle', 'bottom', 'spreadAside', 'spreadDown'] as const
export type Arrangement = (typeof ARRANGEMENTS)[number]

interface Placed extends Box {
  readonly id: string
}

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid

/** The outer two stay; the others stand between them with the same room on both sides. */
const spread = (blocks: readonly Placed[], axis: 'x' | 'y'): ReadonlyMap<string, Point> => {
  const size = axis === 'x' ? 'width' : 'height'
  const sorted = [...blocks].sort((a, b) => a[axis] - b[axis])
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return new Map()
  const filled = sorted.reduce((sum, block) => sum + block[size], 0)
  const gap = (last[axis] + last[size] - first[axis] - filled) / Math.max(1, sorted.length - 1)
  let at = first[axis]
  const places = new Map<string, Point>()
  for (const block of sorted) {
    const place = block === first || block === last ? block[axis] : onGrid(at)
    places.set(block.id, { x: block.x, y: block.y, [axis]: place })
    at += block[size] + gap
  }
  return places
}

/** New places for aligning or distributing blocks; only of those that move. */
export const arrange = (blocks: readonly Placed[], how: Arrangement): ReadonlyMap<string, Point> => {
  const all = bounds(blocks)
  if (all === undefined) return new Map()
  const lined = (place: (block: Placed) => Partial<Point>) =>
    new Map(blocks.map(block => [block.id, { x: block.x, y: block.y, ...place(block) }]))
  const places = {
    left: () => lined(() => ({ x: all.x })),
    center: () => lined(({ width }) => ({ x: onGrid(all.x + (all.width - width) / 2) })),
    right: () => lined(({ width }) => ({ x: all.x + all.width - width })),
    top: () => lined(() => ({ y: all.y })),
    middle: () => lined(({ height }) => ({ y: onGrid(all.y + (all.height - height) / 2) })),
    bottom: () => lined(({ height }) => ({ y: all.y + all.height - height })),
    spreadAside: () => spread(blocks, 'x'),
    spreadDown: () => spread(blocks, 'y'),
  }[how]()
  const before = new Map(blocks.map(block => [block.id, block]))
  return new Map([...places].filter(([id, { x, y }]) => before.get(id)?.x !== x || before.get(id)?.y !== y))
}
