import { type Box, bounds, COMFORTABLE, SIZE } from '../canvas/geometry.ts'
import { type CutOptions, pageAt, pageCuts, type Span } from './page-cuts.ts'

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

/** Around a block, in flow pixels: half a port hangs out of it. */
const EDGE = 10
/** From side to side a page is filled, and what is told beside the last column has its room. */
const ASIDE: CutOptions = { filled: 0.82, late: true }
/** What is larger is a frame. */
const LARGE = { width: 700, height: 400 }

/** Where no page can end between blocks, so much is shown on the next one too, in flow pixels: every block is whole on one of them. */
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
  const columns = cutsOf(
    blocks,
    ({ x, width: wide }) => ({ from: x, to: x + wide }),
    room.width / PLAIN,
    SHARED.x,
    ASIDE,
  )
  const rows = cutsOf(blocks, ({ y, height: high }) => ({ from: y, to: y + high }), room.height / PLAIN, SHARED.y)
  const homeOf = ({ x, y, width: wide, height: high }: Box) => ({
    column: pageAt(columns, { from: x, to: x + wide }),
    row: pageAt(rows, { from: y, to: y + high }),
  })
  const homes = new Map<string, { column: number; row: number }>()
  const key = (column: number, row: number) => `${row} ${column}`
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
    part: partOf(columns[column], rows[row]),
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

const NOWHERE: Span = { from: 0, to: 0 }

const partOf = (across: Span = NOWHERE, down: Span = NOWHERE): Box => ({
  x: across.from,
  y: down.from,
  width: across.to - across.from,
  height: down.to - down.from,
})

/** A block is kept whole. Of a frame only the edges are, for a page may have to end within it. */
const cutsOf = (
  boxes: readonly Box[],
  spanOf: (box: Box) => Span,
  room: number,
  shared: number,
  options: CutOptions = {},
): readonly Span[] => {
  const around = (from: number, to: number): Span => ({ from: from - EDGE, to: to + EDGE })
  const spans = boxes.flatMap(box => {
    const { from, to } = spanOf(box)
    const isFrame = box.width > LARGE.width || box.height > LARGE.height
    return isFrame ? [around(from, from), around(to, to)] : [around(from, to)]
  })
  return pageCuts(spans, room, shared, options)
}
