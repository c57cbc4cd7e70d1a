import type { Json, JsonObject } from '#schemas/event.ts'
import type { Column } from './table.ts'

export type SqlValue = null | number | string

/** A personal value whose key is gone. */
export const FORGOTTEN = '$forgotten'
const SET: Json = { set: true }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSecret = (value: Json): boolean => isObject(value) && '$secret' in value

/** What reads may show of a value in an event: a secret as `{set: true}`, a forgotten personal value as null. */
export const shown = (column: Column, value: Json): Json => {
  if (value === null || (isObject(value) && FORGOTTEN in value)) return null
  if (column.secret || isSecret(value)) return SET
  return value
}

export const isShownSecret = (column: Column, value: Json): boolean =>
  column.secret || (column.secretWhen !== null && isObject(value) && value.set === true)

const isStructured = (column: Column): boolean =>
  column.secret ||
  column.secretWhen !== null ||
  column.kind === 'json' ||
  column.kind === 'strings' ||
  column.kind === 'references'

/** A shown value as its column holds it. A value that is not of the column's kind is kept as nothing. */
export const toSql = (column: Column, value: Json): SqlValue => {
  if (value === null) return null
  if (isStructured(column)) return JSON.stringify(value)
  switch (typeof value) {
    case 'boolean':
      return column.kind === 'boolean' ? Number(value) : null
    case 'number':
      return column.kind === 'number' || (column.kind === 'integer' && Number.isInteger(value)) ? value : null
    case 'string':
      return column.kind === 'boolean' || column.kind === 'integer' || column.kind === 'number' ? null : value
    default:
      return null
  }
}

export const fromSql = (column: Column, value: unknown): Json => {
  if (typeof value === 'number') return column.kind === 'boolean' && column.secretWhen === null ? value === 1 : value
  if (typeof value !== 'string') return null
  return isStructured(column) ? (JSON.parse(value) as Json) : value
}
