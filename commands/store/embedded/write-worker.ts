import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { StoreReadOnly, StreamTombstoned, WrongRevision } from '../port.ts'
import { INSERT_EVENT, Statements } from './event-file.ts'
import {
  type AppendRequest,
  type AppendResult,
  type EventRow,
  type Failure,
  type MetadataRequest,
  type RemoveRequest,
  storageError,
  toFailure,
  type WriteRequest,
} from './message.ts'
import { serve } from './serve.ts'

/** Data of a stream for its next append. */
interface Head {
  revision: number
  readonly maxCount: number | null
  readonly tombstone: number | null
}

/** Bounds the memory of the cache; an evicted head costs two look-ups. */
const CACHED_HEADS = 20_000

/** The only connection that writes. Synchronous: run it in a separate thread. */
class Writer {
  private readonly db: DatabaseSync
  private readonly file: string
  private readonly heads = new Map<string, Head>()
  private readonly statements: Statements
  private position: number

  /** Throws StoreCorrupt, or StoreReadOnly when the file can only be read. */
  constructor(file: string) {
    this.file = file
    this.db = new DatabaseSync(file, { timeout: 5000 })
    this.statements = new Statements(this.db)
    try {
      this.db.exec(
        'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-8000; PRAGMA wal_autocheckpoint=2000; PRAGMA secure_delete=ON',
      )
      this.position = Math.max(Number(this.one('SELECT max(position) FROM event') ?? 0), this.remembered())
      this.db.exec('BEGIN IMMEDIATE; ROLLBACK')
    } catch (error) {
      this.db.close()
      throw storageError(error, file)
    }
  }

  /** All in one transaction and one sync to the disk; a refused request leaves the others untouched. */
  commit(requests: readonly WriteRequest[]): (AppendResult | Failure)[] {
    const before = this.position
    try {
      this.sql('BEGIN IMMEDIATE').run()
      const results = requests.map(request => this.attempt(request))
      this.sql('COMMIT').run()
      return results
    } catch (error) {
      this.heads.clear()
      this.position = before
      if (this.db.isTransaction) this.db.exec('ROLLBACK')
      const failure = toFailure(storageError(error, this.file))
      return requests.map(() => failure)
    }
  }

  close(): void {
    this.db.close()
  }

  private attempt(request: WriteRequest): AppendResult | Failure {
    const before = this.position
    this.sql('SAVEPOINT request').run()
    try {
      const result = this.perform(request)
      this.sql('RELEASE request').run()
      return result
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.sql('ROLLBACK TO request').run()
      this.sql('RELEASE request').run()
      this.heads.delete(request.stream)
      this.position = before
      return toFailure(error.reason)
    }
  }

  private perform(request: WriteRequest): AppendResult {
    switch (request.kind) {
      case 'append':
        return this.append(request)
      case 'delete':
      case 'tombstone':
        return this.remove(request)
      case 'metadata':
        return this.limit(request)
      case 'probe':
        this.remember()
        return { revision: 0, position: this.position, written: false }
      default:
        return request satisfies never
    }
  }

  private append({ stream, expected, rows }: AppendRequest): AppendResult {
    const head = this.head(stream)
    if (head.tombstone !== null) throw new Refused(new StreamTombstoned(`${stream} is removed for ever`))
    if (head.revision !== expected) return this.alreadyWritten(stream, expected, head.revision, rows)
    for (const row of rows) this.insert(stream, ++head.revision, row)
    if (head.maxCount !== null) this.drop(stream, head.revision - head.maxCount)
    return { revision: head.revision, position: this.position, written: true }
  }

  private insert(stream: string, revision: number, row: EventRow): void {
    try {
      this.sql(INSERT_EVENT).run(++this.position, stream, revision, ...row)
    } catch (error) {
      if (!(error instanceof Error && /UNIQUE constraint failed: event\.id/.test(error.message))) throw error
      throw new Refused(new Error(`Event id ${row[0]} is already in the log`))
    }
  }

  /** A retry of an append whose answer was lost answers as the first time did. */
  private alreadyWritten(stream: string, expected: number, actual: number, rows: readonly EventRow[]): AppendResult {
    const written = this.sql(
      'SELECT id, position FROM event WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?',
    )
    const found = written.all(stream, expected, rows.length)
    const last = found.at(-1)
    if (!last || found.length < rows.length || rows.some((row, index) => found[index]?.id !== row[0])) {
      throw new Refused(new WrongRevision(stream, expected, actual))
    }
    return { revision: expected + rows.length, position: Number(last.position), written: false }
  }

  private remove({ kind, stream, expected }: RemoveRequest): AppendResult {
    const head = this.head(stream)
    const done = { revision: expected, position: this.position, written: false }
    if (head.tombstone !== null) {
      if (kind === 'tombstone' && head.tombstone === expected) return done
      throw new Refused(new StreamTombstoned(`${stream} is removed for ever`))
    }
    if (head.revision !== expected) throw new Refused(new WrongRevision(stream, expected, head.revision))
    this.heads.delete(stream)
    if (kind === 'delete') {
      this.sql('INSERT INTO stream (name, hidden) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET hidden = ?2').run(
        stream,
        expected,
      )
      this.drop(stream, expected)
    } else {
      this.sql(
        'INSERT INTO stream (name, tombstone) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET tombstone = ?2',
      ).run(stream, expected)
      this.drop(stream, expected)
    }
    return done
  }

  private limit({ stream, metadata }: MetadataRequest): AppendResult {
    const head = this.head(stream)
    if (head.tombstone !== null) throw new Refused(new StreamTombstoned(`${stream} is removed for ever`))
    this.heads.delete(stream)
    const maxCount = metadata.maxCount ?? null
    this.sql(
      'INSERT INTO stream (name, max_count) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET max_count = ?2',
    ).run(stream, maxCount)
    if (maxCount !== null) this.drop(stream, head.revision - maxCount)
    return { revision: head.revision, position: this.position, written: false }
  }

  private drop(stream: string, upTo: number): void {
    if (upTo < 1) return
    this.remember()
    this.sql('DELETE FROM event WHERE stream = ? AND revision <= ?').run(stream, upTo)
  }

  /** Positions are never given twice, so the highest one is remembered when its event may go. */
  private remember(): void {
    this.sql("INSERT INTO meta (key, value) VALUES ('position', ?1) ON CONFLICT (key) DO UPDATE SET value = ?1").run(
      String(this.position),
    )
  }

  private head(stream: string): Head {
    const cached = this.heads.get(stream)
    if (cached) return cached
    const revision = Number(this.one('SELECT max(revision) FROM event WHERE stream = ?', stream) ?? 0)
    const row = this.sql('SELECT hidden, max_count, tombstone FROM stream WHERE name = ?').get(stream)
    const optional = (value: unknown) => (value === null || value === undefined ? null : Number(value))
    const head: Head = {
      revision: Math.max(revision, Number(row?.hidden ?? 0)),
      maxCount: optional(row?.max_count),
      tombstone: optional(row?.tombstone),
    }
    if (this.heads.size >= CACHED_HEADS) this.heads.clear()
    this.heads.set(stream, head)
    return head
  }

  private remembered(): number {
    return Number(this.one("SELECT value FROM meta WHERE key = 'position'") ?? 0)
  }

  private one(sql: string, ...values: string[]): unknown {
    return Object.values(this.sql(sql).get(...values) ?? {})[0]
  }

  private sql(text: string): StatementSync {
    return this.statements.get(text)
  }
}

/** Refuses one request of a transaction; any other error fails all of them. */
class Refused extends Error {
  readonly reason: Error
  constructor(reason: Error) {
    super(reason.message)
    this.reason = reason
  }
}

const file: string = workerData.file

/** Reopens a read-only file with every request, so writing recovers automatically. */
function open(): Writer | Failure {
  try {
    return new Writer(file)
  } catch (error) {
    if (error instanceof StoreReadOnly) return toFailure(error)
    throw error
  }
}

serve<WriteRequest, AppendResult>(() => {
  let writer = open()
  return {
    id: '',
    most: 1024,
    answer: requests => {
      if (!(writer instanceof Writer)) writer = open()
      const present = writer
      return present instanceof Writer ? present.commit(requests) : requests.map(() => present)
    },
    close: () => writer instanceof Writer && writer.close(),
  }
})
