import type { z } from 'zod'
import { changeSchema, closedTo, createSchema, type EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ExpressionLanguage } from '#schemas/field/core.ts'
import type { ExpressionField, Field } from '#schemas/field/kind.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import { accepted, type FieldError, type FieldErrorCode, type Result, refused } from '#schemas/refusal.ts'
import type { EngineName, Fault } from '../expression/engine.ts'
import {
  type DeclaredFields,
  hiddenFields,
  initialValues,
  isNarrowedOut,
  isSetMark,
  itemWithId,
  offeredOptions,
  withDependents,
} from './stored-items.ts'

type Issue = z.core.$ZodIssue

const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * Converts zod issues to the lines of `errors[]`. `closed` names members that exist but may not be given here: they are
 * `readonly`, every other surplus one is `unknown`.
 */
export const fieldErrors = (error: z.ZodError, input: unknown, closed: ReadonlySet<string> = NO_NAMES): FieldError[] =>
  error.issues.flatMap(issue => linesOf(issue, input, closed))

const linesOf = (issue: Issue, input: unknown, closed: ReadonlySet<string>): FieldError[] => {
  const meant = issue.code === 'invalid_union' ? meantBranch(issue) : undefined
  if (meant !== undefined)
    return meant.flatMap(inner => linesOf({ ...inner, path: [...issue.path, ...inner.path] }, input, closed))
  if (issue.code !== 'unrecognized_keys') return [{ path: dotted(issue.path), ...reasonOf(issue, input) }]
  return issue.keys.map(key => ({
    path: dotted([...issue.path, key]),
    code: issue.path.length === 0 && closed.has(key) ? 'readonly' : 'unknown',
  }))
}

/** The one alternative of a union with the value's type: its errors are reported instead of the type. */
const meantBranch = ({ errors }: z.core.$ZodIssueInvalidUnion): Issue[] | undefined => {
  const branches = errors.filter(
    branch => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return branches.length === 1 ? branches[0] : undefined
}

const reasonOf = (issue: Issue, input: unknown): Pick<FieldError, 'code' | 'params'> => {
  switch (issue.code) {
    case 'invalid_type':
      return { code: isAbsent(valueAt(input, issue.path)) ? 'required' : 'type' }
    case 'too_big':
      return { code: isMeasured(issue.origin) ? 'toolong' : 'toolarge', params: { max: Number(issue.maximum) } }
    case 'too_small':
      return { code: 'toosmall', params: { min: Number(issue.minimum) } }
    case 'invalid_value':
      return isAbsent(valueAt(input, issue.path))
        ? { code: 'required' }
        : { code: 'option', params: { options: issue.values.map(String) } }
    case 'custom':
      return { code: customCode(issue.params?.code), ...ruleOf(issue.params) }
    case 'invalid_union':
      return { code: isAbsent(valueAt(input, issue.path)) ? 'required' : 'type' }
    case 'invalid_format':
      return issue.format === 'email' ? { code: 'format', params: { rule: 'email' } } : { code: 'format' }
    default:
      return { code: 'format' }
  }
}

/** Codes that the field constructors put into their own checks. */
const customCode = (code: unknown): FieldErrorCode =>
  code === 'characters' || code === 'required' || code === 'duplicate' ? code : 'format'

/** Which rule it breaks, where its text says more than the code, and what that text fills in. */
const ruleOf = (params: { readonly [name: string]: unknown } = {}) => {
  if (typeof params.rule !== 'string') return {}
  const words = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { params: Object.fromEntries(words) }
}

const isMeasured = (origin: string) => origin === 'string' || origin === 'array'
const isAbsent = (value: unknown) => value === undefined || value === null
const dotted = (path: readonly PropertyKey[]) => path.map(String).join('.')

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )

/** Reads `input` by a schema, or says in `errors` what is wrong with it. */
export const parseInput = (
  schema: z.ZodType,
  input: JsonObject,
  closed: ReadonlySet<string> = NO_NAMES,
): Result<JsonObject> => {
  const surplus = Object.hasOwn(input, '__proto__')
  const parsed = schema.safeParse(input)
  if (parsed.success && !surplus) return accepted(parsed.data as JsonObject)
  const errors = parsed.success ? [] : fieldErrors(parsed.error, input, closed)
  return refused('validation.failed', {
    errors: surplus ? [...errors, { path: '__proto__', code: 'unknown' as const }] : errors,
  })
}

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

/** The field at a path, in items of lists too: `rows.0.country`. */
const fieldAt = (fields: DeclaredFields, path: string): Field | undefined => {
  const [name = '', , ...inner] = path.split('.')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return inner.length > 0 && field?.kind === 'list' ? fieldAt(field.item, inner.join('.')) : field
}

/** Errors of a field with custom texts use those texts. */
const withRules = (fields: DeclaredFields, parsed: Result<JsonObject>): Result<JsonObject> => {
  if (parsed.ok) return parsed
  const errors = (parsed.refusal.errors ?? []).map(error => {
    const rule = fieldAt(fields, error.path)?.rule
    return rule === undefined || error.params?.rule !== undefined
      ? error
      : { ...error, params: { ...error.params, rule } }
  })
  return { ...parsed, refusal: { ...parsed.refusal, errors } }
}

/**
 * The checked fields of a create. A value of a field that `when` hides is refused, unless it is the initial one. Browser
 * and server refuse in the same words.
 */
export const validateCreate = async (entity: EntityDeclaration, input: JsonObject): Promise<Result<JsonObject>> => {
  const { fields } = entity
  const { shown, errors: hidden } = splitHidden(fields, input, initialValues(fields))
  const parsed = withRules(fields, parseInput(createSchema(entity), shown, closedTo.create(entity)))
  if (!parsed.ok) return parsed
  if (hidden.length > 0) return refused('validation.failed', { errors: hidden })
  const given = withInitials(fields, parsed.value)
  const values = { ...initialValues(fields), ...given }
  const cleared = clearedFields(fields, values, given)
  const errors = await ruleErrors(fields, { ...values, ...cleared }, writable(fields, Object.keys(fields)))
  if (errors.length > 0) return refused('validation.failed', { errors })
  return accepted({ ...given, ...cleared })
}

/**
 * Validates the fields that a change sets: its values, and fields that it hides (`when`) or no longer allows (`per`),
 * which return to their initial value.
 */
export const validateChange = async (
  entity: EntityDeclaration,
  present: JsonObject,
  input: JsonObject,
): Promise<Result<JsonObject>> => {
  const { fields } = entity
  const { shown, errors: hidden } = splitHidden(fields, input, present)
  const parsed = withRules(fields, parseInput(changeSchema(entity), shown, closedTo.change(entity)))
  if (!parsed.ok) return parsed
  if (hidden.length > 0) return refused('validation.failed', { errors: hidden })
  const given = withInitials(fields, parsed.value)
  const changes = { ...given, ...clearedFields(fields, { ...present, ...given }, given) }
  const affected = writable(fields, withDependents(fields, Object.keys(changes)))
  const errors = await ruleErrors(fields, { ...present, ...changes }, affected)
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(changes)
}

/**
 * Fields to reset to their initial value because `when` or `per` excludes them; `given` values are validated instead.
 */
export const clearedFields = (fields: DeclaredFields, values: JsonObject, given: JsonObject = {}): JsonObject => {
  const cleared: Record<string, Json> = {}
  const hidden = hiddenFields(fields, values)
  for (const name of hidden) {
    const { initial = null, readonly = false } = fields[name] ?? {}
    if (!readonly && !jsonEqual(values[name] ?? null, initial)) cleared[name] = initial
  }
  for (const [name, field] of Object.entries(fields)) {
    if (hidden.has(name) || Object.hasOwn(given, name)) continue
    const next = { ...values, ...cleared }
    if (!isNarrowedOut(field, next[name], next)) continue
    const { initial } = field
    cleared[name] = typeof initial === 'string' && offeredOptions(field, next)?.includes(initial) ? initial : null
  }
  return cleared
}

/**
 * Values that a restore of `names` sets: their past values, those of fields shown again with them, and initial values
 * of fields no longer shown.
 */
export const restoredFields = (
  { fields }: EntityDeclaration,
  present: JsonObject,
  past: JsonObject,
  names: readonly string[],
): JsonObject => {
  const pick = (wanted: readonly string[]) => Object.fromEntries(wanted.map(name => [name, past[name] ?? null]))
  const hiddenBefore = writable(fields, hiddenFields(fields, present))
  let restored: JsonObject = pick(names)
  for (;;) {
    const hidden = hiddenFields(fields, { ...present, ...restored })
    const shownAgain = hiddenBefore.filter(name => !hidden.has(name) && !Object.hasOwn(restored, name))
    if (shownAgain.length === 0) break
    restored = { ...restored, ...pick(shownAgain) }
  }
  return { ...restored, ...clearedFields(fields, { ...present, ...restored }, restored) }
}

interface SplitInput {
  readonly shown: JsonObject
  readonly errors: readonly FieldError[]
}

/** Whether a value of a hidden field sets nothing: none, the initial one, or the stored one that the change clears. */
const setsNothing = ({ initial }: Field, value: Json, stored: Json | undefined): boolean =>
  value === null || value === '' || isSetMark(value) || jsonEqual(value, initial) || jsonEqual(value, stored ?? null)

/** Splits the input into shown fields and errors for values that hidden fields would lose, in items of lists too. */
const splitHidden = (
  fields: DeclaredFields,
  input: JsonObject,
  stored: JsonObject,
  at = '',
  /** Values of fields that are left out; an item of a list is given whole. */
  others: JsonObject = stored,
): SplitInput => {
  const hidden = hiddenFields(fields, { ...others, ...input })
  const shown: [string, Json][] = []
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field !== undefined && hidden.has(name)) {
      if (!setsNothing(field, value, stored[name])) errors.push({ path: at + name, code: 'unknown', params: HIDDEN })
    } else if (field?.kind === 'list' && Array.isArray(value)) {
      const items = value.map((item: Json, index): SplitInput | undefined => {
        if (!isObject(item)) return undefined
        const kept = item.id === undefined ? undefined : itemWithId(stored[name], item.id)
        return splitHidden(field.item, item, kept ?? {}, `${at}${name}.${index}.`, initialValues(field.item))
      })
      shown.push([name, value.map((item: Json, index) => items[index]?.shown ?? item)])
      errors.push(...items.flatMap(item => item?.errors ?? []))
    } else shown.push([name, value])
  }
  return { shown: Object.fromEntries(shown), errors }
}

const HIDDEN = { rule: 'hidden' }

/** Null means "none": the field returns to its initial value. Items of lists get every member. */
const withInitials = (fields: DeclaredFields, given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = fields[name]
      if (value === null) return [name, field?.initial ?? null]
      return [name, field?.kind === 'list' && Array.isArray(value) ? value.map(wholeItem(field.item)) : value]
    }),
  )

/** A secret that is left out stays as it was; that is decided where the stored item is known. */
const wholeItem =
  (fields: DeclaredFields) =>
  (item: Json): Json => {
    if (!isObject(item)) return item
    const missing = Object.entries(fields).filter(([name, field]) => !field.secret && (item[name] ?? null) === null)
    return { ...item, ...Object.fromEntries(missing.map(([name, field]) => [name, field.initial])) }
  }

const writable = (fields: DeclaredFields, names: Iterable<string>): readonly string[] =>
  [...names].filter(name => fields[name]?.readonly === false && fields[name].kind !== 'password')
