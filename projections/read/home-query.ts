import type { Json, JsonObject } from '#schemas/event.ts'
import type { Scope } from '../port.ts'
import { numberOf, stringOf, textOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import type { AuditQueries } from './audit-query.ts'
import type { FlowQueries } from './flow-query.ts'
import type { ListQueries } from './list-query.ts'
import { type ModelReader, type Span, spanCondition } from './model-reader.ts'
import type { SearchQueries } from './search-query.ts'

const FLOWS = 3
const CHANGES = 12
const BOTS = 8
const LOCKED = 10
const LOOKED_AT = 200

/**
 * The home page: {flows: last edited, changes: newest, bots: {total, status: {started: n …}, items}, locked: people to
 * unlock}; omits parts the caller may not read.
 */
export class HomeQueries {
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
