import type { EngineName, ParserName, PathParserName } from '#domain/expression/engine.ts'
import { openEngine } from '#domain/expression/engines.ts'
import type { FaultCode } from '#domain/expression/fault.ts'
import type { FieldLanguage } from '#domain/expression/field-language.ts'
import type { Place } from '#domain/expression/place.ts'
import type { Part } from '#domain/expression/template.ts'
import { checkTemplate, engineOf, partsOf } from '#domain/expression/template-check.ts'

/** How a field's text is read, by the field and by its bot. */
export interface Reading {
  readonly language: FieldLanguage
  readonly parser: ParserName
  readonly pathParser: PathParserName
}

/** Something wrong in a text: a fault, or a variable that nobody declared. */
export interface Finding {
  readonly code: FaultCode | 'unknown'
  readonly place: Place
  readonly name?: string
}

export interface Checked {
  readonly findings: readonly Finding[]
  /** Whether there is anything to evaluate. */
  readonly evaluable: boolean
}

export const partsOfText = (text: string, { language, parser }: Reading): readonly Part[] => {
  if (language.kind === 'template') return partsOf({ text, kind: language.template, parser })
  const place = { offset: 0, length: text.length }
  return [{ kind: 'placeholder', source: text, place, start: 0, closed: true, loose: false }]
}

/** The engine of an expression that stands in a text. */
export const engineOfSource = (source: string, { language, parser, pathParser }: Reading): EngineName =>
  language.kind === 'path' ? pathParser : engineOf(source, parser)

/** Everything wrong with a text. `known` is undefined where the variables are not known. */
export const checkText = async (
  text: string,
  reading: Reading,
  known: ReadonlySet<string> | undefined,
): Promise<Checked> => {
  if (text.trim() === '') return { findings: [], evaluable: false }
  const { language, parser, pathParser } = reading
  if (language.kind === 'path') {
    const parsed = (await openEngine(pathParser)).parse(text)
    return { findings: parsed.ok ? [] : [parsed.fault], evaluable: false }
  }
  const { parts, faults, references } = await checkTemplate({ text, kind: language.template, parser })
  const unknown = references.flatMap(({ name, place }): Finding[] =>
    known === undefined || known.has(name) ? [] : [{ code: 'unknown', place, name }],
  )
  const evaluable = faults.length === 0 && parts.some(part => part.kind === 'placeholder')
  return { findings: [...faults, ...unknown], evaluable }
}
