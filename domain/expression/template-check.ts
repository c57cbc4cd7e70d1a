import {
  type Engine,
  type EngineName,
  EXPRESSION_LIMITS,
  type Expression,
  type ParserName,
  type VariableReference,
} from './engine.ts'
import { openEngine } from './engines.ts'
import { type Fault, fault, type Outcome, type Place } from './fault.ts'
import { type Part, type Placeholder, splitTemplate, type TemplateKind } from './template.ts'
import { splitJsonTemplate } from './template-json.ts'

/** A text with placeholders, and what it is read as. */
export interface Template {
  readonly text: string
  readonly kind: TemplateKind
  readonly parser: ParserName
}

export type CheckedPart = Part & { readonly expression?: Expression; readonly fault?: Fault }

interface CheckedTemplate {
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

/** The engine of that name, which is there already. */
export type OpenedEngines = (name: EngineName) => Engine

const checkPlaceholder = (part: Placeholder, parser: ParserName, engines: OpenedEngines): Outcome<Expression> => {
  const opening = { offset: part.place.offset, length: part.start - part.place.offset }
  if (!part.closed) return fault('unclosed', part.offsets === undefined ? opening : part.place)
  const parsed = engines(engineOf(part.source, parser)).parse(part.source)
  return parsed.ok ? parsed : { ok: false, fault: { ...parsed.fault, place: placeInText(part, parsed.fault.place) } }
}

const tooLong = ({ text }: Template): CheckedTemplate => {
  const place = { offset: EXPRESSION_LIMITS.template, length: text.length - EXPRESSION_LIMITS.template }
  return { parts: [], faults: [{ code: 'limit', place }], references: [] }
}

/** The engines that a template needs. */
export const enginesOf = (template: Template): readonly EngineName[] => {
  if (template.text.length > EXPRESSION_LIMITS.template) return []
  const sources = partsOf(template).flatMap(part => (part.kind === 'placeholder' ? [part.source] : []))
  return [...new Set(sources.map(source => engineOf(source, template.parser)))]
}

/** Parts, references and all faults of a template; evaluates nothing. */
export const checkWith = (template: Template, engines: OpenedEngines): CheckedTemplate => {
  if (template.text.length > EXPRESSION_LIMITS.template) return tooLong(template)
  const faults: Fault[] = []
  const references: VariableReference[] = []
  const parts = partsOf(template).map((part): CheckedPart => {
    if (part.kind === 'literal') return part
    const parsed = checkPlaceholder(part, template.parser, engines)
    if (!parsed.ok) {
      faults.push(parsed.fault)
      return { ...part, fault: parsed.fault }
    }
    for (const { name, place } of parsed.value.references) references.push({ name, place: placeInText(part, place) })
    return { ...part, expression: parsed.value }
  })
  return { parts, faults, references }
}

/** The engines of these names, once they are there. */
export const openEngines = async (names: Iterable<EngineName>): Promise<OpenedEngines> => {
  const opened = new Map(await Promise.all([...names].map(async name => [name, await openEngine(name)] as const)))
  return name => {
    const engine = opened.get(name)
    if (engine === undefined) throw new Error(`${name} was not opened`)
    return engine
  }
}

/** As {@link checkWith}; fetches the engines first. */
export const checkTemplate = async (template: Template): Promise<CheckedTemplate> =>
  checkWith(template, await openEngines(enginesOf(template)))
