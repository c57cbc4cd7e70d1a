import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { singleId } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import { foldText } from '../fold-text.ts'
import type { StatementCache } from '../statement-cache.ts'
import {
  type Column,
  columnName,
  FORGOTTEN,
  isShownSecret,
  shown,
  sortName,
  type Table,
  tableName,
  toSql,
} from '../table.ts'
import type { StoredChange } from './audit-log.ts'

export const SORT_KEY_LENGTH = 120
const SEARCHED = 2000
/** The same with the texts of lists. */
const SEARCHED_IN_LISTS = 50_000
const REMEMBERED = 1000

const STANDING = ['rid', 'level', 'listed', 'removed', 'hidden'] as const
const ENVELOPE = ['revision', 'seq', 'modified_at', 'modified_by'] as const
const CREATED = ['id', 'revision', 'level', 'seq', 'listed', 'removed', 'hidden'] as const
const STAMPS = ['created_at', 'created_by', 'modified_at', 'modified_by'] as const

/** Prepared once for each set of fields that change together: columns to read before, and columns to write. */
export interface UpdatePlan {
  readonly columns: readonly Column[]
  readonly read: StatementSync
  readonly write: StatementSync
  /** Its search text changes too. */
  readonly searched: boolean
}

/** Computes a value that follows from a table once for each table. */
const oncePerTable = <T>(compute: (table: Table) => T): ((table: Table) => T) => {
  const computed = new WeakMap<Table, T>()
  return table => {
    const known = computed.get(table)
    if (known !== undefined) return known
    const value = compute(table)
    computed.set(table, value)
    return value
  }
}

/** Initial values of all fields. */
const initialOf = oncePerTable(
  ({ columns }): JsonObject =>
    Object.fromEntries(columns.map(({ name, initial }) => [name, JSON.parse(initial) as Json])),
)

/** A column of a new row, and what its initial value becomes where that follows from nothing but the declaration. */
interface InsertedColumn {
  readonly column: Column
  readonly initial: Json
  readonly atInitial:
    | { readonly values: readonly SQLInputValue[]; readonly changes: readonly StoredChange[] }
    | undefined
}

const insertedColumns = oncePerTable(({ columns }): readonly InsertedColumn[] =>
  columns.map(column => {
    const initial = JSON.parse(column.initial) as Json
    const isPlain = initial === null || (typeof initial !== 'object' && column.kind !== 'reference')
    if (!isPlain) return { column, initial, atInitial: undefined }
    const values: SQLInputValue[] = []
    pushValue(values, column, initial, () => null)
    return { column, initial, atInitial: { values, changes: createdOf(column, initial) } }
  }),
)

/** The statements that fold one table's events, reading and writing no more columns than an event touches. */
export class RowPlans {
  readonly insert: StatementSync
  /** Level and visibility of a row. */
  readonly standing: StatementSync
  readonly inserted: readonly InsertedColumn[]
  readonly #statements: StatementCache
  readonly #table: Table
  readonly #columns: ReadonlyMap<string, Column>
  readonly #updates = new Map<string, UpdatePlan>()

  constructor(statements: StatementCache, table: Table) {
    this.#statements = statements
    this.#table = table
    this.#columns = new Map(table.columns.map(column => [column.name, column]))
    this.inserted = insertedColumns(table)
    this.standing = statements.prepare(`SELECT level, listed FROM ${tableName(table.name)} WHERE id = ?`)
    const fields = table.columns.flatMap(columnsOf)
    const names = [...CREATED, ...STAMPS, ...fields, 'folded']
    this.insert = statements.prepare(
      `INSERT INTO ${tableName(table.name)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    )
  }

  update(fields: JsonObject): UpdatePlan {
    const names = Object.keys(fields)
    const key = names.join(' ')
    let plan = this.#updates.get(key)
    if (plan === undefined) {
      plan = this.#plan(names)
      if (this.#updates.size >= REMEMBERED) this.#updates.clear()
      this.#updates.set(key, plan)
    }
    return plan
  }

  #plan(names: readonly string[]): UpdatePlan {
    const columns = names.flatMap(name => this.#columns.get(name) ?? []).filter(column => column.unversioned !== true)
    const searched = columns.some(({ name }) => this.#table.search.includes(name))
    const read = new Set([...columns.map(({ name }) => name), ...(searched ? this.#table.search : [])])
    const table = tableName(this.#table.name)
    const set = [...ENVELOPE, ...columns.flatMap(columnsOf), ...(searched ? ['folded'] : [])]
    return {
      columns,
      searched,
      read: this.#statements.prepare(
        `SELECT ${[...STANDING, ...[...read].map(columnName)].join(', ')} FROM ${table} WHERE id = ?`,
      ),
      write: this.#statements.prepare(`UPDATE ${table} SET ${set.map(name => `${name} = ?`).join(', ')} WHERE rid = ?`),
    }
  }
}

const columnsOf = (column: Column): string[] =>
  column.folded ? [columnName(column.name), sortName(column.name)] : [columnName(column.name)]

/** Adds a value, and its twin to sort by, to the values of a statement. */
export const pushValue = (
  values: SQLInputValue[],
  column: Column,
  given: Json,
  titleOf: (entity: string, id: Json) => string | null,
): void => {
  const stored = toSql(column, shown(column, given))
  values.push(stored)
  if (column.sortedByTitleOf !== null) values.push(titleOf(column.sortedByTitleOf, given))
  else if (column.folded) values.push(typeof stored === 'string' ? foldText(stored).slice(0, SORT_KEY_LENGTH) : null)
}

/** Search text of an entity: its texts, and those in its lists. `read` returns a value, or a list as its JSON. */
export const foldedOf = (table: Table, read: (field: string) => Json): string => {
  const { texts, lists } = searchedIn(table)
  const parts = texts.map(read)
  const folded = foldedParts(parts.filter(part => typeof part === 'string')).slice(0, SEARCHED)
  const listed = lists.flatMap(name => textsIn(parsed(read(name))))
  return listed.length === 0 ? folded : foldedParts([folded, ...listed]).slice(0, SEARCHED_IN_LISTS)
}

/** Searched fields of a table: texts, and lists of texts. */
const searchedIn = oncePerTable(({ columns, search }) => {
  const lists = new Set(columns.filter(({ kind }) => LISTS.has(kind)).map(({ name }) => name))
  return { texts: search.filter(name => !lists.has(name)), lists: search.filter(name => lists.has(name)) }
})

const foldedParts = (parts: readonly string[]): string =>
  parts.map(foldText).join(' \u0000 ').replace(/ {2,}/g, ' ').trim()

const LISTS: ReadonlySet<string> = new Set(['list', 'strings'])

const parsed = (value: Json): Json => (typeof value === 'string' ? (JSON.parse(value) as Json) : value)

/** Texts of a list, or of the members of its items but their ids. */
const textsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (name === 'id' ? [] : textsIn(member)))
}

export const fieldsOf = (data: JsonObject): JsonObject => (isObject(data.fields) ? data.fields : {})

/** On create, every value and every cleared default counts as changed. */
export const createdOf = (column: Column, given: Json): StoredChange[] => {
  if (given !== null) return changeOf(column, null, given, true)
  return column.initial === 'null' ? [] : [{ path: column.name, before: null, after: null }]
}

/** `whole`: the thing is created or brought back whole; a secret that stays set is no change then. */
export const changeOf = (column: Column, before: Json, given: Json, whole: boolean): StoredChange[] => {
  if (isObject(given) && FORGOTTEN in given) return []
  const after = shown(column, given)
  if (isShownSecret(column, before) || isShownSecret(column, after)) {
    if (whole && (before === null) === (after === null)) return []
    return [{ path: column.name, before: null, after: null, secret: true, set: after !== null }]
  }
  if (jsonEqual(before, after)) return []
  if (column.words === true) return [{ path: column.name, before: null, after: null, words: true }]
  return [{ path: column.name, before, after, ...(column.kind === 'list' ? { list: true } : {}) }]
}

interface Single {
  readonly table: Table
  readonly id: string
  readonly fields: JsonObject
}

/** Entities that exist exactly once per parent; the root also gets those that exist once per installation. */
export const singlesIn = (
  singles: Iterable<Table>,
  { name }: Table,
  id: string,
  { parent }: JsonObject,
): readonly Single[] => {
  const isRoot = name === 'hierarchy' && typeof parent !== 'string'
  const found: Single[] = []
  for (const table of singles) {
    if (table.parent === name)
      found.push({ table, id: singleId(table.name, id), fields: { ...initialOf(table), [name]: id } })
    else if (table.parent === null && isRoot)
      found.push({ table, id: singleId(table.name, null), fields: initialOf(table) })
  }
  return found
}
