import type { SQLInputValue } from 'node:sqlite'
import type { Json } from '#schemas/event.ts'
import { isObject, toSql } from '../column-value.ts'
import { foldText } from '../fold-text.ts'
import type { ListQuery } from '../port.ts'
import { columnName, sortName, type Table } from '../table.ts'

export interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

export interface Order {
  /** Of the index that is in this order. */
  readonly key: string
  readonly descending: boolean
}

/** Columns that every table has. */
const COMMON = new Set(['id', 'revision', 'created_at', 'modified_at', 'created_by', 'modified_by'])
const NEVER: Condition = { sql: '0', values: [] }

export const conditionsOf = (filters: readonly Condition[], search: string, removed: boolean): Condition => {
  const conditions: Condition[] = [
    { sql: removed ? 'listed = 0 AND removed = 1 AND hidden = 0' : 'listed = 1', values: [] },
    ...filters,
    ...(search === '' ? [] : [{ sql: 'instr(folded, ?) > 0', values: [search] }]),
  ]
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

export const filtersOf = (table: Table, { filter }: Pick<ListQuery, 'filter'>): readonly Condition[] =>
  Object.entries(filter).map(([name, value]) => filterOf(table, name, value))

const filterOf = (table: Table, name: string, value: Json): Condition => {
  if (COMMON.has(name)) {
    if (isObject(value)) return rangeOf(`"${name}"`, value)
    return { sql: `"${name}" IS ?`, values: [typeof value === 'number' ? value : String(value)] }
  }
  const column = table.columns.find(one => one.name === name)
  if (column === undefined) return NEVER
  const key = columnName(name)
  if (column.secret) return { sql: `${key} IS ${value === null ? '' : 'NOT'} NULL`, values: [] }
  if (isObject(value)) return rangeOf(key, value)
  if ((column.kind === 'references' || column.kind === 'strings') && typeof value === 'string') {
    return { sql: `EXISTS (SELECT 1 FROM json_each(${key}) WHERE value = ?)`, values: [value] }
  }
  const stored = toSql(column, value)
  if (stored === null) return value === null ? { sql: `${key} IS NULL`, values: [] } : NEVER
  if (!column.folded || column.sortedByTitleOf !== null || typeof stored !== 'string')
    return { sql: `${key} = ?`, values: [stored] }
  return { sql: `${sortName(name)} = ? AND ${key} = ?`, values: [foldText(stored).slice(0, 120), stored] }
}

/** Both ends are inclusive; a missing value matches no range. */
const rangeOf = (key: string, { from, to }: Readonly<Record<string, Json>>): Condition => {
  const ends = [
    { sql: `${key} >= ?`, value: from },
    { sql: `${key} <= ?`, value: to },
  ].flatMap(({ sql, value }) => (typeof value === 'string' || typeof value === 'number' ? [{ sql, value }] : []))
  return { sql: ends.map(({ sql }) => sql).join(' AND ') || '1', values: ends.map(({ value }) => value) }
}

export const orderOf = (table: Table, sort: string | undefined): Order => {
  if (sort === undefined || sort === '') return { key: 'rid', descending: true }
  const descending = sort.startsWith('-')
  const name = descending ? sort.slice(1) : sort
  if (name === 'modified_at') return { key: 'seq', descending }
  if (COMMON.has(name)) return { key: `"${name}"`, descending }
  const column = table.columns.find(one => one.name === name)
  if (column === undefined || column.secret) return { key: 'rid', descending }
  return { key: column.folded ? sortName(name) : columnName(name), descending }
}
