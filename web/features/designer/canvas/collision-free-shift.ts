import { type Box, bounds, contains, overlaps, type Point, SIZE } from '../model/geometry.ts'

/** An element to place: frames go under blocks, other elements among them. */
export interface Placed {
  readonly box: Box
  readonly isFrame: boolean
}

/** About a block's width: a block spans few cells, a cell has few blocks. Flow pixels. */
const CELL = 240
/** Boxes that are tried before what is put down goes below everything: some 20 ms. */
const MAX_ATTEMPTS = 60_000

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid
const at = ({ width, height, x, y }: Box, by: Point): Box => ({ x: x + by.x, y: y + by.y, width, height })
const withRoom = ({ x, y, width, height }: Box): Box => ({
  x: x - SIZE.grid,
  y: y - SIZE.grid,
  width: width + 2 * SIZE.grid,
  height: height + 2 * SIZE.grid,
})

function* cellsOf({ x, y, width, height }: Box): Generator<string> {
  for (let column = Math.floor(x / CELL); column * CELL < x + width; column += 1) {
    for (let row = Math.floor(y / CELL); row * CELL < y + height; row += 1) yield `${column} ${row}`
  }
}

/** Whether something free of all these can be put somewhere, asked often. */
const coveredBy = (taken: readonly Placed[]): ((placed: Placed) => boolean) => {
  const blocks = new Map<string, Box[]>()
  for (const { box, isFrame } of taken) {
    if (isFrame) continue
    for (const cell of cellsOf(box)) {
      const held = blocks.get(cell)
      if (held === undefined) blocks.set(cell, [box])
      else held.push(box)
    }
  }
  const frames = taken.flatMap(({ box, isFrame }) => (isFrame ? [box] : []))
  return ({ box, isFrame }) => {
    // A frame fits inside a larger one; blocks fit in frames anyway.
    if (isFrame && frames.some(frame => overlaps(frame, box) && !contains(frame, box))) return true
    const wide = withRoom(box)
    for (const cell of cellsOf(wide)) if (blocks.get(cell)?.some(other => overlaps(other, wide))) return true
    return false
  }
}

/** Shifts around a wished one, the nearest first. */
function* around(wish: Point): Generator<Point> {
  yield wish
  for (let ring = 1; ; ring += 1) {
    const far = ring * SIZE.grid
    // Below and right first: flows continue there.
    for (let step = 0; step <= ring; step += 1) {
      const along = step * SIZE.grid
      for (const [x, y] of [
        [along, far],
        [-along, far],
        [far, along],
        [far, -along],
        [-far, along],
        [-far, -along],
        [along, -far],
        [-along, -far],
      ] as const)
        yield { x: wish.x + x, y: wish.y + y }
    }
  }
}

/**
 * Shift of a placed group to a free place: the nearest to `wish`, on the grid. Without space nearby, it goes below
 * everything. `isMeant` filters shifts.
 */
export const collisionFreeShift = (
  wish: Point,
  group: readonly Placed[],
  taken: readonly Placed[],
  isMeant: (by: Point) => boolean = () => true,
): Point => {
  const covered = coveredBy(taken)
  let tried = 0
  const isFree = (by: Point) =>
    group.every(({ box, isFrame }) => {
      tried += 1
      return !covered({ box: at(box, by), isFrame })
    })
  for (const by of around({ x: onGrid(wish.x), y: onGrid(wish.y) })) {
    if (isMeant(by) && isFree(by)) return by
    if (tried > MAX_ATTEMPTS) break
  }
  const all = bounds(taken.map(({ box }) => box))
  const own = bounds(group.map(({ box }) => box))
  if (all === undefined || own === undefined) return wish
  const below = all.y + all.height + 2 * SIZE.grid - own.y
  return { x: onGrid(wish.x), y: Math.ceil(below / SIZE.grid) * SIZE.grid }
}
