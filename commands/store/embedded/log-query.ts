import type { LogRequest } from './message.ts'
import { COLUMNS } from './schema.ts'

/** Rows looked at before a chunk of the log ends, so that a filter that matches nothing holds up no other reader. */
const WINDOW = 8192
/** The longest run of one prefix's events that is looked up through their index while the log is much longer. */
const FEW = 20_000

/** Greater than every stream name that starts with the prefix. */
const END_OF_PREFIX = '\u{10ffff}'

interface LogQuery {
  readonly sql: string
  readonly values: readonly (string | number)[]
  /** The query has seen everything up to this position unless it was stopped. */
  readonly seen: number
}

/** @param countOf how many events streams of that prefix have, counting no further than the limit */
export function logQuery(
  request: LogRequest,
  end: number,
  countOf: (low: string, high: string, limit: number) => number,
): LogQuery {
  const { after, limit, streamPrefixes, types } = request
  const ranges = streamPrefixes.map(prefix => [prefix, prefix + END_OF_PREFIX] as const)
  const [only] = ranges
  const most = Math.min(FEW, (end - after) / 4)
  const few = only && ranges.length === 1 && end - after > WINDOW && countOf(...only, most) < most
  const conditions = ['position > ? AND position <= ?']
  if (types.length > 0) conditions.push(`type IN (${types.map(() => '?').join()})`)
  if (few) {
    conditions.push('position IN (SELECT position FROM event INDEXED BY event_stream WHERE stream >= ? AND stream < ?)')
  } else if (ranges.length > 0) {
    conditions.push(`(${ranges.map(() => 'stream >= ? AND stream < ?').join(' OR ')})`)
  }
  const seen = few ? end : Math.min(end, after + WINDOW)
  const table = few ? 'event' : 'event NOT INDEXED'
  return {
    sql: `SELECT ${COLUMNS} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT ?`,
    values: [after, seen, ...types, ...ranges.flat(), limit],
    seen,
  }
}
