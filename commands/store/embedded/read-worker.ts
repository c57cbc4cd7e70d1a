import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import type { StreamMetadata } from '../port.ts'
import { COLUMNS, checkEventFile, Statements } from './event-file.ts'
import {
  type Chunk,
  DATA,
  type Failure,
  type LogRequest,
  type ReadRequest,
  type ReadResult,
  type StoredRow,
  type StreamRequest,
  storageError,
  toFailure,
} from './message.ts'
import { serve } from './serve.ts'
import { openReadOnly } from './sqlite-file.ts'

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

/** Prefixes that end with the first dash of a stream's name are looked up at once: comparing each takes longer than reading. */
const isHead = (prefix: string): boolean => prefix.indexOf('-') === prefix.length - 1 && prefix.length > 1

/** @param countOf how many events streams of that prefix have, counting no further than the limit */
function logQuery(
  request: LogRequest,
  end: number,
  countOf: (low: string, high: string, limit: number) => number,
): LogQuery {
  const { after, limit, streamPrefixes, types } = request
  const heads = streamPrefixes.length > 1 ? streamPrefixes.filter(isHead) : []
  const ranges = streamPrefixes
    .filter(prefix => !heads.includes(prefix))
    .map(prefix => [prefix, prefix + END_OF_PREFIX] as const)
  const [only] = ranges
  const most = Math.min(FEW, (end - after) / 4)
  const few = only && streamPrefixes.length === 1 && end - after > WINDOW && countOf(...only, most) < most
  const conditions = ['position > ? AND position <= ?']
  if (types.length > 0) conditions.push(`type IN (${types.map(() => '?').join()})`)
  if (few) {
    conditions.push('position IN (SELECT position FROM event INDEXED BY event_stream WHERE stream >= ? AND stream < ?)')
  } else if (streamPrefixes.length > 0) {
    const named = heads.length > 0 ? [`substr(stream, 1, instr(stream, '-')) IN (${heads.map(() => '?').join()})`] : []
    conditions.push(`(${[...named, ...ranges.map(() => 'stream >= ? AND stream < ?')].join(' OR ')})`)
  }
  const seen = few ? end : Math.min(end, after + WINDOW)
  const table = few ? 'event' : 'event NOT INDEXED'
  return {
    sql: `SELECT ${COLUMNS} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT ?`,
    values: [after, seen, ...types, ...heads, ...ranges.flat(), limit],
    seen,
  }
}

const BETWEEN = `SELECT ${COLUMNS} FROM event WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision`

/** Stored data of a stream beside its events; none once it is tombstoned. */
const LIVE = 'stream WHERE name = ? AND tombstone IS NULL'

/** Of a chunk: enough to be quick, and so little that no reader holds up another. */
const CHUNK_EVENTS = 512
const CHUNK_TEXT = 512 * 1024
/** Column indexes of a row. */
const POSITION = 0
const REVISION = 2

/** A read-only connection. Synchronous: run it in a separate thread. */
class Reader {
  readonly id: string
  private readonly file: string
  private db: DatabaseSync
  private statements: Statements
  private frozen: boolean

  constructor(file: string) {
    this.file = file
    const { db, frozen } = this.guarded(() => openReadOnly(file))
    this.db = db
    this.statements = new Statements(db)
    this.frozen = frozen
    db.exec('PRAGMA cache_size=-8000')
    this.id = this.guarded(() => checkEventFile(db, file))
  }

  answer(request: ReadRequest): ReadResult {
    if (this.frozen) this.thaw()
    return this.guarded(() => this.look(request))
  }

  close(): void {
    this.db.close()
  }

  private look(request: ReadRequest): ReadResult {
    switch (request.kind) {
      case 'stream':
        return this.stream(request)
      case 'log':
        return this.log(request)
      case 'head':
        return this.head()
      case 'revision':
        return this.revision(request.stream)
      case 'metadata':
        return this.metadata(request.stream)
      default:
        return request satisfies never
    }
  }

  private stream({ stream, backwards, from, limit }: StreamRequest): Chunk {
    const state = this.sql('SELECT hidden, max_count FROM stream WHERE name = ?').get(stream)
    const newest = this.revision(stream)
    const kept = Number(state?.max_count ?? newest)
    const lowest = Math.max(Number(state?.hidden ?? 0), newest - kept) + 1
    const { rows, last } = backwards
      ? this.rows(`${BETWEEN} DESC LIMIT ?`, stream, lowest, Math.min(from ?? newest, newest), limit)
      : this.rows(`${BETWEEN} LIMIT ?`, stream, Math.max(from ?? 1, lowest), newest, limit)
    const next = last ? last[REVISION] + (backwards ? -1 : 1) : null
    return { rows, next, head: 0 }
  }

  private log(request: LogRequest): Chunk {
    const head = this.head()
    const end = Math.min(head, request.upTo ?? head)
    const { sql, values, seen } = logQuery(request, end, (low, high, limit) => this.countOf(low, high, limit))
    const { rows, last } = this.rows(sql, ...values)
    const reached = last ? last[POSITION] : seen
    const over = reached >= end || rows.length === request.limit
    return { rows, next: over ? null : reached, head }
  }

  /** Rows up to the end or a full chunk; then `last` is the row to continue after. */
  private rows(sql: string, ...values: SQLInputValue[]): { rows: StoredRow[]; last: StoredRow | null } {
    const statement = this.sql(sql)
    statement.setReturnArrays(true)
    const rows: StoredRow[] = []
    let text = 0
    for (const row of statement.iterate(...values) as Iterable<unknown> as Iterable<StoredRow>) {
      rows.push(row)
      text += row[DATA].length
      if (rows.length >= CHUNK_EVENTS || text >= CHUNK_TEXT) return { rows, last: row }
    }
    return { rows, last: null }
  }

  private countOf(low: string, high: string, limit: number): number {
    const count = this.sql(
      'SELECT count(*) AS n FROM (SELECT 1 FROM event INDEXED BY event_stream WHERE stream >= ? AND stream < ? LIMIT ?)',
    )
    return Number(count.get(low, high, Math.ceil(limit))?.n)
  }

  private head(): number {
    return Number(this.sql('SELECT max(position) AS head FROM event').get()?.head ?? 0)
  }

  private revision(stream: string): number {
    const newest = this.sql('SELECT max(revision) AS newest FROM event WHERE stream = ?').get(stream)?.newest
    return Number(newest ?? this.sql(`SELECT hidden FROM ${LIVE}`).get(stream)?.hidden ?? 0)
  }

  private metadata(stream: string): StreamMetadata {
    const maxCount = this.sql(`SELECT max_count FROM ${LIVE}`).get(stream)?.max_count
    return typeof maxCount === 'number' ? { maxCount } : {}
  }

  /** The folder may have become writable, and then others may write: an immutable view would never show it. */
  private thaw(): void {
    const { db, frozen } = this.guarded(() => openReadOnly(this.file))
    if (frozen) {
      db.close()
      return
    }
    this.db.close()
    this.db = db
    this.statements = new Statements(db)
    this.frozen = false
  }

  private guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw storageError(error, this.file)
    }
  }

  private sql(text: string): StatementSync {
    return this.statements.get(text)
  }
}

serve<ReadRequest, ReadResult>(() => {
  const reader = new Reader(workerData.file)
  const answer = (request: ReadRequest): ReadResult | Failure => {
    try {
      return reader.answer(request)
    } catch (error) {
      return toFailure(error)
    }
  }
  return { id: reader.id, most: 1, answer: requests => requests.map(answer), close: () => reader.close() }
})
