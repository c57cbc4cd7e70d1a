import { withDefaults } from '#domain/flow/document/default-properties.ts'
import { linkId } from '#domain/flow/document/item-id.ts'
import { blocks } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile, type FlowLink, type FlowOperator } from '#schemas/flow/file.ts'
import type { Piece, Remark, Section, Sketch } from './sketch.ts'

/** Distances of blocks, which are 240 × 72: on the grid of 20, with room for the tags beside them. */
const PITCH = { x: 400, y: 100 }
const ORIGIN = { x: 80, y: 80 }

/** A flow as it is in the end, and the ids of its blocks by section in the order in which they are drawn. */
export interface Drawing {
  readonly file: FlowFile
  readonly sections: readonly (readonly string[])[]
}

interface DrawOptions {
  /** Id of the start block, which is there before anything is drawn. */
  readonly start: string
  /** Id of what a reference names by its key in the sample. */
  idOf(kind: string, key: string): string
  /** Drawn last. */
  readonly remarks?: readonly Remark[]
}

interface Placed {
  readonly id: string
  readonly piece: Piece
  readonly next: string | undefined
  readonly left: number
  readonly top: number
}

/** The flow file of a sketch: every block with all its fields, every output that leads somewhere linked. */
export const drawFlow = (sketch: Sketch, options: DrawOptions): Drawing => {
  const sections = sketch.map(section => placedIn(section, options.start))
  const placed = sections.flat()
  const remarks = (options.remarks ?? []).map((remark, index) => remarkOf(remark, `recado-${index + 1}`, sketch))
  const entries = new Map(sections.map((placed, index) => [sketch[index]?.key ?? '', entryOf(placed)]))
  return {
    sections: [
      ...sections.map(section => section.map(({ id }) => id)),
      ...(remarks.length === 0 ? [] : [remarks.map(([id]) => id)]),
    ],
    file: {
      format: FLOW_FORMAT,
      version: FLOW_VERSION,
      operators: Object.fromEntries([
        ...placed.map(block => [block.id, operatorOf(block, options)] as const),
        ...remarks,
      ]),
      links: Object.fromEntries(
        placed
          .flatMap(block => linksOf(block, entries))
          .map(link => [linkId(link.fromOperator, link.fromConnector, link.fromSubConnector), link]),
      ),
    },
  }
}

const placedIn = ({ key, column, row, pieces }: Section, start: string): Placed[] => {
  const idAt = (index: number) => (pieces[index]?.type === 'start' ? start : `${key}-${index + 1}`)
  return pieces.map((piece, index) => ({
    id: idAt(index),
    piece,
    next: index + 1 < pieces.length ? idAt(index + 1) : undefined,
    left: ORIGIN.x + column * PITCH.x,
    top: ORIGIN.y + (row + index) * PITCH.y,
  }))
}

/** Around a section, in flow pixels: room for a title above, and for the tags on the right. */
const FRAME = { left: 20, top: 60, width: 380, bottom: 20 }
const SHEET = { width: 240, height: 140 }

const remarkOf = (remark: Remark, id: string, sketch: Sketch): readonly [id: string, operator: FlowOperator] => {
  if ('note' in remark) {
    const { note: title, text, tint, column, row } = remark
    const place = { left: ORIGIN.x + column * PITCH.x, top: ORIGIN.y + row * PITCH.y }
    return [id, drawnAs('note', title, place, { text, tint, ...SHEET })]
  }
  const { around, title, tint } = remark
  const section = sketch.find(({ key }) => key === around)
  if (section === undefined) throw new Error(`no section ${around}`)
  const { column, row, pieces } = section
  const place = { left: ORIGIN.x + column * PITCH.x - FRAME.left, top: ORIGIN.y + row * PITCH.y - FRAME.top }
  const height = pieces.length * PITCH.y + FRAME.top - FRAME.bottom + 12
  return [id, drawnAs('group', title, place, { tint, width: FRAME.width, height })]
}

const drawnAs = (
  type: 'note' | 'group',
  title: string,
  place: { readonly left: number; readonly top: number },
  own: JsonObject,
): FlowOperator => ({
  type,
  title,
  ...place,
  properties: { inputs: {}, outputs: {}, ...withDefaults(blocks[type].fields, own) },
})

/** Links come in where there is an input: nothing leads to a start. */
const entryOf = (section: readonly Placed[]): string =>
  section.find(({ piece }) => blocks[piece.type].hasInput)?.id ?? ''

const operatorOf = ({ piece, left, top }: Placed, { idOf }: DrawOptions): FlowOperator => {
  const block = blocks[piece.type]
  const own = Object.fromEntries(
    Object.entries(piece.properties).map(([name, value]): [string, Json] => {
      const field = block.fields[name]
      return [name, field?.kind === 'reference' && field.to !== 'variable' ? idIn(idOf, field.to, value) : value]
    }),
  )
  const properties: JsonObject = {
    inputs: Object.fromEntries(block.inputs.map(({ id }) => [id, { label: '' }])),
    outputs: Object.fromEntries(outputsOf(piece).map(id => [id, { label: '' }])),
    ...withDefaults(block.fields, { ...own, titleorig: piece.title }),
  }
  return { type: piece.type, title: piece.title, top, left, properties }
}

const idIn = (idOf: DrawOptions['idOf'], kind: string, key: Json): string =>
  typeof key === 'string' && key !== '' ? idOf(kind, key) : ''

/** Connectors in the order in which they are shown: those of items first. */
const outputsOf = ({ type, to }: Piece): readonly string[] => {
  const fixed = blocks[type].outputs.map(({ id }) => id)
  return [...Object.keys(to).filter(id => !fixed.includes(id)), ...fixed]
}

const linksOf = ({ id, piece, next }: Placed, entries: ReadonlyMap<string, string>): FlowLink[] =>
  outputsOf(piece).flatMap(connector => {
    const key = piece.to[connector]
    const target = key === undefined ? next : entries.get(key)
    if (target === undefined) return []
    return [
      {
        fromOperator: id,
        fromConnector: connector,
        fromSubConnector: 0,
        toOperator: target,
        toConnector: 'input_1',
        toSubConnector: 0,
      },
    ]
  })
