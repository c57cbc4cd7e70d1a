/** From where to where something reaches, along one side of the paper, in flow pixels. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface CutOptions {
  /** The share of a page that is used where that can be. */
  readonly filled?: number
  /** Rooms are cut at their end, not in their middle. */
  readonly late?: boolean
}

/** A page ends no sooner than when this share of it is used. */
const USED = 0.55

/**
 * The widest gap between spans from `least` to `most`, the last of equal ones: related blocks are close together.
 * Undefined if none. `sorted` by start.
 */
const widestRoom = (sorted: readonly Span[], least: number, most: number): Span | undefined => {
  let widest: Span | undefined
  let from = least
  for (const span of [...sorted, { from: most, to: most }]) {
    const to = Math.min(span.from, most)
    if (to > from && (widest === undefined || to - from >= widest.to - widest.from)) widest = { from, to }
    from = Math.max(from, span.to)
    if (from >= most) break
  }
  return widest
}

/**
 * Pages along one side of the paper, each at most `room` long: they end between spans if possible, else the next page
 * repeats the last `shared` pixels. Empty areas get no page.
 */
export const pageCuts = (
  spans: readonly Span[],
  room: number,
  shared: number,
  { filled = USED, late = false }: CutOptions = {},
): readonly Span[] => {
  const sorted = [...spans].sort((one, other) => one.from - other.from)
  const last = sorted.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY)
  const pages: Span[] = []
  let from = sorted[0]?.from ?? 0
  while (from < last) {
    if (from + room >= last) {
      pages.push({ from, to: last })
      break
    }
    const near = sorted.filter(span => span.from < from + room && span.to > from)
    const least = [filled, USED].map(share => from + room * share)
    const found = least.map(start => widestRoom(near, start, from + room)).find(one => one !== undefined)
    const cut = found && (late ? found.to : (found.from + found.to) / 2)
    const to = cut ?? from + room
    pages.push({ from, to })
    const start = cut ?? to - shared
    const next = sorted.find(span => span.to > start)?.from ?? start
    from = next > start + shared ? next : start
  }
  return pages
}

/** The number of the page, from 0, that shows a span whole, or begins nearest before it. */
export const pageAt = (pages: readonly Span[], { from, to }: Span): number => {
  let low = 0
  let high = pages.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pages[middle]?.from ?? 0) <= from) low = middle
    else high = middle - 1
  }
  const before = pages[low - 1]
  return before !== undefined && before.to >= to ? low - 1 : low
}
