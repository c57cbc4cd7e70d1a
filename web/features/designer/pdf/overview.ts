import type { PDFPage } from '@cantoo/pdf-lib'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import type { PlannedLink } from '../canvas/link-plan.ts'
import { isMarker, shownTitle } from '../model/block-appearance.ts'
import { type Box, linkShape, overlaps, type Size } from '../model/geometry.ts'
import type { Translate } from '../model/label.ts'
import { MARGIN, type PagePlan } from './page-plan.ts'
import { boxOf, type Faces, LINE, light, linesOf, PAPER, PdfPainter, QUIET, rounded, tintOf } from './pdf-painter.ts'
import { drawSections, GAP, placeSectionList, type Section } from './section-list.ts'

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
