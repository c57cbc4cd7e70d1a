import type { Json } from '#schemas/event.ts'
import type { FlowSource } from '#schemas/events/flow.ts'
import { ORIGIN_DAYS } from '#schemas/events/origin.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { isObject, objectsOf, stringsOf } from '#schemas/json.ts'
import type { Change, Page, Person, Scope } from '../port.ts'
import type { Assignments, AuditItem, AuditOrigin, AuditQuery, ChangeKind } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import { summaryChanges } from '../summary-changes.ts'
import { HOUR } from './activity-count.ts'
import {
  type AuditFilter,
  auditConditions,
  auditFilter,
  hourConditions,
  isExact,
  subjectFilter,
} from './audit-filter.ts'
import { IN_LIST, type ModelReader, resolveMentions, resolveMentionsInChanges } from './model-reader.ts'
import { actorOf, changesOf, tokenOf } from './record-query.ts'

/** An index to walk along, newest first, and the keys in it that matter; none: all lines by time. */
interface Driver {
  readonly index: string
  readonly column: 'actor' | 'kind' | 'level' | undefined
  readonly keys: readonly number[]
}

const BY_TIME: Driver = { index: 'i_audit_time', column: undefined, keys: [] }
/** More keys than this are not walked one by one. */
const MAX_KEYS = 60
/** Deeper pages walk all lines by time. */
const DEEPEST = 5000

/**
 * Numbers of the lines of a page, newest first. The index walked is that of the narrowest filter, by the counts per
 * hour, so that what matches is found soon even where it is old or rare.
 */
const auditPage = (reader: ModelReader, filter: AuditFilter, total: number, offset: number, limit: number) => {
  if (filter.subjects !== undefined) return ofSubjects(reader, filter, offset, limit)
  const driver = offset + limit <= DEEPEST ? narrowest(reader, filter) : BY_TIME
  return driver === BY_TIME
    ? byTime(reader, filter, total, offset, limit)
    : along(reader, filter, driver, offset, limit)
}

const numbers = (rows: readonly SqlRow[]): number[] => rows.map(row => numberOf(row, 'n'))

const ofSubjects = (reader: ModelReader, filter: AuditFilter, offset: number, limit: number): number[] => {
  const { sql, values } = auditConditions(filter, '')
  const select = `SELECT n FROM audit WHERE ${sql} ORDER BY time DESC, n DESC LIMIT ? OFFSET ?`
  return numbers(reader.statements.all(select, ...values, limit, offset))
}

const byTime = (reader: ModelReader, filter: AuditFilter, total: number, offset: number, limit: number): number[] => {
  const { sql, values } = auditConditions(filter, '+')
  const fromEnd = offset > total / 2
  const direction = fromEnd ? 'ASC' : 'DESC'
  const rows = reader.statements.all(
    `SELECT n FROM audit ${reader.hint(BY_TIME.index)} WHERE ${sql}
     ORDER BY time ${direction}, n ${direction} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    fromEnd ? total - offset - limit : offset,
  )
  return fromEnd ? numbers(rows).reverse() : numbers(rows)
}

/** The newest of each key, merged. */
const along = (reader: ModelReader, filter: AuditFilter, driver: Driver, offset: number, limit: number): number[] => {
  const { sql, values } = auditConditions(filter, '+')
  const one = `SELECT * FROM (SELECT n, time FROM audit ${reader.hint(driver.index)} WHERE ${driver.column} = ? AND ${sql}
    ORDER BY time DESC, n DESC LIMIT ?)`
  const each = driver.keys.flatMap(key => [key, ...values, offset + limit])
  const all = driver.keys.map(() => one).join(' UNION ALL ')
  return numbers(
    reader.statements.all(`SELECT n FROM (${all}) ORDER BY time DESC, n DESC LIMIT ? OFFSET ?`, ...each, limit, offset),
  )
}

const narrowest = (reader: ModelReader, filter: AuditFilter): Driver => {
  let best = BY_TIME
  let fewest = reaches(reader, filter, undefined)
  for (const driver of driversOf(reader, filter)) {
    const lines = reaches(reader, filter, driver)
    if (lines < fewest) {
      best = driver
      fewest = lines
    }
  }
  return best
}

const driversOf = (reader: ModelReader, filter: AuditFilter): Driver[] => {
  const drivers: Driver[] = []
  if (filter.actor !== undefined) drivers.push({ index: 'i_audit_actor', column: 'actor', keys: [filter.actor] })
  if (filter.kinds !== undefined) drivers.push({ index: 'i_audit_kind', column: 'kind', keys: filter.kinds })
  if (filter.span.kind === 'below') {
    const sql = 'SELECT descendant AS n FROM closure WHERE ancestor = ?'
    drivers.push({
      index: 'i_audit_level',
      column: 'level',
      keys: numbers(reader.statements.all(sql, filter.span.level)),
    })
  }
  return drivers.filter(({ keys }) => keys.length <= MAX_KEYS)
}

/** Upper bound of lines a driver reads within the requested hours. */
const reaches = (reader: ModelReader, filter: AuditFilter, driver: Driver | undefined): number => {
  const hours = hourConditions({ ...filter, span: { kind: 'all' }, kinds: undefined, actor: undefined })
  const keys = driver === undefined ? '' : `AND ${driver.column} ${IN_LIST}`
  const values = driver === undefined ? hours.values : [...hours.values, JSON.stringify(driver.keys)]
  const row = reader.statements.get(`SELECT sum(n) AS n FROM audit_count WHERE ${hours.sql} ${keys}`, ...values)
  return numberOf(row, 'n')
}

/** Fields that give rights, by entity. */
const ASSIGNED: Readonly<Record<string, readonly string[]>> = {
  user: ['usergroup'],
  serviceaccount: ['usergroup'],
  usergroup: ['roles', 'parent'],
}

const idsIn = (value: Json | undefined): readonly string[] => (typeof value === 'string' ? [value] : stringsOf(value))

/** The audit, newest first, with exact totals from hourly counts, and what a review of access reads from it. */
export class AuditQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  audit(scope: Scope, query: AuditQuery): Page<AuditItem> {
    const { page, size } = query
    const filter = auditFilter(this.#reader, scope, query)
    const total = filter === undefined ? 0 : this.#total(filter)
    const offset = (page - 1) * size
    const limit = Math.min(size, total - offset)
    if (filter === undefined || limit <= 0) return { items: [], total, page, size }
    const lines = auditPage(this.#reader, filter, total, offset, limit)
    return { items: this.#items(scope, lines), total, page, size }
  }

  /** The newest lines about these ids, in all levels of the caller's subtree. */
  about(scope: Scope, ids: readonly string[], size: number): readonly AuditItem[] {
    const filter = subjectFilter(this.#reader, scope, ids)
    return filter === undefined ? [] : this.#items(scope, auditPage(this.#reader, filter, size, 0, size))
  }

  auditActivity(scope: Scope, query: AuditQuery, buckets: number): readonly { from: string; count: number }[] {
    const filter = auditFilter(this.#reader, scope, query)
    if (filter === undefined || buckets < 1) return []
    const { from, to } = this.#period(filter)
    const width = Math.max(1, Math.ceil((to - from + 1) / buckets))
    const counts = new Array<number>(buckets).fill(0)
    const rows =
      width >= HOUR && !isExact(filter) ? this.#perHour(filter, from, width) : this.#perBucket(filter, from, width)
    for (const row of rows) {
      const index = 'hour' in row ? Math.floor((numberOf(row, 'hour') * HOUR - from) / width) : numberOf(row, 'bucket')
      const at = Math.min(Math.max(index, 0), buckets - 1)
      counts[at] = (counts[at] ?? 0) + numberOf(row, 'n')
    }
    // Without matches, does not reveal whether the name exists elsewhere.
    if (counts.every(count => count === 0)) return []
    return counts.map((count, index) => ({ from: new Date(from + index * width).toISOString(), count }))
  }

  /** Each kind of change that these people made, once. */
  changeKinds(users: readonly string[], since: number): readonly ChangeKind[] {
    const sql = `SELECT DISTINCT kind.entity, kind.action FROM audit_count
      JOIN actor ON actor.key = audit_count.actor JOIN kind ON kind.key = audit_count.kind
      WHERE hour >= ? AND actor.id ${IN_LIST}`
    return this.#reader.statements
      .all(sql, Math.floor(since / HOUR), JSON.stringify(users))
      .map(row => ({ entity: stringOf(row, 'entity'), action: stringOf(row, 'action') }))
  }

  /** Times (ISO 8601) since which the things have their present groups, roles and parents, by id of both. */
  assignments(entity: string, ids: readonly string[]): Assignments {
    const fields = ASSIGNED[entity] ?? []
    return Object.fromEntries(ids.map(id => [id, this.#since(entity, id, fields)]))
  }

  /** Kinds of changes of each of these people since a time (ms). */
  changeKindsOf(users: readonly string[], since: number): Readonly<Record<string, readonly ChangeKind[]>> {
    const sql = `SELECT DISTINCT actor.id, kind.entity, kind.action FROM actor
      CROSS JOIN audit_count INDEXED BY i_audit_count_actor ON audit_count.actor = actor.key
      JOIN kind ON kind.key = audit_count.kind WHERE actor.id ${IN_LIST} AND audit_count.hour >= ?`
    const rows = this.#reader.statements.all(sql, JSON.stringify(users), Math.floor(since / HOUR))
    const kinds = Map.groupBy(rows, row => stringOf(row, 'id'))
    return Object.fromEntries(
      users.map(id => [
        id,
        (kinds.get(id) ?? []).map(row => ({ entity: stringOf(row, 'entity'), action: stringOf(row, 'action') })),
      ]),
    )
  }

  #since(entity: string, id: string, fields: readonly string[]): Readonly<Record<string, string>> {
    const since: Record<string, string> = {}
    const named = fields.map(() => 'instr(changes, ?) > 0').join(' OR ')
    const rows = this.#reader.statements.all(
      `SELECT time, changes FROM audit WHERE subject = (SELECT key FROM subject WHERE id = ? AND entity = ?)
       AND changes IS NOT NULL AND (${named}) ORDER BY revision`,
      id,
      entity,
      ...fields.map(field => `"path":"${field}"`),
    )
    for (const row of rows) {
      const time = new Date(numberOf(row, 'time')).toISOString()
      const changes = objectsOf(JSON.parse(textOf(row, 'changes') ?? '[]'))
      for (const change of changes.filter(one => isObject(one) && fields.includes(String(one.path)))) {
        const after = idsIn(change.after)
        const before = new Set(idsIn(change.before))
        for (const one of before) if (!after.includes(one)) delete since[one]
        for (const one of after) if (!before.has(one)) since[one] = time
      }
    }
    return since
  }

  /** Lines by their numbers, names joined as they are now. */
  #items(scope: Scope, lines: readonly number[]): AuditItem[] {
    const personOf = this.#reader.acquaintances(scope)
    const sql = `SELECT audit.*, kind.entity, kind.action, kind.type, subject.id AS entityid FROM audit
      JOIN kind ON kind.key = audit.kind JOIN subject ON subject.key = audit.subject WHERE audit.n = ?`
    return lines.flatMap(n => {
      const row = this.#reader.statements.get(sql, n)
      return row === undefined ? [] : [this.#item(row, personOf)]
    })
  }

  /** Hides groups and roles of people unknown to the caller. */
  #item(row: SqlRow, personOf: (id: string) => Person): AuditItem {
    const entity = stringOf(row, 'entity')
    const entityid = stringOf(row, 'entityid')
    const sql = 'SELECT groups, roles FROM membership WHERE key = ?'
    const user = actorOf(this.#reader, numberOf(row, 'actor'), personOf)
    const isKnown = user?.username !== null || user.forgotten === true
    const member = isKnown ? this.#reader.statements.get(sql, numberOf(row, 'membership')) : undefined
    const fold = typeof row.fold === 'number' ? this.#fold(row.fold) : undefined
    const source = textOf(row, 'source')
    const name = this.#reader.title(entity === 'session' ? 'user' : entity, entityid)
    return {
      entity,
      entityid,
      name: name === null ? null : resolveMentions(entity, name, personOf),
      action: stringOf(row, 'action'),
      service: entity,
      user,
      groups: this.#names('usergroup', stringOf(member, 'groups')),
      roles: this.#names('role', stringOf(member, 'roles')),
      hierarchy: this.#reader.levelId(numberOf(row, 'level')),
      time: new Date(numberOf(row, 'time')).toISOString(),
      revision: fold?.revision ?? numberOf(row, 'revision'),
      ...(fold === undefined ? {} : { since: fold.since }),
      origin: isKnown ? this.#origin(row) : null,
      ...(isKnown ? tokenOf(this.#reader, row) : {}),
      changes: fold?.changes ?? resolveMentionsInChanges(entity, changesOf(textOf(row, 'changes')), personOf),
      ...(source === null ? {} : { source: JSON.parse(source) as FlowSource }),
    }
  }

  #origin(row: SqlRow): AuditOrigin | null {
    if (typeof row.origin !== 'number') return null
    const seen = this.#reader.statements.get('SELECT time, address, agent, name FROM origin WHERE key = ?', row.origin)
    return seen === undefined ? null : originOf(seen)
  }

  /** Address and browser of sessions, by their ids. */
  origins(sessions: readonly string[]): Readonly<Record<string, AuditOrigin>> {
    const sql = `SELECT id, time, address, agent, name FROM origin WHERE id ${IN_LIST}`
    const found = this.#reader.statements.all(sql, JSON.stringify(sessions)).flatMap(row => {
      const origin = originOf(row)
      return origin === null ? [] : [[stringOf(row, 'id'), origin] as const]
    })
    return Object.fromEntries(found)
  }

  #fold(key: number): { since: number; revision: number; changes: readonly Change[] } | undefined {
    const row = this.#reader.statements.get('SELECT first, revision, summary FROM flow_fold WHERE key = ?', key)
    if (row === undefined) return undefined
    return {
      since: numberOf(row, 'first') - 1,
      revision: numberOf(row, 'revision'),
      changes: summaryChanges(JSON.parse(stringOf(row, 'summary')) as FlowSummary),
    }
  }

  #names(entity: string, ids: string): readonly string[] {
    const known = ids === '' ? [] : (JSON.parse(ids) as string[])
    return known.map(id => this.#reader.title(entity, id) ?? id)
  }

  #total(filter: AuditFilter): number {
    if (isExact(filter)) return this.#counted(filter)
    const { hours, edges } = wholeHours(filter)
    const ends = edges.reduce((sum, edge) => sum + this.#counted(edge), 0)
    if (hours === undefined) return ends
    const { sql, values } = hourConditions(filter, hours)
    const row = this.#reader.statements.get(`SELECT sum(n) AS n FROM audit_count WHERE ${sql}`, ...values)
    return ends + numberOf(row, 'n')
  }

  #counted(filter: AuditFilter): number {
    const { from, to } = filter
    if (from !== undefined && to !== undefined && from > to) return 0
    const { sql, values } = auditConditions(filter, filter.subjects === undefined ? '+' : '')
    return numberOf(this.#reader.statements.get(`SELECT count(*) AS n FROM audit WHERE ${sql}`, ...values), 'n')
  }

  #period(filter: AuditFilter): { from: number; to: number } {
    const { sql, values } = hourConditions(filter, {})
    const row = this.#reader.statements.get(
      `SELECT min(hour) AS first, max(hour) AS last FROM audit_count WHERE ${sql}`,
      ...values,
    )
    const from = filter.from ?? numberOf(row, 'first') * HOUR
    return { from, to: Math.max(from, filter.to ?? (numberOf(row, 'last') + 1) * HOUR - 1) }
  }

  #perHour(filter: AuditFilter, from: number, width: number): SqlRow[] {
    const { hours, edges } = wholeHours(filter)
    const ends = edges.flatMap(edge => this.#perBucket(edge, from, width))
    if (hours === undefined) return ends
    const { sql, values } = hourConditions(filter, hours)
    const select = `SELECT hour, sum(n) AS n FROM audit_count WHERE ${sql} GROUP BY hour`
    return [...this.#reader.statements.all(select, ...values), ...ends]
  }

  #perBucket(filter: AuditFilter, from: number, width: number): SqlRow[] {
    const { sql, values } = auditConditions(filter, filter.subjects === undefined ? '+' : '')
    const select = `SELECT CAST((time - ?) / ? AS INTEGER) AS bucket, count(*) AS n FROM audit WHERE ${sql} GROUP BY bucket`
    return this.#reader.statements.all(select, from, width, ...values)
  }
}

/** Null after its retention, though no later event may have removed it yet. */
const originOf = (row: SqlRow): AuditOrigin | null => {
  const [time, address, name] = [textOf(row, 'time'), textOf(row, 'address'), textOf(row, 'name')]
  if (time === null || address === null || Date.parse(time) < Date.now() - ORIGIN_DAYS * 24 * HOUR) return null
  return { address, agent: textOf(row, 'agent'), ...(name === null ? {} : { name }) }
}

/** The hours that lie wholly in a period, which are counted beforehand, and what is left of it at both ends. */
const wholeHours = (filter: AuditFilter) => {
  const { from, to } = filter
  const first = from === undefined ? undefined : Math.ceil(from / HOUR)
  const last = to === undefined ? undefined : Math.floor((to + 1) / HOUR) - 1
  if (first !== undefined && last !== undefined && first > last) return { hours: undefined, edges: [filter] }
  const before = first === undefined ? [] : [{ ...filter, to: first * HOUR - 1 }]
  const after = last === undefined ? [] : [{ ...filter, from: (last + 1) * HOUR }]
  return { hours: { first, last }, edges: [...before, ...after] }
}
