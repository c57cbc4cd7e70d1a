import type { Json, JsonObject } from '#schemas/event.ts'
import type { ExpressionLanguage } from '#schemas/field/core.ts'
import type { ExpressionField, Field } from '#schemas/field/kind.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { EngineName } from '../expression/engine.ts'
import type { Fault } from '../expression/fault.ts'
import { type DeclaredFields, hiddenFields, isNarrowedOut, offeredOptions } from './visible.ts'

/**
 * Errors beyond a field's own schema: required while shown, options that depend on another field, cron expressions and
 * expressions. Parsers are loaded when the first value needs them.
 */
export const ruleErrors = async (
  fields: DeclaredFields,
  values: JsonObject,
  names: Iterable<string>,
  prefix = '',
): Promise<readonly FieldError[]> => {
  const hidden = hiddenFields(fields, values)
  const errors: FieldError[] = []
  for (const name of names) {
    const field = fields[name]
    if (field === undefined || hidden.has(name)) continue
    errors.push(...(await errorsOf(field, values, values[name] ?? null, prefix + name)))
  }
  return errors
}

const errorsOf = async (
  field: Field,
  values: JsonObject,
  value: Json,
  path: string,
): Promise<readonly FieldError[]> => {
  // Nothing in a list is nothing given.
  const isNothing = value === null || (Array.isArray(value) && value.length === 0)
  if (isNothing && field.required) return [{ path, code: 'required' }]
  if (value === null) return []
  if (isNarrowedOut(field, value, values))
    return [{ path, code: 'option', params: { options: offeredOptions(field, values) ?? [] } }]
  if (field.kind === 'list') return Array.isArray(value) ? itemErrors(field.item, value, path) : []
  // A sealed value was checked before it was sealed.
  if (typeof value !== 'string' || value === '') return []
  if (field.kind === 'cron') return (await isCron(value)) ? [] : [{ path, code: 'format', params: { rule: 'cron' } }]
  if (field.kind !== 'expression') return []
  const fault = await expressionFault(value, languageOf(field, values))
  return fault === undefined ? [] : [{ path, code: 'expression', params: paramsOf(fault) }]
}

/** A secret that is left out may be kept, so stored-items.ts checks whether it is there. */
const itemErrors = async (fields: DeclaredFields, items: readonly Json[], path: string) => {
  const names = Object.keys(fields).filter(name => fields[name]?.secret === false)
  const errors = items.map((item, index) => ruleErrors(fields, item as JsonObject, names, `${path}.${index}.`))
  return (await Promise.all(errors)).flat()
}

const isCron = async (value: string) => (await import('../cron/next-runs.ts')).isCron(value)

const LANGUAGES: ReadonlySet<Json | undefined> = new Set<ExpressionLanguage>([
  'text',
  'json',
  'jsonpath',
  'javascript',
  'Jexl',
  'ExprEval',
  'JsonAta',
  'JSONPath',
])
const isLanguage = (value: Json | undefined): value is ExpressionLanguage => LANGUAGES.has(value)

/** The declared language, or the one that the named field says; text with placeholders where that says none. */
export const languageOf = ({ language }: ExpressionField, values: JsonObject): ExpressionLanguage => {
  if (typeof language === 'string') return language
  const value = values[language.field]
  return isLanguage(value) ? value : 'text'
}

const expressionFault = async (text: string, language: ExpressionLanguage): Promise<Fault | undefined> => {
  if (language === 'javascript') return undefined
  if (language === 'text' || language === 'json') return templateFault(text, language)
  const engine: EngineName = language === 'jsonpath' ? 'JSONPath' : language
  const { openEngine } = await import('../expression/engines.ts')
  const parsed = (await openEngine(engine)).parse(text)
  return parsed.ok ? undefined : parsed.fault
}

/** Braces that may be meant as they stand are no error, as in a block. */
const templateFault = async (text: string, kind: 'text' | 'json'): Promise<Fault | undefined> => {
  const { checkTemplate } = await import('../expression/template-check.ts')
  const { parts, faults } = await checkTemplate({ text, kind, parser: 'Jexl' })
  if (parts.length === 0) return faults[0]
  return parts.find(part => part.kind === 'placeholder' && part.fault !== undefined && !part.loose)?.fault
}

const paramsOf = ({ code, name }: Fault) => ({ rule: code, ...(name === undefined ? {} : { name }) })
