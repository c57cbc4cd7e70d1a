import type { JsonObject } from '#schemas/event.ts'
import { EXPRESSION_LIMITS, fault, type Outcome } from './engine.ts'
import { shown } from './library.ts'
import { type CheckedPart, checkTemplate, placeInText, type Template, written } from './template-check.ts'

const valueOfPart = async (part: CheckedPart, context: JsonObject): Promise<Outcome<unknown>> => {
  if (part.kind === 'literal') return { ok: true, value: part.text }
  const { expression } = part
  if (expression === undefined) return fault('syntax', part.place)
  const outcome = await expression.evaluate(context)
  if (outcome.ok) return outcome
  return { ok: false, fault: { ...outcome.fault, place: placeInText(part, outcome.fault.place) } }
}

/** A single brace or angle around what is no expression is a character like any other. A call of a function is one. */
const asWords = (part: CheckedPart, { text }: Template): CheckedPart => {
  if (part.kind === 'literal' || part.fault === undefined || !part.loose || part.fault.code === 'function') return part
  const { offset, length } = part.place
  return { kind: 'literal', text: text.slice(offset, offset + length), place: part.place }
}

/** In a string of JSON a value is its text, elsewhere itself. */
const inJson = (part: CheckedPart, value: unknown): string => {
  if (part.kind === 'literal') return part.text
  return part.offsets === undefined ? (JSON.stringify(value) ?? 'null') : written(shown(value))
}

const parsedJson = (text: string, source: string): Outcome<unknown> => {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return fault('value', { offset: 0, length: source.length }, 'JSON')
  }
}

/**
 * Evaluates a template over a context: JSON for JSON, else a text; a template with only one placeholder returns its
 * value. Stops at the first fault.
 */
export const evaluateTemplate = async (template: Template, context: JsonObject): Promise<Outcome<unknown>> => {
  const checked = await checkTemplate(template)
  const parts = checked.parts.map(part => asWords(part, template))
  const wrong = parts.length === 0 ? checked.faults[0] : parts.find(({ fault }) => fault !== undefined)?.fault
  if (wrong !== undefined) return { ok: false, fault: wrong }
  const values: unknown[] = []
  for (const part of parts) {
    const outcome = await valueOfPart(part, context)
    if (!outcome.ok) return outcome
    values.push(outcome.value)
  }
  const [only] = parts
  const isLone = parts.length === 1 && only?.kind === 'placeholder'
  if (isLone) return { ok: true, value: values[0] }
  const text = parts.map((part, index) => {
    if (part.kind === 'literal') return part.text
    return template.kind === 'json' ? inJson(part, values[index]) : shown(values[index])
  })
  const made = text.join('')
  if (made.length > EXPRESSION_LIMITS.size) return fault('limit', { offset: 0, length: template.text.length })
  return template.kind === 'json' && made.trim() !== '' ? parsedJson(made, template.text) : { ok: true, value: made }
}
