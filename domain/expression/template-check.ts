import type { TemplateKind } from './delimiter.ts'
import type { EngineName, Expression, ParserName, VariableReference } from './engine.ts'
import { openEngine } from './engines.ts'
import { type Fault, fault, type Outcome } from './fault.ts'
import { EXPRESSION_LIMITS } from './limits.ts'
import type { Place } from './place.ts'
import { type Part, type Placeholder, splitTemplate } from './template.ts'
import { splitJsonTemplate } from './template-json.ts'

/** A text with placeholders, and what it is read as. */
export interface Template {
  readonly text: string
  readonly kind: TemplateKind
  readonly parser: ParserName
}

export type CheckedPart = Part & { readonly expression?: Expression }

export interface CheckedTemplate {
  readonly parts: readonly CheckedPart[]
  /** Everything that does not parse, in order, with places in the text. */
  readonly faults: readonly Fault[]
  readonly references: readonly VariableReference[]
}

export const partsOf = ({ text, kind, parser }: Template): readonly Part[] =>
  kind === 'json' ? splitJsonTemplate(text, parser) : splitTemplate(text, kind, parser)

/** A place of a placeholder's expression as a place of the text. */
export const placeInText = ({ start, offsets }: Placeholder, { offset, length }: Place): Place => {
  if (offsets === undefined) return { offset: start + offset, length }
  const from = offsets[offset] ?? start
  return { offset: from, length: (offsets[offset + length] ?? from) - from }
}

/** A path by its first characters, which begin nothing in Jexl and ExprEval; all else is an expression. */
export const engineOf = (source: string, parser: ParserName): EngineName =>
  parser !== 'JsonAta' && /^\s*\$(?=[.[])/u.test(source) ? 'JSONPath' : parser

const checkPlaceholder = async (part: Placeholder, parser: ParserName): Promise<Outcome<Expression>> => {
  const opening = { offset: part.place.offset, length: part.start - part.place.offset }
  if (!part.closed) return fault('unclosed', part.offsets === undefined ? opening : part.place)
  const parsed = (await openEngine(engineOf(part.source, parser))).parse(part.source)
  return parsed.ok ? parsed : { ok: false, fault: { ...parsed.fault, place: placeInText(part, parsed.fault.place) } }
}

/** What a template says and reads, and everything that is wrong with it; nothing is evaluated. */
export const checkTemplate = async (template: Template): Promise<CheckedTemplate> => {
  const { text, parser } = template
  if (text.length > EXPRESSION_LIMITS.template) {
    const place = { offset: EXPRESSION_LIMITS.template, length: text.length - EXPRESSION_LIMITS.template }
    return { parts: [], faults: [{ code: 'limit', place }], references: [] }
  }
  const parts: CheckedPart[] = []
  const faults: Fault[] = []
  const references: VariableReference[] = []
  for (const part of partsOf(template)) {
    const parsed = part.kind === 'placeholder' ? await checkPlaceholder(part, parser) : undefined
    if (parsed?.ok === false) faults.push(parsed.fault)
    if (parsed?.ok !== true || part.kind === 'literal') parts.push(part)
    else {
      parts.push({ ...part, expression: parsed.value })
      for (const { name, place } of parsed.value.references) references.push({ name, place: placeInText(part, place) })
    }
  }
  return { parts, faults, references }
}
