import type { DatabaseSync } from 'node:sqlite'
import type { Place } from '#domain/public-event.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Person, Scope } from '../port.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import { columnName, tableName } from '../table.ts'
import { AuditQueries } from './audit-query.ts'
import { BotOverviewQueries } from './bot-overview-query.ts'
import { DashboardQueries } from './dashboard-query.ts'
import { FlowQueries } from './flow-query.ts'
import { ListQueries } from './list-query.ts'
import { MessageQueries } from './message-query.ts'
import { ModelReader, type Span, spanCondition } from './model-reader.ts'
import { NotificationQueries } from './notification-query.ts'
import { RecordQueries } from './record-query.ts'
import { SearchQueries, TextQueries } from './search-query.ts'
import { UseQueries } from './use-query.ts'

const FLOWS = 3
const CHANGES = 12
const BOTS = 8
const LOCKED = 10
const LOOKED_AT = 200

/**
 * The home page: {flows: last edited, changes: newest, bots: {total, status: {started: n …}, items}, locked: people to
 * unlock}; omits parts the caller may not read.
 */
class HomeQueries {
  readonly #reader: ModelReader
  readonly #flows: FlowQueries
  readonly #audit: AuditQueries
  readonly #lists: ListQueries
  readonly #search: SearchQueries

  constructor(
    reader: ModelReader,
    parts: { flows: FlowQueries; audit: AuditQueries; lists: ListQueries; search: SearchQueries },
  ) {
    this.#reader = reader
    this.#flows = parts.flows
    this.#audit = parts.audit
    this.#lists = parts.lists
    this.#search = parts.search
  }

  home(scope: Scope, mayUnlock: boolean): JsonObject {
    const span = this.#reader.span(scope)
    const home: Record<string, unknown> = { flows: this.#recentFlows(scope, span), changes: this.#changes(scope) }
    if (may(scope, 'bot')) home.bots = this.#bots(scope, span)
    if (mayUnlock && may(scope, 'user')) home.locked = this.#locked(scope)
    return home as JsonObject
  }

  /** The newest that the person edited, then the newest of all. */
  #recentFlows(scope: Scope, span: Span): unknown[] {
    const { statements } = this.#reader
    const newest = 'SELECT id, entity FROM flow'
    const own = statements.all(
      `${newest} WHERE instr(editors, ?) > 0 ORDER BY seq DESC LIMIT ?`,
      JSON.stringify(scope.user),
      LOOKED_AT,
    )
    const others = statements.all(`${newest} ORDER BY seq DESC LIMIT ?`, LOOKED_AT)
    const found = new Map<string, unknown>()
    for (const row of [...own, ...others]) {
      const id = stringOf(row, 'id')
      if (found.size === FLOWS) break
      if (found.has(id)) continue
      const flow = this.#flow(scope, span, stringOf(row, 'entity'), id)
      if (flow !== undefined) found.set(id, flow)
    }
    return [...found.values()]
  }

  #flow(scope: Scope, span: Span, entity: string, id: string): unknown {
    const table = this.#reader.tables.get(entity)
    const row = may(scope, entity) ? this.#reader.open(scope, entity, id) : undefined
    if (table === undefined || row?.listed !== 1 || !this.#reader.isIn(numberOf(row, 'level'), span)) return undefined
    const name = textOf(row, `f_${table.title}`)
    return { entity, id, name, parents: this.#search.parents(entity, id), card: this.#flows.card(scope, id) ?? null }
  }

  #changes(scope: Scope): unknown[] {
    return [...this.#audit.audit(scope, { quiet: true, changes: true, page: 1, size: CHANGES }).items]
  }

  #bots(scope: Scope, span: Span): JsonObject {
    const level = spanCondition(span, 'level')
    const rows = this.#reader.statements.all(
      `SELECT f_runningstatus AS status, count(*) AS n FROM ${tableName('bot')} WHERE listed = 1 ${level.sql} GROUP BY 1`,
      ...level.values,
    )
    const status = Object.fromEntries(rows.map(row => [stringOf(row, 'status'), numberOf(row, 'n')]))
    const newest = this.#lists.list(scope, 'bot', { page: 1, size: BOTS, filter: {}, sort: '-modified_at' })
    const items = newest.items.map(
      ({ id, name, runningstatus, deploymentenv, modified_at }): Json => ({
        id,
        name: name ?? null,
        runningstatus: runningstatus ?? null,
        deploymentenv: deploymentenv ?? null,
        modified_at,
      }),
    )
    return { total: newest.total, status, items }
  }

  #locked(scope: Scope): unknown[] {
    const { items } = this.#lists.list(scope, 'user', { page: 1, size: LOCKED, filter: { locked: true } })
    return items.map(({ id, modified_at }) => ({ ...this.#reader.person(id), time: modified_at }))
  }
}

const may = (scope: Scope, entity: string): boolean => scope.readable === 'all' || scope.readable.has(entity)

/** Roles and groups of upper levels can be assigned below, so their names are visible there. */
const ASSIGNED_FROM_ABOVE: ReadonlySet<string> = new Set(['role', 'usergroup'])

type Ids = Readonly<Record<string, readonly string[]>>
type Names = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Places, titles and children of things. */
class ThingQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** Level and bot of things, removed ones included. Unknown or unreachable ones are absent. */
  places(scope: Scope, ids: Ids): Readonly<Record<string, Readonly<Record<string, Place>>>> {
    return Object.fromEntries(
      Object.entries(ids).map(([entity, wanted]) => [
        entity,
        Object.fromEntries(
          [...new Set(wanted)].flatMap(id => {
            const row = this.#reader.open(scope, entity, id)
            return row === undefined ? [] : [[id, this.#placeOf(entity, id, row)]]
          }),
        ),
      ]),
    )
  }

  #placeOf(entity: string, id: string, row: SqlRow): Place {
    const bot = entity === 'bot' ? id : this.#botOf(entity, row)
    return {
      level: this.#reader.levelId(numberOf(row, 'level')),
      ...(bot === undefined ? {} : { bot }),
      ...(entity === 'user' && row.f_forgotten === 1 ? { isForgotten: true } : {}),
    }
  }

  /** The bot above a thing, by its parents. */
  #botOf(entity: string, row: SqlRow): string | undefined {
    let parent = this.#reader.tables.get(entity)?.parent ?? null
    let below: SqlRow | undefined = row
    while (parent !== null && below !== undefined) {
      const id = textOf(below, columnName(parent))
      if (id === null || parent === 'bot') return id ?? undefined
      below = this.#reader.statements.get(`SELECT * FROM ${tableName(parent)} WHERE id = ?`, id)
      parent = this.#reader.tables.get(parent)?.parent ?? null
    }
    return undefined
  }

  /** Titles of many live things in one question. Removed, unreadable or unreachable ones are absent. */
  names(scope: Scope, ids: Ids): Names {
    const names = Object.entries(ids).map(([entity, wanted]) => [entity, this.#namesOf(scope, entity, wanted)])
    return Object.fromEntries(names) as Names
  }

  #namesOf(scope: Scope, entity: string, ids: readonly string[]): Record<string, string> {
    const table = this.#reader.tables.get(entity)
    const isReadable = scope.readable === 'all' || scope.readable.has(entity)
    if (table === undefined || !isReadable) return {}
    const span = this.#reader.homeSpan(scope)
    const { sql, values } = spanCondition(span, 's.level')
    const isAbove = ASSIGNED_FROM_ABOVE.has(entity) && span.kind === 'below'
    const above = isAbove ? 'OR s.level IN (SELECT ancestor FROM closure WHERE descendant = ?)' : ''
    const rows = this.#reader.statements.all(
      `SELECT s.id, s.${columnName(table.title)} AS title FROM json_each(?) t
       CROSS JOIN ${tableName(entity)} s ON s.id = t.value
       WHERE s.listed = 1 AND (1 ${sql} ${above})`,
      JSON.stringify(ids),
      ...values,
      ...(isAbove ? values : []),
    )
    return Object.fromEntries(
      rows.flatMap(row => (typeof row.title === 'string' ? [[stringOf(row, 'id'), row.title]] : [])),
    )
  }

  /** Without a scope: commands check the caller's rights. */
  children(entity: string, id: string, child: string): readonly string[] {
    const table = this.#reader.tables.get(child)
    if (table === undefined) return []
    if (entity === 'hierarchy') return this.#inLevel(id, child)
    if (!table.columns.some(column => column.name === entity)) return []
    const sql = `SELECT id FROM ${tableName(child)} WHERE ${columnName(entity)} = ? AND removed = 0 ORDER BY rid`
    return this.#reader.statements.all(sql, id).map(row => stringOf(row, 'id'))
  }

  occupants(level: string): number {
    const key = this.#reader.levelKey(level)
    if (key === undefined) return 0
    const things = this.#reader.statements.get(
      "SELECT sum(n) AS n FROM tally WHERE level = ? AND entity <> 'hierarchy'",
      key,
    )
    return numberOf(things, 'n') + this.#inLevel(level, 'hierarchy').length
  }

  #inLevel(level: string, child: string): string[] {
    const key = this.#reader.levelKey(level)
    if (key === undefined) return []
    const rows =
      child === 'hierarchy'
        ? this.#reader.statements.all(
            `SELECT id FROM ${tableName(child)} WHERE ${columnName('parent')} = ? AND removed = 0 ORDER BY rid`,
            level,
          )
        : this.#reader.statements.all(
            `SELECT id FROM ${tableName(child)} WHERE level = ? AND removed = 0 ORDER BY rid`,
            key,
          )
    return rows.map(row => stringOf(row, 'id'))
  }
}

/** Methods of a part, for calls without it. */
const bound = <Part, M extends keyof Part>(part: Part, ...methods: readonly M[]): Pick<Part, M> => {
  const found = methods.map(method => [method, (part[method] as (...args: unknown[]) => unknown).bind(part)])
  return Object.fromEntries(found) as Pick<Part, M>
}

export const createQueries = (database: DatabaseSync) => {
  const reader = new ModelReader(database)
  const audit = new AuditQueries(reader)
  const flows = new FlowQueries(reader)
  const lists = new ListQueries(reader)
  const search = new SearchQueries(reader, lists)
  return {
    people: (scope: Scope, ids: readonly string[]): readonly Person[] => ids.map(reader.acquaintances(scope)),
    ...bound(lists, 'list', 'selection', 'rows'),
    ...bound(new RecordQueries(reader), 'detail', 'hierarchyOf', 'history', 'at', 'fileHolders'),
    ...bound(audit, 'audit', 'auditActivity', 'origins', 'changeKinds', 'changeKindsOf', 'assignments'),
    ...bound(new NotificationQueries(reader), 'notifications', 'joinedNotifications'),
    ...bound(flows, 'flowHistory', 'flows', 'keyframe', 'bindings', 'comments', 'neighbours'),
    ...bound(search, 'search'),
    ...bound(new DashboardQueries(reader, lists), 'dashboard'),
    ...bound(new BotOverviewQueries(reader, audit), 'botOverview'),
    ...bound(new HomeQueries(reader, { flows, audit, lists, search }), 'home'),
    ...bound(new ThingQueries(reader), 'children', 'occupants', 'names', 'places'),
    ...bound(new UseQueries(reader), 'referrers', 'usedBy'),
    ...bound(new TextQueries(reader), 'fieldsWithText'),
    ...bound(new MessageQueries(reader), 'messages'),
  }
}

/** Every question that goes to the file, as a query worker answers it. */
export type Queries = ReturnType<typeof createQueries>
