import { hiddenFields } from '#domain/field/stored-items.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { parseJson } from '#schemas/json.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'

/** Texts of a field in the reader's language. */
export interface FieldTexts {
  readonly label: string
  readonly hint: string | undefined
  option(value: string): string
  /** Texts of a field of the list's items. */
  member(name: string): FieldTexts
}

/** An error of a field, in the reader's language. */
export interface FieldFault {
  /** Dotted: `headers.0.value`. */
  readonly path: string
  readonly message: string
}

/** The faults below a path, with the rest of their paths. */
export const nestedFaults = (faults: readonly FieldFault[], path: string): readonly FieldFault[] =>
  faults.flatMap(fault =>
    fault.path.startsWith(`${path}.`) ? [{ ...fault, path: fault.path.slice(path.length + 1) }] : [],
  )

export type FormValues = Record<string, unknown>

const isSet = (value: unknown): boolean => typeof value === 'object' && value !== null && 'set' in value

/** Whether the value is hidden now: such a field shows whether it is set and takes only a new value. */
export const isSecret = (field: Field, values: FormValues): boolean =>
  field.secret || (field.secretWhen !== undefined && values[field.secretWhen] === true)

const itemsOf = (value: unknown): readonly FormValues[] => (Array.isArray(value) ? value : [])

const mapMembers = (
  fields: Readonly<Record<string, Field>>,
  item: FormValues,
  map: (field: Field, value: unknown) => unknown,
): FormValues =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const field = fields[name]
      return [name, field === undefined ? value : map(field, value)]
    }),
  )

/** A stored value as its control edits it: JSON as text, in items of lists too. */
export const controlValue = (field: Field, value: unknown): unknown => {
  if (field.kind === 'json') return value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
  if (field.kind === 'list') return itemsOf(value).map(item => mapMembers(field.item, item, controlValue))
  return value
}

/** The values of a new form: the row's, or the declaration's initial ones. */
export const initialValues = (entity: EntityDeclaration, row: Row | undefined): FormValues =>
  Object.fromEntries(
    Object.entries(entity.fields).map(([name, field]) => [
      name,
      controlValue(field, row === undefined ? field.initial : (row[name] ?? null)),
    ]),
  )

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

const isJson = (value: unknown): boolean => isBlank(value) || parseJson(String(value)) !== undefined

/** Paths of the JSON texts that cannot be parsed. */
export const invalidJsonPaths = (fields: Readonly<Record<string, Field>>, values: FormValues): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]): readonly string[] => {
    if (field.kind === 'json') return isJson(values[name]) ? [] : [name]
    if (field.kind !== 'list') return []
    return itemsOf(values[name]).flatMap((item, place) =>
      invalidJsonPaths(field.item, item).map(path => `${name}.${place}.${path}`),
    )
  })

const itemValue = (field: Field, value: unknown): unknown => {
  if (field.secret && isSet(value)) return value
  const sent = bodyValue(field, value)
  return field.secret && sent === '' ? null : sent
}

/** The value of one field in a body; undefined leaves the field out. */
export const bodyValue = (field: Field, value: unknown): Value | undefined => {
  if (isSet(value)) return undefined
  if (field.kind === 'json') return isBlank(value) || !isJson(value) ? null : (JSON.parse(String(value)) as Value)
  if (field.kind === 'list') return itemsOf(value).map(item => mapMembers(field.item, item, itemValue)) as Value
  if (value === '' || value === undefined) return field.required && field.kind === 'string' ? '' : null
  return value as Value
}

/** The values of a form as a record would hold them. */
export const recordValues = (entity: EntityDeclaration, values: FormValues): JsonObject =>
  Object.fromEntries(
    Object.entries(entity.fields).map(([name, field]) => {
      const value = values[name]
      return [name, (isSet(value) ? value : (bodyValue(field, value) ?? null)) as Value]
    }),
  )

/** Body of a create: every shown field that is filled in; null for a required one that is not. */
export const createBody = (entity: EntityDeclaration, values: FormValues): Record<string, Value> => {
  const hidden = hiddenFields(entity.fields, recordValues(entity, { ...initialValues(entity, undefined), ...values }))
  const body: Record<string, Value> = {}
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.readonly || hidden.has(name)) continue
    const value = bodyValue(field, values[name])
    if (value !== undefined && (value !== null || field.required)) body[name] = value
  }
  return body
}

/** Body of a change: the touched fields that are shown. */
export const changeBody = (
  entity: EntityDeclaration,
  values: FormValues,
  touched: readonly string[],
): Record<string, Value> => {
  const hidden = hiddenFields(entity.fields, recordValues(entity, values))
  const body: Record<string, Value> = {}
  for (const name of touched) {
    const field = entity.fields[name]
    if (field === undefined || field.readonly || field.fixed || hidden.has(name)) continue
    const value = bodyValue(field, values[name])
    if (value !== undefined) body[name] = value
  }
  return body
}

/** Field name of a dotted path. */
export const fieldOfPath = (path: string): string => path.split('.')[0] ?? ''

/** The fault shown under a field: its own, or of a part without a control. */
export const faultOf = (name: string, field: Field, faults: readonly FieldFault[]): FieldFault | undefined =>
  faults.find(({ path }) => path === name) ??
  (field.kind === 'list' ? undefined : faults.find(({ path }) => fieldOfPath(path) === name))
