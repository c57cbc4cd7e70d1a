import type { SQLInputValue } from 'node:sqlite'
import type { JsonObject } from '#schemas/event.ts'
import type { Notification, Page, Person, Scope } from '../port.ts'
import { numberOf, type SqlRow, stringOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import { IN_LIST, type ModelReader, spanCondition } from './model-reader.ts'

/** Somebody new finds what went on in the days before, as read already, so that they know where things stand, ms. */
const BEFORE = 7 * 24 * 3_600_000

/** What concerns a person: of what they may read, in the session's level and below, done by others. */
export class NotificationQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  notifications(
    scope: Scope,
    query: { unread?: boolean; page: number; size: number },
  ): Page<Notification> & { unread: number } {
    const { page, size } = query
    const came = this.#came(scope.user)
    const { sql, values } = this.#concerning(scope, came)
    const seen = [scope.user ?? '', scope.user ?? '', came]
    const { statements } = this.#reader
    const counts = statements.get(
      `SELECT count(*) AS n, sum(NOT seen) AS unread FROM (SELECT ${SEEN} AS seen FROM notification WHERE ${sql})`,
      ...seen,
      ...values,
    )
    const unread = numberOf(counts, 'unread')
    const rows = statements.all(
      `SELECT * FROM (SELECT *, ${SEEN} AS seen FROM notification WHERE ${sql})
       ${query.unread === true ? 'WHERE NOT seen' : ''} ORDER BY n DESC LIMIT ? OFFSET ?`,
      ...seen,
      ...values,
      size,
      (page - 1) * size,
    )
    const total = query.unread === true ? unread : numberOf(counts, 'n')
    const personOf = this.#reader.acquaintances(scope)
    return { items: rows.map(row => this.#item(row, personOf)), total, page, size, unread }
  }

  #concerning(scope: Scope, came: string): { sql: string; values: SQLInputValue[] } {
    const level = spanCondition(this.#reader.span(scope), 'level')
    const parts: { sql: string; values: SQLInputValue[] }[] = [{ sql: `1 ${level.sql}`, values: level.values }]
    if (scope.readable !== 'all')
      parts.push({ sql: `entity ${IN_LIST}`, values: [JSON.stringify([...scope.readable])] })
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

const daysBefore = (time: string): string => (time === '' ? '' : new Date(Date.parse(time) - BEFORE).toISOString())
