import type { SQLInputValue } from 'node:sqlite'
import { same } from '#domain/same.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { entityEventSchema, verbOf } from '#schemas/events/entity.ts'
import { FORGOTTEN, fromSql, isObject, isShownSecret, shown, toSql } from '../column-value.ts'
import { foldText } from '../fold-text.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf, textOf } from '../statement-cache.ts'
import { type Column, columnName, type Table, tableName } from '../table.ts'
import type { AuditLog, StoredChange } from './audit-log.ts'
import type { LevelTree } from './level-tree.ts'

const SORTED = 120
const SEARCHED = 2000

interface Standing {
  readonly level: number
  readonly hidden: number
}

/** Folds the events of declared entities into one row each, and one audit line each. */
export class EntityRows {
  readonly #tables: ReadonlyMap<string, Table>
  readonly #statements: StatementCache
  readonly #levels: LevelTree
  readonly #audit: AuditLog
  readonly #touch: (entity: string, id: string) => void

  constructor(
    tables: ReadonlyMap<string, Table>,
    statements: StatementCache,
    levels: LevelTree,
    audit: AuditLog,
    touch: (entity: string, id: string) => void,
  ) {
    this.#tables = tables
    this.#statements = statements
    this.#levels = levels
    this.#audit = audit
    this.#touch = touch
  }

  row(table: Table, id: string): SqlRow | undefined {
    return this.#statements.get(`SELECT * FROM ${tableName(table.name)} WHERE id = ?`, id)
  }

  levelOf(table: Table, id: string): number {
    return numberOf(this.row(table, id), 'level')
  }

  /** The verb that was folded; undefined for what leaves no row, such as an abandoned stream. */
  apply(event: StoredEvent, table: Table, id: string, seq: number): string | undefined {
    const verb = verbOf(table.type, event.type)
    const data = entityEventSchema.safeParse(event.data)
    const fields = data.success ? (data.data.fields as JsonObject) : {}
    const row = this.row(table, id)
    if (row === undefined) {
      if (verb !== 'created') return undefined
      this.#insert(event, table, id, fields, seq)
    } else {
      this.#update(event, table, id, row, verb, fields, seq)
    }
    this.#touch(table.name, id)
    return verb
  }

  #insert(event: StoredEvent, table: Table, id: string, fields: JsonObject, seq: number): void {
    const standing = this.#standing(table, id, fields, event.level)
    const values: Record<string, SQLInputValue> = {
      id,
      revision: event.revision,
      level: standing.level,
      seq,
      listed: 1 - standing.hidden,
      removed: 0,
      hidden: standing.hidden,
      created_at: event.time,
      created_by: event.actor,
      modified_at: event.time,
      modified_by: event.actor,
    }
    const after = new Map<string, Json>()
    for (const column of table.columns) {
      const value = shown(column, givenOf(column, fields))
      after.set(column.name, value)
      assign(values, column, value)
    }
    values.folded = foldedOf(table, after)
    const names = Object.keys(values)
    this.#statements.run(
      `INSERT INTO ${tableName(table.name)} (${names.map(name => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ...Object.values(values),
    )
    this.#tally(table.name, standing.level, 1 - standing.hidden)
    const changes = table.columns.flatMap(column => createdOf(column, givenOf(column, fields)))
    this.#line(event, table, id, 'created', standing.level, changes)
  }

  #update(
    event: StoredEvent,
    table: Table,
    id: string,
    row: SqlRow,
    verb: string,
    fields: JsonObject,
    seq: number,
  ): void {
    if (verb === 'fenced') {
      this.#statements.run(`UPDATE ${tableName(table.name)} SET revision = ? WHERE id = ?`, event.revision, id)
      return
    }
    const values: Record<string, SQLInputValue> = {
      revision: event.revision,
      seq,
      modified_at: event.time,
      modified_by: event.actor,
    }
    const changes: StoredChange[] = []
    const after = new Map<string, Json>()
    for (const column of table.columns) {
      const before = fromSql(column, row[`f_${column.name}`])
      const given = fields[column.name]
      after.set(column.name, given === undefined ? before : shown(column, given))
      if (given === undefined) continue
      changes.push(...changeOf(column, before, given, verb === 'restored' && row.removed === 1))
      assign(values, column, shown(column, given))
    }
    if (table.search.some(name => name in fields)) values.folded = foldedOf(table, after)
    const removed = verb === 'removed' ? 1 : verb === 'restored' ? 0 : numberOf(row, 'removed')
    const standing = this.#standing(table, id, Object.fromEntries(after), event.level ?? undefined, row)
    this.#write(table, row, removed, standing, values)
    this.#line(event, table, id, verb, standing.level, changes)
    if (removed !== row.removed || standing.level !== row.level || standing.hidden !== row.hidden) {
      this.#cascade(table, id, { level: standing.level, hidden: Math.max(removed, standing.hidden) }, seq)
    }
  }

  /** Its own level, or that of what it lies in; hidden while what it lies in is removed. */
  #standing(table: Table, id: string, fields: JsonObject, level: string | null | undefined, row?: SqlRow): Standing {
    if (table.name === 'hierarchy') {
      this.#levels.place(id, typeof fields.parent === 'string' ? fields.parent : null)
      return { level: this.#levels.key(id), hidden: 0 }
    }
    const above = table.parent === null ? undefined : this.#tables.get(table.parent)
    const parent = above === undefined ? undefined : this.row(above, String(fields[above.name] ?? ''))
    if (parent !== undefined) {
      return {
        level: numberOf(parent, 'level'),
        hidden: Math.max(numberOf(parent, 'removed'), numberOf(parent, 'hidden')),
      }
    }
    const own = level === undefined && row !== undefined ? numberOf(row, 'level') : this.#levels.key(level ?? null)
    return { level: own, hidden: 0 }
  }

  #write(table: Table, row: SqlRow, removed: number, standing: Standing, values: Record<string, SQLInputValue>): void {
    const listed = removed === 0 && standing.hidden === 0 ? 1 : 0
    if (removed !== row.removed) values.removed = removed
    if (standing.hidden !== row.hidden) values.hidden = standing.hidden
    if (standing.level !== row.level) values.level = standing.level
    if (listed !== row.listed) values.listed = listed
    if (listed !== row.listed || standing.level !== row.level) {
      this.#tally(table.name, numberOf(row, 'level'), -numberOf(row, 'listed'))
      this.#tally(table.name, standing.level, listed)
    }
    const set = Object.keys(values).map(name => `"${name}" = ?`)
    this.#statements.run(
      `UPDATE ${tableName(table.name)} SET ${set.join(', ')} WHERE rid = ?`,
      ...Object.values(values),
      numberOf(row, 'rid'),
    )
  }

  /** What lies in something follows its level, and leaves the lists with it. */
  #cascade(table: Table, id: string, standing: Standing, seq: number): void {
    for (const child of this.#tables.values()) {
      if (child.parent !== table.name) continue
      const sql = `SELECT rid, id, level, listed, removed, hidden FROM ${tableName(child.name)} WHERE ${columnName(table.name)} = ?`
      for (const row of this.#statements.all(sql, id)) {
        if (row.level === standing.level && row.hidden === standing.hidden) continue
        const removed = numberOf(row, 'removed')
        const childId = stringOf(row, 'id')
        this.#write(child, row, removed, standing, { seq })
        if (row.level !== standing.level) this.#audit.move(child.name, childId, standing.level)
        this.#touch(child.name, childId)
        const below = { level: standing.level, hidden: Math.max(removed, standing.hidden) }
        this.#cascade(child, childId, below, seq)
      }
    }
  }

  /** A forgotten user leaves their row, their lines and the search index without anything personal. */
  blankPersonal(table: Table, id: string, seq: number): void {
    const row = this.row(table, id)
    if (row === undefined) return
    const personal = table.columns.filter(column => column.personal)
    const values: Record<string, SQLInputValue> = { seq }
    for (const column of personal) assign(values, column, null)
    const after = new Map(
      table.columns.map(column => [column.name, column.personal ? null : fromSql(column, row[`f_${column.name}`])]),
    )
    values.folded = foldedOf(table, after)
    const standing = { level: numberOf(row, 'level'), hidden: numberOf(row, 'hidden') }
    this.#write(table, row, numberOf(row, 'removed'), standing, values)
    this.#audit.blank(table.name, id, new Set(personal.map(column => column.name)))
  }

  #tally(entity: string, level: number, n: number): void {
    if (n === 0) return
    this.#statements.run(
      'INSERT INTO tally VALUES (?, ?, ?) ON CONFLICT (entity, level) DO UPDATE SET n = n + excluded.n',
      entity,
      level,
      n,
    )
  }

  #line(
    event: StoredEvent,
    table: Table,
    id: string,
    action: string,
    level: number,
    changes: readonly StoredChange[],
  ): void {
    const { time, type, actor, revision } = event
    this.#audit.add({ time, entity: table.name, id, type, action, level, actor, revision, changes })
  }
}

const assign = (values: Record<string, SQLInputValue>, column: Column, value: Json): void => {
  const stored = toSql(column, value)
  values[`f_${column.name}`] = stored
  if (!column.folded) return
  values[`s_${column.name}`] = typeof stored === 'string' ? foldText(stored).slice(0, SORTED) : null
}

const foldedOf = (table: Table, fields: ReadonlyMap<string, Json>): string => {
  const secret = new Set(table.columns.filter(column => column.secret).map(column => column.name))
  const parts = table.search.map(name => (secret.has(name) ? null : fields.get(name)))
  return foldText(parts.filter(part => typeof part === 'string').join(' \u0000 ')).slice(0, SEARCHED)
}

const givenOf = (column: Column, fields: JsonObject): Json => {
  const given = fields[column.name]
  return given === undefined ? (JSON.parse(column.initial) as Json) : given
}

/** Made, everything that it has is a change, and what it was made without though others have it. */
const createdOf = (column: Column, given: Json): StoredChange[] =>
  given === null && column.initial !== 'null'
    ? [{ path: column.name, before: null, after: null }]
    : changeOf(column, null, given, true)

/** Made whole (created, brought back), only what differs is a change. */
const changeOf = (column: Column, before: Json, given: Json, whole: boolean): StoredChange[] => {
  if (isObject(given) && FORGOTTEN in given) return []
  const after = shown(column, given)
  if (isShownSecret(column, before) || isShownSecret(column, after)) {
    if (whole && (before === null) === (after === null)) return []
    return [{ path: column.name, before: null, after: null, secret: true, set: after !== null }]
  }
  return same(before, after) ? [] : [{ path: column.name, before, after }]
}

/** The name that a row shows, null where it has none. */
export const titleOf = (table: Table, row: SqlRow | undefined): string | null => textOf(row, `f_${table.title}`)
