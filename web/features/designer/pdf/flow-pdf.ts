import {
  clip,
  endPath,
  PDFDocument,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  StandardFonts,
} from '@cantoo/pdf-lib'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { type JumpTag, type PlannedLink, planLinks } from '../canvas/link-plan.ts'
import { categoryOf, isMarker, shapeOf, shownTitle } from '../model/block-appearance.ts'
import { paragraphs } from '../model/block-summary.ts'
import { type Box, bounds, COMFORTABLE, linkShape, overlaps, portOffset, SIZE } from '../model/geometry.ts'
import { isOtherwise, type Translate } from '../model/label.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { drawOverview } from './overview.ts'
import { pageAt, type Span } from './page-cuts.ts'
import { columnsOf, MARGIN, type PlannedPage, planPages } from './page-plan.ts'
import {
  boxOf,
  type Face,
  type Faces,
  faceOf,
  INK,
  LINE,
  light,
  linesOf,
  PAPER,
  PdfPainter,
  QUIET,
  rounded,
  tintOf,
  writable,
} from './pdf-painter.ts'

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

export interface PdfHeading {
  readonly title: string
  /** Size of the flow and creation time. Excludes notes and groups. */
  readonly beside: (blocks: number) => string
  readonly language: string
  readonly page: (number: number, of: number) => string
  /** At an edge, the page that continues the flow. */
  readonly goesOn: (page: number) => string
  /** In the place of a block that stands on another page. */
  readonly elsewhere: (page: number) => string
  /** Heading of the section list. */
  readonly sections: string
}

const drawLink = (pen: PdfPainter, flow: FlowModel, planned: PlannedLink, faces: Faces): void => {
  const from = flow.nodes.get(planned.link.from)
  const to = flow.nodes.get(planned.link.to)
  if (from === undefined || to === undefined) return
  const shape = linkShape({ x: from.x + planned.offset, y: from.y + planned.height }, boxOf(to))
  pen.path(shape.path, { stroke: QUIET, width: 1.5 })
  const turn = { top: [-4.5, -8, 4.5, -8], left: [-8, -4.5, -8, 4.5], right: [8, -4.5, 8, 4.5] }[shape.side]
  const [ax = 0, ay = 0, bx = 0, by = 0] = turn
  const { x, y } = shape.end
  if (shape.arrow) pen.path(`M${x + ax},${y + ay}L${x},${y}L${x + bx},${y + by}`, { stroke: QUIET, width: 1.5 })
  const label = writable(planned.label, faces.plain)
  if (label === '' || shape.length < SIZE.label) return
  const [words = ''] = linesOf(label, faces.plain, 12, 160, 1)
  const width = faces.plain.font.widthOfTextAtSize(words, 12) + 14
  const pill = { x: shape.middle.x - width / 2, y: shape.middle.y - 9, width, height: 18 }
  pen.path(rounded(pill, 9), { fill: PAPER, stroke: LINE, width: 1 })
  pen.text(words, pill.x + 7, shape.middle.y + 4, faces.plain, 12, QUIET)
}

/** Font's replacement for the default output's sign. */
const OTHERWISE = '*'

/** Targets of upward or far links: beside the block, as on the canvas. */
const drawTags = (pen: PdfPainter, box: Box, tags: readonly string[], face: Face): void => {
  for (const [index, tag] of tags.entries()) {
    const [words = ''] = linesOf(tag, face, 12, 160, 1)
    const width = face.font.widthOfTextAtSize(words, 12) + 12
    const pill = { x: box.x + box.width + 10, y: box.y + 4 + index * 20, width, height: 17 }
    pen.path(rounded(pill, 8.5), { fill: PAPER, stroke: LINE, width: 1 })
    pen.text(words, pill.x + 6, pill.y + 12.5, face, 12, QUIET)
  }
}

/** The curve may bulge out of the box around its ends. */
const BULGE = 160
const isOn = (part: Box, { link }: PlannedLink, flow: FlowModel): boolean => {
  const around = bounds([link.from, link.to].flatMap(id => flow.nodes.get(id) ?? []).map(boxOf))
  if (around === undefined) return false
  const { x, y, width, height } = around
  return overlaps({ x: x - BULGE, y: y - BULGE, width: width + 2 * BULGE, height: height + 2 * BULGE }, part)
}

const drawPorts = (pen: PdfPainter, node: NodeModel, faces: Faces): void => {
  const several = node.outputs.length > 1
  for (const [index, output] of node.outputs.entries()) {
    const x = node.x + portOffset(index, node.outputs.length, COMFORTABLE)
    const y = node.y + COMFORTABLE.height
    const r = several ? 8 : 4.5
    pen.path(rounded({ x: x - r, y: y - r, width: 2 * r, height: 2 * r }, r), {
      fill: PAPER,
      stroke: QUIET,
      width: 1.2,
    })
    const mark = isOtherwise(output) ? OTHERWISE : String(index + 1)
    if (several) pen.text(mark, x - faces.bold.font.widthOfTextAtSize(mark, 11) / 2, y + 3.9, faces.bold, 11)
  }
}

const drawBlock = (pen: PdfPainter, node: NodeModel, faces: Faces, t: Translate): void => {
  const box = boxOf(node)
  const tint = light(node.type)
  const marker = isMarker(node)
  pen.path(rounded(box, 10), { fill: marker ? tint.subtle : PAPER, stroke: marker ? tint.border : LINE, width: 1.2 })
  const tile = { x: box.x + 9, y: box.y + (marker ? 21 : 8), width: 30, height: 30 }
  pen.path(rounded(tile, categoryOf(node.type) === 'flow' ? 15 : 7), { fill: tint.muted })
  const initial = writable(t(`block:type.${node.type}`, { defaultValue: node.type }), faces.bold).slice(0, 1)
  const half = faces.bold.font.widthOfTextAtSize(initial, 14) / 2
  pen.text(initial, tile.x + 15 - half, tile.y + 20, faces.bold, 14, tint.fg)
  const left = box.x + 48
  const room = box.width - 57
  const title = shownTitle(node, t)
  const [size, most] = marker ? [17, 2] : [12.5, 1]
  const heads = linesOf(title.text, faces.bold, size, room, most)
  const first = marker ? box.y + (heads.length === 1 ? 42 : 32) : box.y + 20
  for (const [index, line] of heads.entries()) pen.text(line, left, first + index * 21, faces.bold, size)
  if (!marker) {
    const preview = previewOf(node, t)
    const face = preview.code ? faces.code : faces.plain
    const lines = linesOf(previewText(preview), face, preview.code ? 12 : 13, room, 2)
    for (const [index, line] of lines.entries()) {
      pen.text(line, left, box.y + 38 + index * 17, face, preview.code ? 12 : 13, preview.empty ? QUIET : INK)
    }
  }
  drawPorts(pen, node, faces)
}

/** A block shown on another page: its title and page, so that it is read once. */
const drawElsewhere = (
  pen: PdfPainter,
  node: NodeModel,
  part: Box,
  where: string,
  faces: Faces,
  t: Translate,
): void => {
  const box = boxOf(node)
  pen.path(rounded(box, 10), { fill: PAPER, stroke: LINE, width: 1 })
  const lines = [
    ...linesOf(shownTitle(node, t).text, faces.plain, 12.5, box.width - 24, 1),
    ...linesOf(where, faces.plain, 12, box.width - 24, 1),
  ]
  // In the half that the page has.
  const y = box.y < part.y ? box.y + box.height - 28 : box.y + 22
  for (const [index, line] of lines.entries()) {
    pen.text(line, box.x + 12, y + index * 16, faces.plain, index === 0 ? 12.5 : 12, QUIET)
  }
}

/** Frames are under their contents, notes beside: both under links and blocks. */
const drawShape = (pen: PdfPainter, node: NodeModel, faces: Faces, t: Translate): void => {
  const box = boxOf(node)
  const { subtle, border } = tintOf(node)
  const isSheet = shapeOf(node) === 'sheet'
  pen.path(rounded(box, isSheet ? 4 : 12), { fill: subtle, stroke: border, width: 1.2 })
  const title = shownTitle(node, t)
  const room = box.width - 24
  const heads = isSheet && !title.own ? [] : linesOf(title.text, faces.bold, 13, room, 1)
  for (const line of heads) pen.text(line, box.x + 12, box.y + 22, faces.bold, 13)
  if (!isSheet) return
  let y = box.y + (heads.length === 0 ? 22 : 40)
  for (const line of plainLines(node)) {
    const most = Math.floor((box.y + box.height - y) / 17) + 1
    for (const written of linesOf(line, faces.plain, 13, room, most)) {
      pen.text(written, box.x + 12, y, faces.plain, 13)
      y += 17
    }
  }
}

/** A note's text by paragraph, without markup. */
const plainLines = ({ properties: { text } }: NodeModel): readonly string[] =>
  typeof text === 'string' && text !== '' ? paragraphs(text).split('\n') : []

interface Framed extends Pick<PdfHeading, 'title' | 'goesOn'> {
  readonly beside: string
  /** Which page of how many. */
  readonly at: string
}

const drawFrame = (page: PDFPage, planned: PlannedPage, { title, beside, at, goesOn }: Framed, faces: Faces): void => {
  const { width, height } = page.getSize()
  const write = (text: string, x: number, y: number, size: number, face: Face, ink = QUIET) =>
    page.drawText(text, { x, y, size, font: face.font, color: ink })
  const [head = ''] = linesOf(title, faces.bold, 15, width - 2 * MARGIN.side, 1)
  const [below = ''] = linesOf(beside, faces.plain, 8.5, width - 2 * MARGIN.side - 120, 1)
  write(head, MARGIN.side, height - 34, 15, faces.bold, INK)
  write(below, MARGIN.side, height - 47, 8.5, faces.plain)
  write(at, width - MARGIN.side - faces.plain.font.widthOfTextAtSize(at, 8.5), height - 47, 8.5, faces.plain)
  const edge = (number: number | undefined, place: (half: number) => readonly [number, number]) => {
    if (number === undefined) return
    const words = writable(goesOn(number), faces.plain)
    const [x, y] = place(faces.plain.font.widthOfTextAtSize(words, 7.5) / 2)
    write(words, x, y, 7.5, faces.plain)
  }
  edge(planned.up, half => [width / 2 - half, height - MARGIN.top + 4])
  edge(planned.down, half => [width / 2 - half, MARGIN.bottom - 12])
  edge(planned.left, () => [MARGIN.side, MARGIN.bottom - 12])
  edge(planned.right, half => [width - MARGIN.side - 2 * half, MARGIN.bottom - 12])
}

/** The flow as on the canvas if it fits one page, else with its blocks as close as is readable. */
const onPaper = (flow: FlowModel): FlowModel => {
  const boxes = [...flow.nodes.values()].map(boxOf)
  if (planPages(boxes).pages.length === 1) return flow
  const near = collapseEmptyBands(boxes)
  const moved = [...flow.nodes].map(([id, node], at): [string, NodeModel] => {
    const { x, y } = near[at] ?? node
    return [id, { ...node, x, y }]
  })
  return { ...flow, nodes: new Map(moved) }
}

/** A flow as a PDF document of vectors and text: on one page where that can be read, else on several after an overview of them. */
export const flowPdf = async (given: FlowModel, heading: PdfHeading, t: Translate): Promise<Uint8Array> => {
  const flow = onPaper(given)
  const all = [...flow.nodes.values()]
  const nodes = all.filter(node => shapeOf(node) === undefined)
  const shapes = all.filter(node => shapeOf(node) !== undefined)
  const beside = heading.beside(nodes.length)
  const document = await PDFDocument.create()
  document.setTitle(heading.title, { showInWindowTitleBar: true })
  document.setSubject(beside)
  document.setLanguage(heading.language)
  document.setProducer('Parley')
  const [plain, bold, code] = await Promise.all(
    [StandardFonts.Helvetica, StandardFonts.HelveticaBold, StandardFonts.Courier].map(async name =>
      faceOf(await document.embedFont(name)),
    ),
  )
  if (plain === undefined || bold === undefined || code === undefined) throw new Error('fonts')
  const faces = { plain, bold, code }
  const plan = planPages(all.map(boxOf))
  const drawn = planLinks(flow, t, COMFORTABLE)
  const links = [...drawn.links.values()].filter(({ jump }) => !jump)
  const wordsOf = ({ mark, title, to }: JumpTag) => {
    const node = flow.nodes.get(to)
    const page = node === undefined || plan.pages.length === 1 ? '' : ` (${plan.pageOf(boxOf(node))})`
    return `${mark === '↳' ? OTHERWISE : mark} » ${title}${page}`.trim()
  }
  const first = plan.pages[0]?.number ?? 1
  const count = plan.pages.length + first - 1
  if (first > 1) {
    const page = document.addPage([plan.width, plan.height])
    drawOverview(page, plan, { flow, nodes, shapes, links, sections: heading.sections }, faces, t)
    drawFrame(page, { number: 1, part: plan.all }, { ...heading, beside, at: heading.page(1, count) }, faces)
  }
  for (const planned of plan.pages) {
    const page = document.addPage([plan.width, plan.height])
    // Without a page to the right, tags of the last column use the rest of the paper.
    const rest = plan.width - 2 * MARGIN.side
    const width = planned.right === undefined ? rest : planned.part.width * plan.scale
    const height = planned.part.height * plan.scale
    // Half a port hangs out of the block above the edge; several pages have room for it in their parts.
    const spare = plan.pages.length === 1 ? 10 : 0
    const bottom = plan.height - MARGIN.top - height
    page.pushOperators(
      pushGraphicsState(),
      rectangle(MARGIN.side - spare, bottom - spare, width + 2 * spare, height + 2 * spare),
      clip(),
      endPath(),
    )
    const pen = new PdfPainter(page, planned, plan.scale)
    for (const node of shapes) if (overlaps(boxOf(node), planned.part)) drawShape(pen, node, faces, t)
    for (const link of links) if (isOn(planned.part, link, flow)) drawLink(pen, flow, link, faces)
    for (const node of nodes) {
      if (!overlaps(boxOf(node), planned.part)) continue
      const home = plan.pageOf(boxOf(node))
      if (home !== planned.number) {
        drawElsewhere(pen, node, planned.part, heading.elsewhere(home), faces, t)
        continue
      }
      drawBlock(pen, node, faces, t)
      drawTags(pen, boxOf(node), drawn.tags.get(node.id)?.tags.map(wordsOf) ?? [], faces.plain)
    }
    page.pushOperators(popGraphicsState())
    drawFrame(page, planned, { ...heading, beside, at: heading.page(planned.number, count) }, faces)
  }
  return document.save()
}
