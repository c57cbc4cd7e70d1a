import type { BlockCategory } from '#schemas/block.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import {
  type Engine,
  type EngineName,
  EXPRESSION_LIMITS,
  type Expression,
  type ExpressionSettings,
  type Fault,
  fault,
  type Outcome,
  type ParserName,
  type Place,
  type VariableReference,
} from './engine.ts'
import { openEngine } from './engines.ts'
import {
  delimitersOf,
  type LooseBudget,
  looseBudget,
  type Part,
  type Placeholder,
  splitTemplate,
  type TemplateKind,
  tryPlaceholderAt,
} from './template.ts'

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

interface JsonString {
  readonly text: string
  /** Offset of each unit of `text`, and the end of the last one. */
  readonly offsets: readonly number[]
}

/** The string of JSON whose quote stands before `from`, its escapes undone; an unclosed one reaches to the end. */
const readString = (source: string, from: number): JsonString => {
  const offsets: number[] = []
  let text = ''
  let at = from
  while (at < source.length && source[at] !== '"') {
    offsets.push(at)
    const escaped = source[at] === '\\' ? (source[at + 1] ?? '') : undefined
    const code = escaped === 'u' ? /^[\dA-Fa-f]{4}/u.exec(source.slice(at + 2, at + 6))?.[0] : undefined
    if (code !== undefined) text += String.fromCharCode(Number.parseInt(code, 16))
    else text += escaped === undefined ? source[at] : (ESCAPES.get(escaped) ?? (escaped || '\\'))
    at += code !== undefined ? 6 : escaped === undefined ? 1 : 2
  }
  at = Math.min(at, source.length)
  return { text, offsets: [...offsets, at] }
}

/** A text as it stands between the quotes of JSON. */
export const written = (text: string): string => JSON.stringify(text).slice(1, -1)

const inSource = (part: Part, { offsets }: JsonString): Part => {
  const at = (index: number) => offsets[index] ?? 0
  const { offset, length } = part.place
  const place = { offset: at(offset), length: at(offset + length) - at(offset) }
  if (part.kind === 'literal') return { kind: 'literal', text: written(part.text), place }
  const own = offsets.slice(part.start, part.start + part.source.length + 1)
  return { ...part, place, start: at(part.start), offsets: own }
}

const openedAt = (source: string, at: number, parser: ParserName, budget: LooseBudget): Placeholder | undefined => {
  const delimiter = delimitersOf('json', parser).find(each => source.startsWith(each.open, at))
  return delimiter === undefined ? undefined : tryPlaceholderAt(source, at, delimiter, budget)
}

/**
 * Splits JSON source into literals and placeholders, in order: a placeholder in a string becomes a part of that string,
 * any other one a value. Literals are JSON as written.
 */
export const splitJsonTemplate = (source: string, parser: ParserName): readonly Part[] => {
  const parts: Part[] = []
  const budget = looseBudget()
  let begun = 0
  const push = (end: number) => {
    if (end <= begun) return
    parts.push({ kind: 'literal', text: source.slice(begun, end), place: { offset: begun, length: end - begun } })
  }
  for (let at = 0; at < source.length; ) {
    if (source[at] === '"') {
      const string = readString(source, at + 1)
      push(at + 1)
      for (const part of splitTemplate(string.text, 'json', parser, budget)) parts.push(inSource(part, string))
      begun = string.offsets.at(-1) ?? source.length
      at = begun + 1
      continue
    }
    const found = openedAt(source, at, parser, budget)
    if (found === undefined) {
      at++
      continue
    }
    push(at)
    parts.push(found)
    at = found.place.offset + found.place.length
    begun = at
  }
  push(source.length)
  return parts
}

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

/** Language of a block field: a text with placeholders, a path into some data, or a rule. */
export type FieldLanguage =
  | { readonly kind: 'template'; readonly template: TemplateKind }
  /** `rule`: a path if it begins with `$`, else an expression. */
  | { readonly kind: 'path' | 'rule' }

/** Whether a rule is a path; other rules are expressions. */
export const isPathRule = (rule: string): boolean => rule.trimStart().startsWith('$')

/** The engine of a text that is a path or a rule as a whole. */
export const wholeEngine = (kind: 'path' | 'rule', text: string, settings: ExpressionSettings): EngineName =>
  kind === 'path' || isPathRule(text) ? settings.pathParser : settings.parser

/** The language of a field; undefined where nothing is evaluated (plain values, scripts, rich text). */
export const fieldLanguage = (category: BlockCategory, field: BlockField): FieldLanguage | undefined => {
  if (field.kind === 'json') return field.plain === true ? undefined : { kind: 'template', template: 'json' }
  if (field.kind === 'strings' && field.expressions === true) return { kind: 'template', template: 'value' }
  if (field.kind !== 'expression' && field.kind !== 'code') return undefined
  if (field.language === 'jsonpath') return { kind: 'path' }
  if (field.language === 'rule') return { kind: 'rule' }
  if (field.language === 'json') return { kind: 'template', template: 'json' }
  if (field.kind === 'code') return undefined
  return { kind: 'template', template: category === 'cards' ? 'attribute' : 'text' }
}
