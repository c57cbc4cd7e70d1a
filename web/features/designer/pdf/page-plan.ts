import { type Box, bounds, COMFORTABLE, overlaps, SIZE, type Size } from '../model/geometry.ts'
import { type CutOptions, pageAt, pageCuts, type Span } from './page-cuts.ts'

/** One page of a printed flow. */
export interface PlannedPage {
  /** From 1. */
  readonly number: number
  /** The part of the flow that it shows, in flow pixels. */
  readonly part: Box
  /** Numbers of the adjacent pages at its edges, from 1. */
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
  /** The whole flow, in flow pixels. */
  readonly all: Box
  /** Before several of them stands an overview, which is page 1 and none of these. */
  readonly pages: readonly PlannedPage[]
  /** The page, from 1, on which a block is whole. */
  readonly pageOf: (block: Box) => number
}

/** ISO 216 in points. */
const A4 = { short: 595.28, long: 841.89 }
const A3 = { short: 841.89, long: 1190.55 }
/** So many pages of A4 are one of A3 where that can be read, and more than that are fewer of A3. */
const MANY = 3
/** Of several pages the first is the overview. */
const FIRST = 2
/** Around what is drawn, in points; the heading is within the upper one. */
export const MARGIN = { side: 28, top: 62, bottom: 36 } as const

/** All words are about 6 points high at least. */
const SMALLEST = 0.48
const LARGEST = 0.75

/** Around a block, in flow pixels: half a port hangs out of it. */
const EDGE = 10
/** Horizontally a page is filled, with space for tags of the last column. */
const ASIDE: CutOptions = { filled: 0.82, late: true }
/** Width of tags beside a block: targets of links that are not drawn. */
const BESIDE = 150
/** Larger ones are frames. */
const LARGE = { width: 700, height: 400 }

/** Overlap of pages that cannot end between blocks, in flow pixels: every block is whole on one of them. */
const SHARED = { x: COMFORTABLE.width + SIZE.grid, y: COMFORTABLE.height + SIZE.grid }

const inner = (width: number, height: number) => ({
  width: width - 2 * MARGIN.side,
  height: height - MARGIN.top - MARGIN.bottom,
})

/** A paper lying, and upright. */
const turned = ({ long, short }: typeof A4): readonly Size[] => [
  { width: long, height: short },
  { width: short, height: long },
]

const onePage = (all: Box, paper: typeof A4): PagePlan | undefined => {
  const fits = turned(paper).map(shape => {
    const room = inner(shape.width, shape.height)
    const scale = Math.min(LARGEST, room.width / all.width, room.height / all.height)
    const part = { ...all, width: room.width / scale, height: room.height / scale }
    return { ...shape, scale, all, pages: [{ number: 1, part }], pageOf: () => 1 }
  })
  const [best] = fits.sort((a, b) => b.scale - a.scale)
  return best !== undefined && best.scale >= SMALLEST ? best : undefined
}

/** First cut direction of the flow into bands; each band is then cut the other way separately. */
type Side = 'across' | 'down'

const SIDES = {
  across: {
    spanOf: ({ x, width }: Box): Span => ({ from: x, to: x + width }),
    shared: SHARED.x,
    options: ASIDE,
    before: 'left',
    after: 'right',
  },
  down: {
    spanOf: ({ y, height }: Box): Span => ({ from: y, to: y + height }),
    shared: SHARED.y,
    options: {},
    before: 'up',
    after: 'down',
  },
} as const

const SIDE_NAMES = ['down', 'across'] as const

const inCommon = (one: Span, other: Span) => Math.min(one.to, other.to) - Math.max(one.from, other.from)

/** The flow from side to side as pages of the larger paper have it; undefined where a page would end within something. */
export const columnsOf = (blocks: readonly Box[]): readonly Span[] | undefined => {
  const { spanOf, shared, options } = SIDES.across
  const columns = cutsOf(blocks, spanOf, inner(A3.long, A3.short).width / SMALLEST, shared, options)
  const isApart = columns.every(({ to }, at) => to <= (columns[at + 1]?.from ?? to))
  const isWhole = blocks.every(box => columns.some(({ from, to }) => from <= box.x && box.x + box.width <= to))
  return isApart && isWhole ? columns : undefined
}

/** Pages of one size of paper, cut into bands along one side first, without those that are home to nothing. */
const inBands = (blocks: readonly Box[], all: Box, { width, height }: Size, first: Side): PagePlan => {
  const room = inner(width, height)
  const long = { across: room.width / SMALLEST, down: room.height / SMALLEST }
  const second = first === 'across' ? 'down' : 'across'
  const cut = (boxes: readonly Box[], side: Side) => {
    const { spanOf, shared, options } = SIDES[side]
    return cutsOf(boxes, spanOf, long[side], shared, options)
  }
  const bands = cut(blocks, first)
  const bandOf = (box: Box) => pageAt(bands, SIDES[first].spanOf(box))
  const held = Map.groupBy(blocks, bandOf)
  const cuts = bands.map((_, band) => cut(held.get(band) ?? [], second))
  const homeOf = (box: Box): Home => {
    const band = bandOf(box)
    return { band, at: pageAt(cuts[band] ?? [], SIDES[second].spanOf(box)) }
  }
  const homes = new Map(blocks.map(homeOf).map(home => [keyOf(home), home]))
  const places = [...homes.values()].sort((a, b) => a.band - b.band || a.at - b.at)
  const numbers = new Map(places.map((home, index) => [keyOf(home), index + FIRST]))
  const named = (name: string, home: Home | undefined) => {
    const number = home && numbers.get(keyOf(home))
    return number === undefined ? {} : { [name]: number }
  }
  /** Of a band beside it the page that has most of what is at the edge. */
  const facing = ({ band, at }: Home, step: 1 | -1): Home | undefined => {
    const own = cuts[band]?.[at] ?? NOWHERE
    const near = (cuts[band + step] ?? []).map((span, index) => ({ index, most: inCommon(own, span) }))
    const [best] = near
      .filter(({ index, most }) => most > 0 && homes.has(keyOf({ band: band + step, at: index })))
      .sort((a, b) => b.most - a.most)
    return best && { band: band + step, at: best.index }
  }
  const pages = places.map((home, index): PlannedPage => {
    const { band, at } = home
    const spans = { [first]: bands[band], [second]: cuts[band]?.[at] }
    return {
      number: index + FIRST,
      part: partOf(spans.across, spans.down),
      ...named(SIDES[second].before, { band, at: at - 1 }),
      ...named(SIDES[second].after, { band, at: at + 1 }),
      ...named(SIDES[first].before, facing(home, -1)),
      ...named(SIDES[first].after, facing(home, 1)),
    }
  })
  const pageOf = (box: Box) => numbers.get(keyOf(homeOf(box))) ?? FIRST
  // As large as the fullest page allows.
  const fits = pages.flatMap(({ part, right }) => [
    room.width / (part.width + (right === undefined ? BESIDE : 0)),
    room.height / part.height,
  ])
  const scale = Math.max(SMALLEST, Math.min(LARGEST, ...fits))
  return { width, height, scale, all, pages, pageOf }
}

interface Home {
  readonly band: number
  readonly at: number
}
const keyOf = ({ band, at }: Home) => `${band} ${at}`

/** Blocks that a page's end goes through weigh as much as a page more, so many of them. */
const SPLIT = 6

const costOf = ({ pages }: PagePlan, blocks: readonly Box[]): number => {
  const shown = pages.reduce((sum, { part }) => sum + blocks.filter(box => overlaps(box, part)).length, 0)
  return pages.length + (shown - blocks.length) / SPLIT
}

/** The pages of a flow: one where it can still be read, else as few as can be that end between blocks, on larger paper when A4 would be many. */
export const planPages = (blocks: readonly Box[]): PagePlan => {
  const all = bounds(blocks) ?? { x: 0, y: 0, width: COMFORTABLE.width, height: COMFORTABLE.height }
  const single = onePage(all, A4)
  if (single !== undefined) return single
  const fewest = (paper: typeof A4) =>
    turned(paper)
      .flatMap(shape => SIDE_NAMES.map(side => inBands(blocks, all, shape, side)))
      .reduce((best, plan) => (costOf(plan, blocks) < costOf(best, blocks) ? plan : best))
  const plan = fewest(A4)
  if (plan.pages.length < MANY) return plan
  return onePage(all, A3) ?? (plan.pages.length > MANY ? fewest(A3) : plan)
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
