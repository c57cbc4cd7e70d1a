import type { SQLInputValue } from 'node:sqlite'
import type { JsonObject } from '#schemas/event.ts'
import type { Notification, NotificationQuery, Page, Person, Scope } from '../port.ts'
import { numberOf, type SqlRow, stringOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import { IN_LIST, type ModelReader, spanCondition } from './model-reader.ts'

/** A new person gets the notices of this period, marked as read, for context, ms. */
const BEFORE = 7 * 24 * 3_600_000

/** Notifications of a person: readable entities, the session's level and below, changes by others. */
export class NotificationQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  notifications(
    scope: Scope,
    query: NotificationQuery,
  ): Page<Notification> & { unread: number; scopes: readonly string[] } {
    const { page, size } = query
    const came = this.#came(scope.user)
    const all = this.#concerning(scope, came)
    const sql = query.scope === undefined ? all.sql : `${all.sql} AND entity = ?`
    const values = query.scope === undefined ? all.values : [...all.values, query.scope]
    const seen = [scope.user ?? '', scope.user ?? '', came]
    const { statements } = this.#reader
    const joined = `SELECT *, max(n) AS newest, count(*) AS counter
      FROM (SELECT *, ${SEEN} AS seen, ${SAME} AS same FROM notification WHERE ${sql}) GROUP BY same, seen`
    const counts = statements.get(
      `SELECT count(*) AS n, coalesce(sum(NOT seen), 0) AS unread FROM (${joined})`,
      ...seen,
      ...values,
    )
    const unread = numberOf(counts, 'unread')
    const rows = statements.all(
      `SELECT * FROM (${joined}) ${query.unread === true ? 'WHERE NOT seen' : ''} ORDER BY newest DESC LIMIT ? OFFSET ?`,
      ...seen,
      ...values,
      size,
      (page - 1) * size,
    )
    const total = query.unread === true ? unread : numberOf(counts, 'n')
    const personOf = this.#reader.acquaintances(scope)
    const scopes = statements
      .all(`SELECT DISTINCT entity FROM notification WHERE ${all.sql} ORDER BY entity`, ...all.values)
      .map(row => stringOf(row, 'entity'))
    return { items: rows.map(row => this.#item(row, personOf)), scopes, total, page, size, unread }
  }

  /** These notifications, and the earlier unread ones grouped with each. */
  joinedNotifications(scope: Scope, ids: readonly string[]): readonly string[] {
    const { sql, values } = this.#concerning(scope, this.#came(scope.user))
    const rows = this.#reader.statements.all(
      `WITH told AS (SELECT n, id, ${SAME} AS same FROM notification WHERE ${sql})
       SELECT DISTINCT other.id FROM told asked JOIN told other ON other.same = asked.same AND other.n <= asked.n
       WHERE asked.id ${IN_LIST}
         AND NOT EXISTS (SELECT 1 FROM notification_read r WHERE r.user = ? AND r.n = other.n)`,
      ...values,
      JSON.stringify(ids),
      scope.user ?? '',
    )
    return [...new Set([...ids, ...rows.map(row => stringOf(row, 'id'))])]
  }

  #concerning(scope: Scope, came: string): { sql: string; values: SQLInputValue[] } {
    const level = spanCondition(this.#reader.span(scope), 'level')
    const parts: { sql: string; values: SQLInputValue[] }[] = [{ sql: `1 ${level.sql}`, values: level.values }]
    if (scope.readable !== 'all')
      parts.push({
        // Agents receive notifications of queues, owners those of tokens and people those of themselves, without the right to
        // read them.
        sql: `(entity ${IN_LIST} OR entity IN ('deskqueue', 'apitoken', 'user') AND recipients IS NOT NULL)`,
        values: [JSON.stringify([...scope.readable])],
      })
    if (scope.user !== null) {
      parts.push({ sql: 'instr(actors, ?) = 0', values: [JSON.stringify(scope.user)] })
      parts.push({ sql: '(recipients IS NULL OR instr(recipients, ?) > 0)', values: [JSON.stringify(scope.user)] })
      parts.push({ sql: 'time >= ?', values: [daysBefore(came)] })
    }
    return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) }
  }

  #came(user: string | null): string {
    if (user === null || !this.#reader.tables.has('user')) return ''
    const row = this.#reader.statements.get(`SELECT created_at FROM ${tableName('user')} WHERE id = ?`, user)
    return stringOf(row, 'created_at')
  }

  #item(row: SqlRow, personOf: (id: string) => Person): Notification {
    const entity = stringOf(row, 'entity')
    const entityid = stringOf(row, 'entityid')
    const [actor] = JSON.parse(stringOf(row, 'actors')) as string[]
    return {
      id: stringOf(row, 'id'),
      message: stringOf(row, 'message'),
      params: { ...(JSON.parse(stringOf(row, 'params')) as JsonObject), name: this.#reader.title(entity, entityid) },
      time: stringOf(row, 'time'),
      counter: numberOf(row, 'counter'),
      notificationType: stringOf(row, 'type') as Notification['notificationType'],
      scope: entity,
      hierarchy: this.#reader.levelId(numberOf(row, 'level')),
      entity,
      entityid,
      ...(actor === undefined ? {} : { actor: personOf(actor) }),
      read: row.seen === 1,
    }
  }
}

const SEEN = `(n <= coalesce((SELECT m.n FROM notification_mark m WHERE m.user = ?), 0)
  OR EXISTS (SELECT 1 FROM notification_read r WHERE r.user = ? AND r.n = notification.n)
  OR time < ?)`

/**
 * Groups edits of the same flow by the same people on a day: hours of drawing make many edits. All other notices stay
 * single.
 */
const SAME = `(CASE WHEN message LIKE '%.updated' THEN message || ' ' || entityid || ' ' || actors || ' ' || substr(time, 1, 10)
  ELSE id END)`

const daysBefore = (time: string): string => (time === '' ? '' : new Date(Date.parse(time) - BEFORE).toISOString())
