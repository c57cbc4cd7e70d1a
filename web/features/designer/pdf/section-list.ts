import type { PDFPage } from '@cantoo/pdf-lib'
import type { Box, Point, Size } from '../model/geometry.ts'
import { type Faces, INK, linesOf, QUIET } from './pdf-painter.ts'

export interface Section {
  readonly title: string
  /** The page on which its marker is whole. */
  readonly page: number
  readonly box: Box
}

/** In points. */
const LINE = 13
const SIZE = 8.5
const HEADING = 20
const COLUMN = 180
/** Between the map and the list, and between columns of the list. */
export const GAP = 18

interface SectionList {
  /** In the order of the pages; within one as they are read. */
  readonly sections: readonly Section[]
  /** Sections in one column. */
  readonly rows: number
  readonly columns: number
  /** Under the map, not at its right. */
  readonly isBelow: boolean
  /** Points to a flow pixel of the map that has room beside it. */
  readonly scale: number
}

const inOrder = (one: Section, other: Section): number =>
  one.page - other.page || one.box.y - other.box.y || one.box.x - other.box.x

/** A list of the sections at the right of the flow's map or under it, where it leaves the map larger. */
export const placeSectionList = (given: readonly Section[], room: Size, all: Box): SectionList => {
  const sections = given.toSorted(inOrder)
  const count = sections.length
  const most = Math.max(1, Math.floor((room.width + GAP) / (COLUMN + GAP)))
  const long = Math.max(1, Math.floor((room.height - HEADING) / LINE))
  const aside = Math.min(Math.ceil(count / long), Math.max(1, Math.floor(most / 2)))
  const right = { columns: aside, rows: long, width: room.width - aside * (COLUMN + GAP), height: room.height }
  const rows = Math.min(Math.ceil(count / most), Math.floor(long / 2))
  const below = { columns: most, rows, width: room.width, height: room.height - HEADING - rows * LINE - GAP }
  const scaleOf = ({ width, height }: Size) => Math.min(width / all.width, height / all.height)
  const isBelow = count > 0 && scaleOf(below) > scaleOf(right)
  const { columns, rows: each } = isBelow ? below : right
  return { sections, columns, rows: each, isBelow, scale: scaleOf(count === 0 ? room : isBelow ? below : right) }
}

/**
 * Lists each section with its page under a heading, from a position in points from below; counts sections that do not
 * fit.
 */
export const drawSections = (
  page: PDFPage,
  { sections, rows, columns }: SectionList,
  at: Point,
  heading: string,
  { bold, plain }: Faces,
): void => {
  if (sections.length === 0) return
  page.drawText(heading, { x: at.x, y: at.y - 10, size: 10, font: bold.font, color: INK })
  const fits = rows * columns
  const shown = sections.length > fits ? sections.slice(0, fits - 1) : sections
  const lines = shown.map(({ title, page: number }) => ({ title, number: String(number) }))
  const left = sections.length - shown.length
  if (left > 0) lines.push({ title: `… +${left}`, number: '' })
  for (const [index, { title, number }] of lines.entries()) {
    const x = at.x + Math.floor(index / rows) * (COLUMN + GAP)
    const y = at.y - HEADING - 8 - (index % rows) * LINE
    const wide = plain.font.widthOfTextAtSize(number, SIZE)
    const [words = ''] = linesOf(title, plain, SIZE, COLUMN - wide - 12, 1)
    page.drawText(words, { x, y, size: SIZE, font: plain.font, color: INK })
    page.drawText(number, { x: x + COLUMN - wide, y, size: SIZE, font: bold.font, color: QUIET })
    const from = x + plain.font.widthOfTextAtSize(words, SIZE) + 4
    page.drawLine({
      start: { x: from, y: y + 1 },
      end: { x: x + COLUMN - wide - 4, y: y + 1 },
      thickness: 0.5,
      color: QUIET,
      dashArray: [0.5, 2.5],
    })
  }
}
