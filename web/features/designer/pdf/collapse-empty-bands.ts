import type { Box } from '../model/geometry.ts'
import { pageAt, type Span } from './page-cuts.ts'
import { columnsOf } from './page-plan.ts'

/** So much of an empty band that goes through all of a flow is left, in flow pixels: beside a block stands where its ways lead. */
const LEFT = { across: 200, down: 80 }

/** Shift of each position along one side, for the empty bands before it. */
const shiftOf = (spans: readonly Span[], most: number): ((from: number) => number) => {
  const sorted = [...spans].sort((one, other) => one.from - other.from)
  const shifts: { readonly from: number; readonly by: number }[] = []
  let to = sorted[0]?.to ?? 0
  let by = 0
  for (const span of sorted) {
    by += Math.max(0, span.from - to - most)
    to = Math.max(to, span.to)
    shifts.push({ from: span.from, by })
  }
  return from => shifts.findLast(shift => shift.from <= from)?.by ?? 0
}

const across = ({ x, width }: Box): Span => ({ from: x, to: x + width })
const down = ({ y, height }: Box): Span => ({ from: y, to: y + height })

/**
 * Boxes without empty bands of paper, in their order: first the vertical bands, then the horizontal ones of each page
 * column separately. Within a column, boxes stay beside or below each other.
 */
export const collapseEmptyBands = (boxes: readonly Box[]): readonly Box[] => {
  const aside = shiftOf(boxes.map(across), LEFT.across)
  const near = boxes.map(box => ({ ...box, x: box.x - aside(box.x) }))
  const columns = columnsOf(near)
  const columnOf = (box: Box) => (columns === undefined ? 0 : pageAt(columns, across(box)))
  const held = Map.groupBy(near, columnOf)
  const ups = new Map([...held].map(([column, those]) => [column, shiftOf(those.map(down), LEFT.down)]))
  return near.map(box => ({ ...box, y: box.y - (ups.get(columnOf(box))?.(box.y) ?? 0) }))
}
