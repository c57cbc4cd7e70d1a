import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import type { Drawing } from './draw-flow.ts'

/** Result of an edit; the edits of one section belong together. */
export interface Stage {
  readonly section: number
  readonly file: FlowFile
}

type Operators = Readonly<Record<string, FlowOperator>>

const SHIFT = { x: 60, y: 40 }
/** Sections with no more blocks than this are written out and moved at once. */
const SHORT = 5
const TRIAL = 'rascunho'

/**
 * Edits that led to a drawing: sections are placed block by block, slightly off their place, with first words that are
 * completed later; then the section is moved into line. A trial block is added and removed. The last stage is the
 * drawing. `pace`: blocks placed at once.
 */
export const growFlow = (drawing: Drawing, pace: number): readonly Stage[] => {
  const stages: Stage[] = []
  let drawn: Operators = {}
  const add = (section: number, operators: Operators) => {
    drawn = operators
    stages.push({ section, file: fileOf(drawing, operators) })
  }
  for (const [index, ids] of drawing.sections.entries()) {
    for (let at = 0; at < ids.length; at += pace) {
      add(index, { ...drawn, ...sketched(drawing, ids.slice(at, at + pace)) })
    }
    if (index === 1) {
      add(index, { ...drawn, [TRIAL]: trialBeside(drawing, ids) })
      add(index, without(drawn, TRIAL))
    }
    if (ids.length > SHORT) add(index, { ...drawn, ...worded(drawing, drawn, ids) })
    add(index, { ...drawn, ...chosen(drawing, ids) })
  }
  return stages
}

const operatorAt = ({ file }: Drawing, id: string): FlowOperator => file.operators[id] ?? {}

const chosen = (drawing: Drawing, ids: readonly string[]): Operators =>
  Object.fromEntries(ids.map(id => [id, operatorAt(drawing, id)]))

const sketched = (drawing: Drawing, ids: readonly string[]): Operators =>
  Object.fromEntries(
    ids.map(id => {
      const { left, top, properties, ...rest } = operatorAt(drawing, id)
      const at = { left: Number(left) + SHIFT.x, top: Number(top) + SHIFT.y }
      return [id, { ...rest, ...at, properties: firstWords(properties ?? {}) }]
    }),
  )

/** The final words where the blocks still stand. */
const worded = (drawing: Drawing, drawn: Operators, ids: readonly string[]): Operators =>
  Object.fromEntries(
    ids.map(id => {
      const { left = 0, top = 0 } = drawn[id] ?? {}
      return [id, { ...operatorAt(drawing, id), left, top }]
    }),
  )

const firstWords = (properties: JsonObject): JsonObject => {
  const { text, data } = properties
  if (typeof text === 'string') return { ...properties, text: firstSentence(text) }
  if (typeof data !== 'object' || data === null || !('text' in data)) return properties
  return { ...properties, data: { ...data, text: firstSentence(data.text) } }
}

/** A point within a word, as in `{{order.day}}`, ends no sentence. */
const firstSentence = (text: Json): Json =>
  typeof text === 'string' ? (/^(?:[^.!?\n]|[.!?](?=\S))*[.!?]?/u.exec(text)?.[0] ?? text) : text

const trialBeside = (drawing: Drawing, ids: readonly string[]): FlowOperator => {
  const { left, top } = operatorAt(drawing, ids.at(-1) ?? '')
  const outputs = { output_1: { label: '' } }
  const properties = { titleorig: 'Rascunho', inputs: { input_1: { label: '' } }, outputs, text: 'Testar com a equipe' }
  return { type: 'text', title: 'Rascunho', left: Number(left), top: Number(top) + 160, properties }
}

const without = (operators: Operators, id: string): Operators =>
  Object.fromEntries(Object.entries(operators).filter(([key]) => key !== id))

const fileOf = ({ file }: Drawing, operators: Operators): FlowFile => ({
  ...file,
  operators,
  links: Object.fromEntries(
    Object.entries(file.links).filter(
      ([, link]) => Object.hasOwn(operators, link.fromOperator) && Object.hasOwn(operators, link.toOperator),
    ),
  ),
})
