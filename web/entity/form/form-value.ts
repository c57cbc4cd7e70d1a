import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'

export type FormValues = Record<string, unknown>

const isSet = (value: unknown): boolean => typeof value === 'object' && value !== null && 'set' in value

/** Whether the value is hidden now: such a field says "set" and takes a new value only. */
export const isSecret = (field: Field, values: FormValues): boolean =>
  field.secret || (field.secretWhen !== undefined && values[field.secretWhen] === true)

/** What a form begins with: the row's values, else the declaration's; JSON as text, a kept secret as itself. */
export const initialValues = (entity: EntityDeclaration, row: Row | undefined): FormValues =>
  Object.fromEntries(
    Object.entries(entity.fields).map(([name, field]) => {
      const value = row === undefined ? (field.initial as Value) : (row[name] ?? null)
      if (field.kind === 'json') return [name, value === null ? '' : JSON.stringify(value, null, 2)]
      return [name, value]
    }),
  )

const EMPTY = ''

/** The body's value of one field; undefined leaves it out. */
export const sentValue = (field: Field, value: unknown): Value | undefined => {
  if (isSet(value)) return undefined
  if (field.kind === 'json')
    return typeof value === 'string' && value.trim() !== '' ? (JSON.parse(value) as Value) : null
  if (value === EMPTY || value === undefined) return field.required && field.kind === 'string' ? '' : null
  return value as Value
}

/** Body of a create: what can be given and is not empty; none for what is required and empty. */
export const createBody = (entity: EntityDeclaration, values: FormValues): Record<string, Value> => {
  const body: Record<string, Value> = {}
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.readonly) continue
    const value = sentValue(field, values[name])
    if (value !== undefined && (value !== null || field.required)) body[name] = value
  }
  return body
}

/** Body of a change: the touched fields alone. */
export const changeBody = (
  entity: EntityDeclaration,
  values: FormValues,
  touched: readonly string[],
): Record<string, Value> => {
  const body: Record<string, Value> = {}
  for (const name of touched) {
    const field = entity.fields[name]
    if (field === undefined || field.readonly || field.fixed) continue
    const value = sentValue(field, values[name])
    if (value !== undefined) body[name] = value
  }
  return body
}
