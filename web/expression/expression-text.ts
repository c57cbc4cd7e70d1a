import type {
  EngineName,
  FaultCode,
  ParserName,
  PathParserName,
  Place,
  VariableReference,
} from '#domain/expression/engine.ts'
import { openEngine } from '#domain/expression/engines.ts'
import type { Part } from '#domain/expression/template.ts'
import { checkTemplate, engineOf, type FieldLanguage, partsOf, wholeEngine } from '#domain/expression/template-check.ts'
import { rootName } from '#domain/flow/variable/variable-use.ts'

/** The language of a field, or names of variables, one a line, which may lead into them: `order.total`. */
export type EditedLanguage = FieldLanguage | { readonly kind: 'names' }

/** A text that is one expression of an engine. */
interface WholeExpression {
  readonly kind: 'whole'
  readonly engine: EngineName
}

/** Syntax of a field's text, from the field and its bot. */
export interface Reading {
  readonly language: EditedLanguage | WholeExpression
  readonly parser: ParserName
  readonly pathParser: PathParserName
}

/** Something wrong in a text: a fault, or a variable that nobody declared. */
export interface Finding {
  readonly code: FaultCode | 'unknown'
  readonly place: Place
  readonly name?: string
}

/** Translation key of a finding. */
export const findingMessageKey = ({ code, place, name }: Finding) =>
  code === 'unclosed' && place.length === 0
    ? ('expression.fault.incomplete' as const)
    : code === 'value' && name === 'JSON'
      ? ('expression.fault.json' as const)
      : (`expression.fault.${code}` as const)

export interface Checked {
  readonly findings: readonly Finding[]
  /** Whether there is anything to evaluate. */
  readonly evaluable: boolean
  /** Reads or computes something: its result is worth showing. */
  readonly computed?: boolean
}

const whole = (source: string, start: number): Part => ({
  kind: 'placeholder',
  source,
  place: { offset: start, length: source.length },
  start,
  closed: true,
  loose: false,
})

const linesOf = (text: string): readonly Part[] => {
  let start = 0
  return text.split('\n').map(line => {
    const part = whole(line, start)
    start += line.length + 1
    return part
  })
}

export const partsOfText = (text: string, { language, parser }: Reading): readonly Part[] => {
  if (language.kind === 'template') return partsOf({ text, kind: language.template, parser })
  return language.kind === 'names' ? linesOf(text) : [whole(text, 0)]
}

const namesIn = (text: string): readonly VariableReference[] =>
  linesOf(text).flatMap(({ place: { offset, length } }) => {
    const line = text.slice(offset, offset + length)
    const name = rootName(line)
    return name === '' ? [] : [{ name, place: { offset: offset + line.indexOf(name), length: name.length } }]
  })

/** Engine of an expression inside a text. */
export const engineOfSource = (source: string, { language, parser, pathParser }: Reading): EngineName =>
  language.kind === 'whole'
    ? language.engine
    : language.kind === 'path' || language.kind === 'rule'
      ? wholeEngine(language.kind, source, { parser, pathParser })
      : engineOf(source, parser)

/** Everything wrong with a text. `known` is undefined where the variables are not known. */
export const checkText = async (
  text: string,
  reading: Reading,
  known: ReadonlySet<string> | undefined,
): Promise<Checked> => {
  if (text.trim() === '') return { findings: [], evaluable: false }
  const { language, parser } = reading
  const unknownAmong = (references: readonly VariableReference[]) =>
    references.flatMap(({ name, place }): Finding[] =>
      known === undefined || known.has(name) ? [] : [{ code: 'unknown', place, name }],
    )
  if (language.kind === 'names') return { findings: unknownAmong(namesIn(text)), evaluable: false }
  if (language.kind !== 'template') {
    const parsed = (await openEngine(engineOfSource(text, reading))).parse(text)
    return { findings: parsed.ok ? [] : [parsed.fault], evaluable: false }
  }
  const { parts, faults, references } = await checkTemplate({ text, kind: language.template, parser })
  const computed = parts.some(part => part.kind === 'placeholder')
  const evaluable = faults.length === 0 && (computed || language.template === 'json')
  return { findings: [...faults, ...unknownAmong(references)], evaluable, computed }
}
