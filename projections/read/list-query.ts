import type { SQLInputValue } from 'node:sqlite'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { foldText } from '../fold-text.ts'
import type { ListQuery, Page, Row, Scope, Selection } from '../port.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf } from '../statement-cache.ts'
import { listedValue, sortName, type Table, tableName, toSql } from '../table.ts'
import { type ModelReader, type Span, spanCondition } from './model-reader.ts'

interface Condition {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
  /** Few rows fit: an index of all that is listed must not be preferred. */
  readonly isNarrow?: boolean
}

interface Order {
  /** Of the index that is in this order. */
  readonly key: string
  readonly descending: boolean
}

/** Columns that every table has. */
const COMMON = new Set(['id', 'revision', 'created_at', 'modified_at', 'created_by', 'modified_by'])
const NEVER: Condition = { sql: '0', values: [] }

const conditionsOf = (filters: readonly Condition[], search: string, removed: boolean): Condition => {
  const listed = filters.some(({ isNarrow }) => isNarrow) ? '+listed' : 'listed'
  const conditions: Condition[] = [
    { sql: removed ? `${listed} = 0 AND removed = 1 AND hidden = 0` : `${listed} = 1`, values: [] },
    ...filters,
    ...(search === '' ? [] : [{ sql: 'instr(folded, ?) > 0', values: [search] }]),
  ]
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

const filtersOf = (table: Table, { filter }: Pick<ListQuery, 'filter'>): readonly Condition[] =>
  Object.entries(filter).map(([name, value]) => filterOf(table, name, value))

const filterOf = (table: Table, name: string, value: Json): Condition => {
  if (COMMON.has(name)) {
    if (isObject(value)) return rangeOf(`"${name}"`, value)
    return { sql: `"${name}" IS ?`, values: [typeof value === 'number' ? value : String(value)] }
  }
  const column = table.columns.find(one => one.name === name)
  if (column === undefined) return NEVER
  const key = listedValue(column)
  if (column.secret) return { sql: `${key} IS ${value === null ? '' : 'NOT'} NULL`, values: [] }
  if (isObject(value)) return rangeOf(key, value)
  if (column.kind === 'references' && typeof value === 'string') {
    const sql = "id IN (SELECT id FROM reference WHERE target = ? AND entity = ? AND block = '' AND field = ?)"
    return { sql, values: [value, table.name, name], isNarrow: true }
  }
  if (column.kind === 'strings' && typeof value === 'string')
    return { sql: `EXISTS (SELECT 1 FROM json_each(${key}) WHERE value = ?)`, values: [value] }
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

const orderOf = (table: Table, sort: string | undefined): Order => {
  if (sort === undefined || sort === '') return { key: 'rid', descending: true }
  const descending = sort.startsWith('-')
  const name = descending ? sort.slice(1) : sort
  if (name === 'modified_at') return { key: 'seq', descending }
  if (COMMON.has(name)) return { key: `"${name}"`, descending }
  const column = table.columns.find(one => one.name === name)
  if (column === undefined || column.secret) return { key: 'rid', descending }
  return { key: column.folded ? sortName(name) : listedValue(column), descending }
}

const UNLISTED = -1

/**
 * In-memory search text of one entity: SQLite takes 20 ms to find one letter in 100,000 rows, this takes 3. Built at
 * the first search, then updated with later changes.
 */
class SearchCatalog {
  readonly #statements: StatementCache
  readonly #entity: string
  /** By row id. */
  readonly #texts: string[] = []
  readonly #levels: number[] = []
  #seq = -1

  constructor(statements: StatementCache, entity: string) {
    this.#statements = statements
    this.#entity = entity
  }

  /** Row ids whose text holds `text`, oldest first. */
  find(text: string, isVisible: (level: number) => boolean): number[] {
    this.#refresh()
    const found: number[] = []
    const visible = new Map<number, boolean>()
    for (let rid = 1; rid < this.#texts.length; rid += 1) {
      const level = this.#levels[rid] ?? UNLISTED
      if (level === UNLISTED || !this.#texts[rid]?.includes(text)) continue
      let may = visible.get(level)
      if (may === undefined) {
        may = isVisible(level)
        visible.set(level, may)
      }
      if (may) found.push(rid)
    }
    return found
  }

  #refresh(): void {
    const rows = this.#statements
      .prepare(
        `SELECT rid, seq, level, listed, folded FROM ${tableName(this.#entity)} WHERE listed IN (0, 1) AND seq > ? ORDER BY rid`,
      )
      .all(this.#seq) as Record<string, number | string>[]
    for (const row of rows) {
      const rid = numberOf(row, 'rid')
      while (this.#texts.length <= rid) {
        this.#texts.push('')
        this.#levels.push(UNLISTED)
      }
      this.#texts[rid] = stringOf(row, 'folded')
      this.#levels[rid] = row.listed === 1 ? numberOf(row, 'level') : UNLISTED
      this.#seq = Math.max(this.#seq, numberOf(row, 'seq'))
    }
  }
}

/** Below this share of all rows, collecting and sorting the levels' rows is cheaper than an ordered scan. */
const SPARSE = 0.1

/** Lists: pages of what is there, newest first unless sorted, with an exact total. */
export class ListQueries {
  readonly #reader: ModelReader
  readonly #catalogs = new Map<string, SearchCatalog>()

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  list(scope: Scope, entity: string, query: ListQuery): Page<Row> {
    const { page, size } = query
    const table = this.#reader.tables.get(entity)
    const span = this.#reader.span(scope, query)
    if (table === undefined || span.kind === 'none') return { items: [], total: 0, page, size }
    const search = foldText(query.search ?? '')
    const filters = filtersOf(table, query)
    const order = orderOf(table, query.sort)
    const plain = filters.length === 0 && query.removed !== true
    const { rids, total } =
      plain && search !== ''
        ? this.#searched(table, span, search, order, query)
        : this.#selected(table, span, conditionsOf(filters, search, query.removed === true), plain, order, query)
    return { items: this.#rows(table, rids), total, page, size }
  }

  /** Ids and revisions of all that a list holds over its pages, in its order, at most `limit`. */
  selection(scope: Scope, entity: string, query: Omit<ListQuery, 'page' | 'size'>, limit: number): Selection {
    const table = this.#reader.tables.get(entity)
    const span = this.#reader.span(scope, query)
    if (table === undefined || span.kind === 'none') return { items: [], total: 0 }
    const conditions = conditionsOf(filtersOf(table, query), foldText(query.search ?? ''), query.removed === true)
    const total = this.#counted(table, span, conditions)
    if (total > limit) return { items: [], total }
    const level = spanCondition(span, '+level')
    const { key, descending } = orderOf(table, query.sort)
    const direction = descending ? 'DESC' : 'ASC'
    const rows = this.#reader.statements.all(
      `SELECT id, revision FROM ${tableName(entity)} WHERE ${conditions.sql} ${level.sql} ORDER BY ${key} ${direction}, rid ${direction}`,
      ...conditions.values,
      ...level.values,
    )
    return { items: rows.map(row => ({ id: stringOf(row, 'id'), revision: numberOf(row, 'revision') })), total }
  }

  /** Rows by id in the given order; without those outside the scope's level or no longer listed. */
  rows(scope: Scope, entity: string, ids: readonly string[]): readonly Row[] {
    const table = this.#reader.tables.get(entity)
    if (table === undefined) return []
    const span = this.#reader.span(scope)
    const select = `SELECT * FROM ${tableName(entity)} WHERE id = ?`
    return ids.flatMap(id => {
      const row = this.#reader.statements.get(select, id)
      const isVisible = row !== undefined && this.#reader.isIn(numberOf(row, 'level'), span)
      return isVisible && (row.listed === 1 || row.removed === 1) ? [this.#reader.row(table, row)] : []
    })
  }

  catalog(entity: string): SearchCatalog {
    let catalog = this.#catalogs.get(entity)
    if (catalog === undefined) {
      catalog = new SearchCatalog(this.#reader.statements, entity)
      this.#catalogs.set(entity, catalog)
    }
    return catalog
  }

  #selected(
    table: Table,
    span: Span,
    conditions: Condition,
    plain: boolean,
    order: Order,
    query: ListQuery,
  ): { rids: number[]; total: number } {
    const all = this.#tallied(table, { kind: 'all' })
    const total = plain ? this.#tallied(table, span) : this.#counted(table, span, conditions)
    const offset = (query.page - 1) * query.size
    const limit = Math.min(query.size, total - offset)
    if (limit <= 0) return { rids: [], total }
    const sparse = plain && span.kind === 'below' && total < all * SPARSE
    const hint = sparse ? this.#reader.hint(`i_${table.name}_level`) : ''
    const level = spanCondition(span, sparse ? 'level' : '+level')
    const fromEnd = offset > total / 2
    const direction = order.descending === fromEnd ? 'ASC' : 'DESC'
    const by = order.key === 'rid' ? `rid ${direction}` : `${order.key} ${direction}, rid ${direction}`
    const rows = this.#reader.statements.all(
      `SELECT rid FROM ${tableName(table.name)} ${hint} WHERE ${conditions.sql} ${level.sql} ORDER BY ${by} LIMIT ? OFFSET ?`,
      ...conditions.values,
      ...level.values,
      limit,
      fromEnd ? total - offset - limit : offset,
    )
    const rids = rows.map(row => numberOf(row, 'rid'))
    return { rids: fromEnd ? rids.reverse() : rids, total }
  }

  #searched(
    table: Table,
    span: Span,
    search: string,
    order: Order,
    query: ListQuery,
  ): { rids: number[]; total: number } {
    const found = this.catalog(table.name).find(search, level => this.#reader.isIn(level, span))
    const total = found.length
    const offset = (query.page - 1) * query.size
    if (offset >= total) return { rids: [], total }
    if (order.key === 'rid') {
      const ordered = order.descending ? found.reverse() : found
      return { rids: ordered.slice(offset, offset + query.size), total }
    }
    return { rids: this.#sorted(table, found, order, offset, query.size), total }
  }

  /** Walks in the asked order over the index and picks what was found, until the page is full. */
  #sorted(table: Table, found: readonly number[], order: Order, offset: number, size: number): number[] {
    const wanted = new Set(found)
    const direction = order.descending ? 'DESC' : 'ASC'
    const picked: number[] = []
    const walk = this.#reader.statements
      .prepare(
        `SELECT rid FROM ${tableName(table.name)} WHERE listed = 1 ORDER BY ${order.key} ${direction}, rid ${direction}`,
      )
      .iterate() as Iterable<SqlRow>
    for (const row of walk) {
      const rid = numberOf(row, 'rid')
      if (wanted.has(rid)) picked.push(rid)
      if (picked.length === offset + size) break
    }
    return picked.slice(offset)
  }

  #tallied(table: Table, span: Span): number {
    const level = spanCondition(span, 'level')
    const sql = `SELECT sum(n) AS n FROM tally WHERE entity = ? ${level.sql}`
    return numberOf(this.#reader.statements.get(sql, table.name, ...level.values), 'n')
  }

  #counted(table: Table, span: Span, { sql, values }: Condition): number {
    const level = spanCondition(span, '+level')
    const row = this.#reader.statements.get(
      `SELECT count(*) AS n FROM ${tableName(table.name)} WHERE ${sql} ${level.sql}`,
      ...values,
      ...level.values,
    )
    return numberOf(row, 'n')
  }

  #rows(table: Table, rids: readonly number[]): Row[] {
    const select = `SELECT * FROM ${tableName(table.name)} WHERE rid = ?`
    return rids.flatMap(rid => {
      const row = this.#reader.statements.get(select, rid)
      return row === undefined ? [] : [this.#reader.row(table, row)]
    })
  }
}
