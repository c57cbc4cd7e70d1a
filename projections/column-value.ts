import { hash } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FieldKind } from '#schemas/field/kind.ts'
import type { Column } from './table.ts'

type SqlValue = null | number | string

/** Personal value with a deleted key. */
export const FORGOTTEN = '$forgotten'
const SET: Json = { set: true }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSecret = (value: Json): value is JsonObject => isObject(value) && '$secret' in value

/** Member of a secret in a stored list that changes with its ciphertext, so that history sees a new secret. */
const MARK = '$mark'
const MARK_LENGTH = 16

const mapMembers = (value: Json, map: (member: Json) => Json): Json =>
  Array.isArray(value)
    ? value.map((item: Json) =>
        isObject(item) ? Object.fromEntries(Object.entries(item).map(([name, member]) => [name, map(member)])) : item,
      )
    : value

const markSecret = (value: Json): Json =>
  isSecret(value) ? { set: true, [MARK]: hash('sha256', JSON.stringify(value), 'base64').slice(0, MARK_LENGTH) } : value

const withoutMark = (value: Json): Json => (isObject(value) && MARK in value ? SET : value)

/** A stored value as it is answered. */
export const answer = (kind: FieldKind, value: Json): Json => (kind === 'list' ? mapMembers(value, withoutMark) : value)

/** Stored form of an event value: a secret as `{set: true}`, a forgotten personal value as null. */
export const shown = (column: Column, value: Json): Json => {
  if (column.kind === 'list') return mapMembers(value, markSecret)
  if (value === null || (isObject(value) && FORGOTTEN in value)) return null
  if (column.secret || isSecret(value)) return SET
  return value
}

export const isShownSecret = (column: Column, value: Json): boolean =>
  column.secret || (column.secretWhen !== null && isObject(value) && value.set === true)

const STRUCTURED: ReadonlySet<FieldKind> = new Set([
  'json',
  'strings',
  'references',
  'list',
  'file',
  'image',
  'palette',
])

const isStructured = (column: Column): boolean =>
  column.secret || column.secretWhen !== null || STRUCTURED.has(column.kind)

const WHOLE: ReadonlySet<FieldKind> = new Set(['integer', 'duration'])
const NOT_TEXT: ReadonlySet<FieldKind> = new Set(['boolean', 'integer', 'number', 'duration'])

/** A shown value as its column holds it. A value that is not of the column's kind is kept as nothing. */
export const toSql = (column: Column, value: Json): SqlValue => {
  if (value === null) return null
  if (isStructured(column)) return JSON.stringify(value)
  switch (typeof value) {
    case 'boolean':
      return column.kind === 'boolean' ? Number(value) : null
    case 'number':
      return column.kind === 'number' || (WHOLE.has(column.kind) && Number.isInteger(value)) ? value : null
    case 'string':
      return NOT_TEXT.has(column.kind) ? null : value
    default:
      return null
  }
}

export const fromSql = (column: Column, value: unknown): Json => {
  if (typeof value === 'number') return column.kind === 'boolean' && column.secretWhen === null ? value === 1 : value
  if (typeof value !== 'string') return null
  return isStructured(column) ? (JSON.parse(value) as Json) : value
}
