import { type Box, COMFORTABLE, overlaps, type Point, SIZE } from './geometry.ts'

interface Placed extends Box {
  readonly id: string
}

/** Room between two blocks of a column, and between two columns. */
const GAP = { down: 28, across: 40 } as const

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid

/** Blocks whose left edges are closer than half a block stand in one column. */
const columnsOf = (blocks: readonly Placed[]): Placed[][] => {
  const columns: Placed[][] = []
  for (const block of [...blocks].sort((a, b) => a.x - b.x)) {
    const column = columns.at(-1)
    const first = column?.[0]
    if (column !== undefined && first !== undefined && block.x - first.x < COMFORTABLE.width / 2) column.push(block)
    else columns.push([block])
  }
  return columns
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** New places that keep the columns and the order within them, with nothing on top of anything; only what moves. */
export const tidyPlaces = (blocks: readonly Placed[]): ReadonlyMap<string, Point> => {
  const places = new Map<string, Point>()
  let least = Number.NEGATIVE_INFINITY
  for (const column of columnsOf(blocks)) {
    const x = Math.max(onGrid(median(column.map(block => block.x))), least)
    least = onGrid(x + Math.max(...column.map(block => block.width)) + GAP.across)
    let below = Number.NEGATIVE_INFINITY
    for (const block of column.sort((a, b) => a.y - b.y)) {
      const y = Math.max(onGrid(block.y), below)
      below = onGrid(y + block.height + GAP.down)
      if (x !== block.x || y !== block.y) places.set(block.id, { x, y })
    }
  }
  return places
}

/** How many blocks lie on another one: what tidying is offered for. */
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
