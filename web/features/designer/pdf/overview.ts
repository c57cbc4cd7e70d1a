import type { PDFPage } from '@cantoo/pdf-lib'
import type { FlowModel, NodeModel } from '#domain/flow/model.ts'
import { linkShape } from '../canvas/geometry.ts'
import type { PlannedLink } from '../canvas/link-plan.ts'
import { isMarker } from '../model/look.ts'
import { MARGIN, type PagePlan } from './page-plan.ts'
import { LINE, PAPER, Pen, QUIET, rounded } from './pen.ts'
import { boxOf, type Faces, light, tintOf } from './print-look.ts'

/** Of a page's number, in points. */
const NUMBER = 9

interface Overview {
  readonly flow: FlowModel
  readonly nodes: readonly NodeModel[]
  readonly shapes: readonly NodeModel[]
  readonly links: readonly PlannedLink[]
}

/** The whole flow on one page, without words: which page shows which part of it. */
export const drawOverview = (
  page: PDFPage,
  { width, height, all, pages }: PagePlan,
  { flow, nodes, shapes, links }: Overview,
  faces: Faces,
): void => {
  const room = { width: width - 2 * MARGIN.side, height: height - MARGIN.top - MARGIN.bottom }
  const scale = Math.min(room.width / all.width, room.height / all.height)
  const pen = new Pen(page, { number: 1, part: all }, scale)
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
    pen.path(rounded(boxOf(node), 10), { fill: isMarker(node) ? fg : muted, stroke: fg, width: 0.3 * point })
  }
  for (const { number, part } of pages) {
    const words = String(number)
    const wide = faces.bold.font.widthOfTextAtSize(words, NUMBER) * point
    const pill = { x: part.x, y: part.y, width: wide + 8 * point, height: 13 * point }
    pen.path(rounded(pill, 0), { fill: PAPER, stroke: LINE, width: 0.8 * point })
    pen.text(words, part.x + 4 * point, part.y + 9.8 * point, faces.bold, NUMBER * point)
  }
}
