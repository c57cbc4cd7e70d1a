import { numberOf, type SqlRow } from '../statement-cache.ts'
import { type AuditFilter, auditConditions, hourConditions } from './audit-filter.ts'
import { IN_LIST, type ModelReader } from './model-reader.ts'

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
export const auditPage = (reader: ModelReader, filter: AuditFilter, total: number, offset: number, limit: number) => {
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
