import type { PDFPage } from '@cantoo/pdf-lib'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import type { PlannedLink } from '../canvas/link-plan.ts'
import { isMarker, shownTitle } from '../model/block-appearance.ts'
import { type Box, linkShape, overlaps, type Point, type Size } from '../model/geometry.ts'
import type { Translate } from '../model/label.ts'
import { MARGIN, type PagePlan } from './page-plan.ts'
import {
  boxOf,
  type Faces,
  INK,
  LINE,
  light,
  linesOf,
  PAPER,
  PdfPainter,
  QUIET,
  rounded,
  tintOf,
} from './pdf-painter.ts'

interface Section {
  readonly title: string
  /** The page on which its marker is whole. */
  readonly page: number
  readonly box: Box
}

/** In points. */
const SECTION_LINE = 13
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
  const long = Math.max(1, Math.floor((room.height - HEADING) / SECTION_LINE))
  const aside = Math.min(Math.ceil(count / long), Math.max(1, Math.floor(most / 2)))
  const right = { columns: aside, rows: long, width: room.width - aside * (COLUMN + GAP), height: room.height }
  const rows = Math.min(Math.ceil(count / most), Math.floor(long / 2))
  const below = { columns: most, rows, width: room.width, height: room.height - HEADING - rows * SECTION_LINE - GAP }
  const scaleOf = ({ width, height }: Size) => Math.min(width / all.width, height / all.height)
  const isBelow = count > 0 && scaleOf(below) > scaleOf(right)
  const { columns, rows: each } = isBelow ? below : right
  return { sections, columns, rows: each, isBelow, scale: scaleOf(count === 0 ? room : isBelow ? below : right) }
}

/**
 * Lists each section with its page under a heading, from a position in points from below; counts sections that do not
 * fit.
 */
const drawSections = (
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
    const y = at.y - HEADING - 8 - (index % rows) * SECTION_LINE
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

/** Of a page's number, in points. */
const NUMBER = 9
/** A section's name in its marker, in points: as large as two lines of it have room, and not smaller than can be read. */
const NAME = { largest: 8, smallest: 5.5, line: 1.14 }

interface Overview {
  readonly flow: FlowModel
  readonly nodes: readonly NodeModel[]
  readonly shapes: readonly NodeModel[]
  readonly links: readonly PlannedLink[]
  /** Heading of the section list. */
  readonly sections: string
}

/** Along the upper edge of a page, else the lower one, the first place where no block is; else its corner. */
const freeIn = (part: Box, size: Size, blocks: readonly Box[]): Box => {
  const near = blocks.filter(block => overlaps(block, part))
  const steps = Math.floor((part.width - size.width) / size.width)
  const [corner = { ...part, ...size }, ...others] = [part.y, part.y + part.height - size.height].flatMap(y =>
    Array.from({ length: Math.max(0, steps) + 1 }, (_, step) => ({ ...size, x: part.x + step * size.width, y })),
  )
  return [corner, ...others].find(place => !near.some(block => overlaps(block, place))) ?? corner
}

const drawName = (pen: PdfPainter, node: NodeModel, point: number, faces: Faces, t: Translate): void => {
  const { x, y, width, height } = boxOf(node)
  const most = height / point > 2 * NAME.line * NAME.smallest ? 2 : 1
  const size = Math.min(NAME.largest * point, (height * 0.9) / (most * NAME.line))
  if (size < NAME.smallest * point) return
  const lines = linesOf(shownTitle(node, t).text, faces.bold, size, width - 6 * point, most)
  const first = y + height / 2 - ((lines.length - 1) * NAME.line * size) / 2 + size * 0.35
  for (const [index, line] of lines.entries())
    pen.text(line, x + 3 * point, first + index * NAME.line * size, faces.bold, size, PAPER)
}

/** The whole flow on one page: which page shows which part of it, and where each section is. */
export const drawOverview = (
  page: PDFPage,
  { width, height, all, pages, pageOf }: PagePlan,
  { flow, nodes, shapes, links, sections: heading }: Overview,
  faces: Faces,
  t: Translate,
): void => {
  const room = { width: width - 2 * MARGIN.side, height: height - MARGIN.top - MARGIN.bottom }
  const sections = nodes
    .filter(isMarker)
    .map((node): Section => ({ title: shownTitle(node, t).text, page: pageOf(boxOf(node)), box: boxOf(node) }))
  const list = placeSectionList(sections, room, all)
  const scale = list.scale
  const pen = new PdfPainter(page, { number: 1, part: all }, scale)
  /** Points, as flow pixels of this page. */
  const point = 1 / scale
  for (const { part } of pages) pen.path(rounded(part, 0), { fill: PAPER, stroke: LINE, width: 0.8 * point })
  for (const node of shapes) {
    const { subtle, border } = tintOf(node)
    pen.path(rounded(boxOf(node), 12), { fill: subtle, stroke: border, width: 0.4 * point })
  }
  for (const { link, offset, height: down } of links) {
    const [from, to] = [flow.nodes.get(link.from), flow.nodes.get(link.to)]
    if (from === undefined || to === undefined) continue
    const { path } = linkShape({ x: from.x + offset, y: from.y + down }, boxOf(to))
    pen.path(path, { stroke: QUIET, width: 0.4 * point })
  }
  for (const node of nodes) {
    const { muted, fg } = light(node.type)
    const marker = isMarker(node)
    pen.path(rounded(boxOf(node), 10), { fill: marker ? fg : muted, stroke: fg, width: 0.3 * point })
    if (marker) drawName(pen, node, point, faces, t)
  }
  for (const { number, part } of pages) {
    const words = String(number)
    const wide = faces.bold.font.widthOfTextAtSize(words, NUMBER) * point
    const pill = freeIn(part, { width: wide + 8 * point, height: 13 * point }, nodes.map(boxOf))
    pen.path(rounded(pill, 0), { fill: PAPER, stroke: LINE, width: 0.8 * point })
    pen.text(words, pill.x + 4 * point, pill.y + 9.8 * point, faces.bold, NUMBER * point)
  }
  const at = list.isBelow
    ? { x: MARGIN.side, y: height - MARGIN.top - all.height * scale - GAP }
    : { x: MARGIN.side + all.width * scale + GAP, y: height - MARGIN.top }
  drawSections(page, list, at, heading, faces)
}
