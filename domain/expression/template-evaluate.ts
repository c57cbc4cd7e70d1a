import type { JsonObject } from '#schemas/event.ts'
import { type Fault, fault, type Outcome } from './fault.ts'
import { shown } from './library.ts'
import { EXPRESSION_LIMITS } from './limits.ts'
import { type CheckedPart, checkTemplate, placeInText, type Template } from './template-check.ts'
import { written } from './template-json.ts'

const valueOfPart = async (part: CheckedPart, context: JsonObject): Promise<Outcome<unknown>> => {
  if (part.kind === 'literal') return { ok: true, value: part.text }
  const { expression } = part
  if (expression === undefined) return fault('syntax', part.place)
  const outcome = await expression.evaluate(context)
  if (outcome.ok) return outcome
  return { ok: false, fault: { ...outcome.fault, place: placeInText(part, outcome.fault.place) } }
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
 * What a template becomes over a context: JSON for JSON, else a text; one that is a single placeholder and nothing
 * else becomes that value itself. The first fault ends it.
 */
export const evaluateTemplate = async (template: Template, context: JsonObject): Promise<Outcome<unknown>> => {
  const { parts, faults } = await checkTemplate(template)
  const [first]: readonly (Fault | undefined)[] = faults
  if (first !== undefined) return { ok: false, fault: first }
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
