import { existsSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { StreamMetadata } from '../port.ts'
import { EventChunk } from './event-chunk.ts'
import { checkEventFile } from './event-file.ts'
import { storageError } from './failure.ts'
import { logQuery } from './log-query.ts'
import type { Chunk, LogRequest, ReadRequest, ReadResult, StreamRequest } from './message.ts'
import { COLUMNS } from './schema.ts'

const BETWEEN = `SELECT ${COLUMNS} FROM event WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision`

/** A connection that only reads. Synchronous: it belongs in a thread of its own. */
export class Reader {
  readonly id: string
  private readonly file: string
  private readonly statements = new Map<string, StatementSync>()
  private db: DatabaseSync
  private frozen: boolean

  constructor(file: string) {
    this.file = file
    const { db, frozen } = this.guarded(() => open(file))
    this.db = db
    this.frozen = frozen
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
    const rows = backwards
      ? this.sql(`${BETWEEN} DESC LIMIT ?`).iterate(stream, lowest, Math.min(from ?? newest, newest), limit)
      : this.sql(`${BETWEEN} LIMIT ?`).iterate(stream, Math.max(from ?? 1, lowest), newest, limit)
    const { chunk, last } = gather(rows)
    const next = last ? Number(last.revision) + (backwards ? -1 : 1) : null
    return { events: chunk.json(), count: chunk.count, next, head: 0 }
  }

  private log(request: LogRequest): Chunk {
    const head = this.head()
    const end = Math.min(head, request.upTo ?? head)
    const { sql, values, seen } = logQuery(request, end, (low, high, limit) => this.countOf(low, high, limit))
    const { chunk, last } = gather(this.sql(sql).iterate(...values))
    const reached = last ? Number(last.position) : seen
    const over = reached >= end || chunk.count === request.limit
    return { events: chunk.json(), count: chunk.count, next: over ? null : reached, head }
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
    return Number(this.sql('SELECT max(revision) AS newest FROM event WHERE stream = ?').get(stream)?.newest ?? 0)
  }

  private metadata(stream: string): StreamMetadata {
    const maxCount = this.sql('SELECT max_count FROM stream WHERE name = ?').get(stream)?.max_count
    return typeof maxCount === 'number' ? { maxCount } : {}
  }

  /** The folder may have become writable, and then others may write: an immutable view would never show it. */
  private thaw(): void {
    const { db, frozen } = this.guarded(() => open(this.file))
    if (frozen) {
      db.close()
      return
    }
    this.statements.clear()
    this.db.close()
    this.db = db
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
    const known = this.statements.get(text)
    if (known) return known
    const statement = this.db.prepare(text)
    this.statements.set(text, statement)
    return statement
  }
}

/** Rows until they end or the chunk is full; then `last` is the row to go on after. */
function gather(rows: Iterable<Record<string, SQLOutputValue>>) {
  const chunk = new EventChunk()
  for (const row of rows) {
    chunk.add(row)
    if (chunk.full) return { chunk, last: row }
  }
  return { chunk, last: null }
}

/** On a full or read-only disk SQLite cannot make the files that WAL needs; without a WAL the file itself is everything. */
function open(file: string): { db: DatabaseSync; frozen: boolean } {
  try {
    return { db: probed(new DatabaseSync(file, { readOnly: true, timeout: 5000 })), frozen: false }
  } catch (error) {
    const wal = `${file}-wal`
    if (existsSync(wal) && statSync(wal).size > 0) throw error
    const url = pathToFileURL(file)
    url.searchParams.set('immutable', '1')
    return { db: probed(new DatabaseSync(url, { readOnly: true })), frozen: true }
  }
}

function probed(db: DatabaseSync): DatabaseSync {
  try {
    db.exec('PRAGMA cache_size=-8000')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
