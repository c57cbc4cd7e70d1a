import { type Box, bounds, COMFORTABLE, SIZE } from '../canvas/geometry.ts'

/** One page of a printed flow. */
export interface PlannedPage {
  /** The part of the flow that it shows, in flow pixels. */
  readonly part: Box
  /** Numbers of the pages that go on at its edges, from 1. */
  readonly left?: number
  readonly right?: number
  readonly up?: number
  readonly down?: number
}

export interface PagePlan {
  /** Of every page, in points (1/72 inch). */
  readonly width: number
  readonly height: number
  /** Points to a flow pixel. */
  readonly scale: number
  readonly pages: readonly PlannedPage[]
  /** The page, from 1, on which a block is whole. */
  readonly pageOf: (block: Box) => number
}

/** ISO 216 A4 in points. */
const A4 = { short: 595.28, long: 841.89 }
/** Around what is drawn, in points; the heading is within the upper one. */
export const MARGIN = { side: 28, top: 62, bottom: 36 } as const

/** Titles of blocks are at least 6 points high. */
const SMALLEST = 0.48
const PLAIN = 0.5
const LARGEST = 0.75

/** So much of a page is shown on the next one too, in flow pixels: every block is whole on one of them. */
const SHARED = { x: COMFORTABLE.width + SIZE.grid, y: COMFORTABLE.height + SIZE.grid }

const inner = (width: number, height: number) => ({
  width: width - 2 * MARGIN.side,
  height: height - MARGIN.top - MARGIN.bottom,
})

const onePage = (all: Box): PagePlan | undefined => {
  const shapes = [
    { width: A4.long, height: A4.short },
    { width: A4.short, height: A4.long },
  ]
  const fits = shapes.map(shape => {
    const room = inner(shape.width, shape.height)
    const scale = Math.min(LARGEST, room.width / all.width, room.height / all.height)
    return {
      ...shape,
      scale,
      pages: [{ part: { ...all, width: room.width / scale, height: room.height / scale } }],
      pageOf: () => 1,
    }
  })
  const [best] = fits.sort((a, b) => b.scale - a.scale)
  return best !== undefined && best.scale >= SMALLEST ? best : undefined
}

/** The pages of a flow: one where it can still be read, else as many as it takes, without those that would be empty. */
export const planPages = (blocks: readonly Box[]): PagePlan => {
  const all = bounds(blocks) ?? { x: 0, y: 0, width: COMFORTABLE.width, height: COMFORTABLE.height }
  const single = onePage(all)
  if (single !== undefined) return single
  const { long: width, short: height } = A4
  const room = inner(width, height)
  const part = { width: room.width / PLAIN, height: room.height / PLAIN }
  const step = { x: part.width - SHARED.x, y: part.height - SHARED.y }
  const homes = new Map<string, { column: number; row: number }>()
  const key = (column: number, row: number) => `${row} ${column}`
  const homeOf = ({ x, y }: Box) => ({
    column: Math.floor((x - all.x) / step.x),
    row: Math.floor((y - all.y) / step.y),
  })
  for (const box of blocks) {
    const home = homeOf(box)
    homes.set(key(home.column, home.row), home)
  }
  const places = [...homes.values()].sort((a, b) => a.row - b.row || a.column - b.column)
  const numbers = new Map(places.map(({ column, row }, index) => [key(column, row), index + 1]))
  const beside = (name: string, column: number, row: number) => {
    const page = numbers.get(key(column, row))
    return page === undefined ? {} : { [name]: page }
  }
  const pages = places.map(({ column, row }) => ({
    part: { x: all.x + column * step.x, y: all.y + row * step.y, ...part },
    ...beside('left', column - 1, row),
    ...beside('right', column + 1, row),
    ...beside('up', column, row - 1),
    ...beside('down', column, row + 1),
  }))
  const pageOf = (box: Box) => {
    const { column, row } = homeOf(box)
    return numbers.get(key(column, row)) ?? 1
  }
  return { width, height, scale: PLAIN, pages, pageOf }
}
