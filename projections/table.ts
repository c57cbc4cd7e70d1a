import { hash } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FieldKind } from '#schemas/field/kind.ts'
import { isObject } from '#schemas/json.ts'

export interface Column {
  readonly name: string
  readonly kind: FieldKind
  readonly secret: boolean
  /** Secret only while the boolean field of this name is true. */
  readonly secretWhen: string | null
  readonly personal: boolean
  /** Has a folded twin `s_<name>` to sort by. */
  readonly folded: boolean
  /** Entity whose title the twin of a reference holds; null for what is no such reference. */
  readonly sortedByTitleOf: string | null
  readonly indexed: boolean
  /** No event of the thing sets it after the first one. */
  readonly unversioned?: true
  /** Words of people: its changes are stored without values. */
  readonly words?: true
  /** Column whose value counts while this one is empty. */
  readonly fallback?: string
  /** Value before any event sets it, as JSON. */
  readonly initial: string
}

/** The read model of one declared entity: plain data, so that it crosses threads and is kept in the file it shaped. */
export interface Table {
  readonly name: string
  /** Prefix of its events. */
  readonly type: string
  readonly title: string
  /** Reference column of the parent; null for entities with a level or none. */
  readonly parent: string | null
  /** Its parent cannot be removed while it is there: the parent is a reference like others. */
  readonly holdsParent?: true
  /** Reference columns whose target takes the row with it. They have the name of the target's entity. */
  readonly removedWith?: readonly string[]
  /** The parent may be missing: the level is the one that its own events give. */
  readonly ownLevel?: true
  /** Each parent has exactly one row, from the start and at its defaults. */
  readonly single?: true
  readonly columns: readonly Column[]
  readonly search: readonly string[]
}

export const tableName = (entity: string): string => `"e_${entity}"`
export const columnName = (field: string): string => `f_${field}`
export const sortName = (field: string): string => `s_${field}`
/** The value that lists filter and sort by. */
export const listedValue = ({ name, fallback }: Column): string =>
  fallback === undefined ? columnName(name) : `coalesce(${columnName(name)}, ${columnName(fallback)})`

const TYPES: Partial<Record<FieldKind, string>> = {
  boolean: 'INTEGER',
  integer: 'INTEGER',
  duration: 'INTEGER',
  number: 'REAL',
}

export const createTable = (table: Table): string => {
  const fields = table.columns.flatMap(column => [
    `${columnName(column.name)} ${column.secretWhen === null ? (TYPES[column.kind] ?? 'TEXT') : 'TEXT'}`,
    ...(column.folded ? [`${sortName(column.name)} TEXT`] : []),
  ])
  return `CREATE TABLE ${tableName(table.name)} (
    rid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL, level INTEGER NOT NULL,
    seq INTEGER NOT NULL, listed INTEGER NOT NULL, removed INTEGER NOT NULL, hidden INTEGER NOT NULL,
    created_at TEXT NOT NULL, created_by TEXT, modified_at TEXT NOT NULL, modified_by TEXT,
    ${fields.map(field => `${field},`).join(' ')} folded TEXT NOT NULL) STRICT`
}

/** Made after the first catching up, so that a rebuild sorts each index once. */
export const createIndexes = (table: Table): readonly string[] => {
  const name = tableName(table.name)
  const indexed = table.columns.filter(column => column.indexed)
  return [
    `CREATE INDEX "i_${table.name}_listed" ON ${name} (listed, rid, level)`,
    `CREATE INDEX "i_${table.name}_level" ON ${name} (level, listed)`,
    `CREATE INDEX "i_${table.name}_seq" ON ${name} (listed, seq, rid, level)`,
    `CREATE INDEX "i_${table.name}_created" ON ${name} (listed, created_at, rid, level)`,
    ...indexed.map(column => {
      const key = column.folded && column.sortedByTitleOf === null ? sortName(column.name) : listedValue(column)
      return `CREATE INDEX "i_${table.name}_f_${column.name}" ON ${name} (listed, ${key}, rid, level)`
    }),
    ...table.columns
      .filter(column => column.sortedByTitleOf !== null)
      .map(
        ({ name: field }) =>
          `CREATE INDEX "i_${table.name}_s_${field}" ON ${name} (listed, ${sortName(field)}, rid, level)`,
      ),
  ]
}

/** Created with the table: catching up also finds children of a removed parent by it. */
export const createParentIndex = (table: Table): string =>
  table.parent === null
    ? ''
    : `CREATE INDEX "i_${table.name}_parent" ON ${tableName(table.name)} (${columnName(table.parent)}, listed)`

type SqlValue = null | number | string

/** Personal value with a deleted key. */
export const FORGOTTEN = '$forgotten'
const SET: Json = { set: true }

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
