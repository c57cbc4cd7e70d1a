import { changeSchema, closedTo, createSchema, type EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { same } from '../json-equal.ts'
import { parseInput } from '../parse-input.ts'
import { ruleErrors } from './rules.ts'
import {
  type DeclaredFields,
  hiddenFields,
  initialValues,
  isNarrowedOut,
  offeredOptions,
  withDependents,
} from './visible.ts'

/** What is wrong with a field that has texts of its own for it is told in those. */
const withRules = (fields: DeclaredFields, parsed: Result<JsonObject>): Result<JsonObject> => {
  if (parsed.ok) return parsed
  const errors = (parsed.refusal.errors ?? []).map(error => {
    const rule = Object.hasOwn(fields, error.path) ? fields[error.path]?.rule : undefined
    return rule === undefined || error.params?.rule !== undefined
      ? error
      : { ...error, params: { ...error.params, rule } }
  })
  return { ...parsed, refusal: { ...parsed.refusal, errors } }
}

/** The fields of a create, checked; what `when` leaves out is ignored. Browser and server refuse in the same words. */
export const validateCreate = async (entity: EntityDeclaration, input: JsonObject): Promise<Result<JsonObject>> => {
  const { fields } = entity
  const shown = withoutHidden(fields, input, initialValues(fields))
  const parsed = withRules(fields, parseInput(createSchema(entity), shown, closedTo.create(entity)))
  if (!parsed.ok) return parsed
  const given = withInitials(fields, parsed.value)
  const values = { ...initialValues(fields), ...given }
  const cleared = clearedFields(fields, values, given)
  const errors = await ruleErrors(fields, { ...values, ...cleared }, writable(fields, Object.keys(fields)))
  if (errors.length > 0) return refused('validation.failed', { errors })
  return accepted({ ...given, ...cleared })
}

/**
 * The fields that a change sets, checked: what it gives, and what it leaves out from now on (`when`) or allows no more
 * (`per`), which goes back to its initial value.
 */
export const validateChange = async (
  entity: EntityDeclaration,
  present: JsonObject,
  input: JsonObject,
): Promise<Result<JsonObject>> => {
  const { fields } = entity
  const shown = withoutHidden(fields, input, present)
  const parsed = withRules(fields, parseInput(changeSchema(entity), shown, closedTo.change(entity)))
  if (!parsed.ok) return parsed
  const given = withInitials(fields, parsed.value)
  const changes = { ...given, ...clearedFields(fields, { ...present, ...given }, given) }
  const affected = writable(fields, withDependents(fields, Object.keys(changes)))
  const errors = await ruleErrors(fields, { ...present, ...changes }, affected)
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(changes)
}

/** What has to go back to its initial value because `when` or `per` leaves it out; `given` values are judged instead. */
export const clearedFields = (fields: DeclaredFields, values: JsonObject, given: JsonObject = {}): JsonObject => {
  const cleared: Record<string, Json> = {}
  const hidden = hiddenFields(fields, values)
  for (const name of hidden) {
    const { initial = null, readonly = false } = fields[name] ?? {}
    if (!readonly && !same(values[name] ?? null, initial)) cleared[name] = initial
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
 * What a restore of `names` sets: their past values, those of fields that are shown again with them, and what is no
 * longer shown at its initial value.
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

/** The input without the fields that are not shown, in items of lists too. */
const withoutHidden = (fields: DeclaredFields, input: JsonObject, present: JsonObject): JsonObject => {
  const hidden = hiddenFields(fields, { ...present, ...input })
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => !hidden.has(name))
      .map(([name, value]) => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        return [name, field?.kind === 'list' ? shownItems(field.item, value) : value]
      }),
  )
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shownItems = (fields: DeclaredFields, value: Json): Json =>
  Array.isArray(value)
    ? value.map((item: Json) => (isObject(item) ? withoutHidden(fields, item, initialValues(fields)) : item))
    : value

/** Null stands for "none": the field goes back to its initial value. Items of lists get every member. */
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
