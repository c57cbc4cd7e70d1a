import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parseJson } from '#schemas/json.ts'
import { type Mark, StoreCorrupt } from '../port.ts'
import { storageError } from './message.ts'
import { openReadOnly, type SqliteFormat } from './sqlite-file.ts'

/** Raised with every change of the tables below; a file of a higher number is refused. */
const SCHEMA_VERSION = 1

/**
 * One row for each event, in log order; `data` comes last, so that filtering never reads it.
 * `stream` holds only streams that were deleted, tombstoned or limited; all others are known by their events.
 */
export const TABLES = [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE event (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL,
    type TEXT NOT NULL, version INTEGER NOT NULL, time TEXT NOT NULL, actor TEXT, correlation TEXT NOT NULL,
    causation TEXT, level TEXT, hash TEXT NOT NULL, data TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX event_stream ON event (stream, revision)',
  'CREATE UNIQUE INDEX event_id ON event (id)',
  `CREATE TABLE stream (
    name TEXT PRIMARY KEY, hidden INTEGER NOT NULL DEFAULT 0, max_count INTEGER, tombstone INTEGER) WITHOUT ROWID`,
]

export const INSERT_EVENT = `INSERT INTO event
  (position, stream, revision, id, type, version, time, actor, correlation, causation, level, hash, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export const COLUMNS =
  'position, stream, revision, id, type, version, time, actor, correlation, causation, level, hash, data'

/** Up to this many pages (16 MiB) the whole file is checked at opening; beyond, its two ends and a sample. */
const FULL_CHECK_PAGES = 4096
const SAMPLE = 64

export const EVENT_FORMAT: SqliteFormat = {
  applicationId: 0x50726c79,
  version: SCHEMA_VERSION,
  kind: 'an event store',
  fill: db => {
    for (const table of TABLES) db.exec(table)
    db.prepare("INSERT INTO meta (key, value) VALUES ('id', ?)").run(randomUUID())
  },
}

/** Refuses a damaged file; takes milliseconds for any number of events. @returns the store's id */
export function checkEventFile(db: DatabaseSync, file: string): string {
  const tables = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
  const present = tables.map(({ sql }) => String(sql)).sort()
  if (present.join(';') !== [...TABLES].sort().join(';')) {
    throw new StoreCorrupt(`${file} does not have the tables of format ${SCHEMA_VERSION}`)
  }
  if (Number(db.prepare('PRAGMA page_count').get()?.page_count) <= FULL_CHECK_PAGES) checkWhole(db, file)
  else checkSample(db, file)
  const id = db.prepare("SELECT value FROM meta WHERE key = 'id'").get()?.value
  if (typeof id !== 'string') throw new StoreCorrupt(`${file} has no id`)
  return id
}

function checkWhole(db: DatabaseSync, file: string): void {
  const found = String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
  if (found !== 'ok') throw new StoreCorrupt(`${file} is damaged (${found.split('\n').join(' ')})`)
}

/** Each sampled event must be found, the same, through the table and through both indexes, and its data must be JSON. */
function checkSample(db: DatabaseSync, file: string): void {
  const ends = db
    .prepare('SELECT (SELECT min(position) FROM event) AS low, (SELECT max(position) FROM event) AS high')
    .get()
  const low = Number(ends?.low)
  const high = Number(ends?.high)
  const nearest = db.prepare(
    'SELECT position, stream, revision, id, data FROM event WHERE position <= ? ORDER BY position DESC LIMIT 1',
  )
  const byStream = db.prepare('SELECT position FROM event WHERE stream = ? AND revision = ?')
  const byId = db.prepare('SELECT position FROM event WHERE id = ?')
  for (let step = 0; step <= SAMPLE; step++) {
    const row = nearest.get(low + Math.floor(((high - low) * step) / SAMPLE))
    const { position = null, stream = null, revision = null, id = null, data = null } = row ?? {}
    const sound = byStream.get(stream, revision)?.position === position && byId.get(id)?.position === position
    if (!sound || !isJson(data)) throw new StoreCorrupt(`${file} is damaged (event ${position})`)
  }
}

function isJson(text: unknown): boolean {
  return parseJson(String(text)) !== undefined
}

/** Prepared statements of one connection, each prepared once. */
export class Statements {
  private readonly db: DatabaseSync
  private readonly known = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.db = db
  }

  get(sql: string): StatementSync {
    const known = this.known.get(sql)
    if (known) return known
    const statement = this.db.prepare(sql)
    this.known.set(sql, statement)
    return statement
  }
}

/** A stream of which the file says that events are hidden or were taken away. */
interface Shortened {
  readonly stream: string
  readonly text: string
}

interface Inspection {
  /** Damage found by SQLite in the file's pages and indexes. */
  readonly damage: readonly string[]
  readonly shortened: readonly Shortened[]
}

const MAX_FINDINGS = 20

/** Checks the integrity of a folder's event file. Synchronous; reads every page. */
export function inspectFile(folder: string): Inspection {
  const file = join(folder, 'events.sqlite')
  const { db } = openReadOnly(file)
  try {
    const found = db.prepare(`PRAGMA integrity_check(${MAX_FINDINGS})`).all()
    const rows = db.prepare('SELECT name, hidden, tombstone, max_count FROM stream').all()
    return {
      damage: found.map(row => String(row.integrity_check)).filter(line => line !== 'ok'),
      shortened: rows.map(({ name, hidden, tombstone, max_count }) => ({
        stream: String(name),
        text:
          tombstone !== null
            ? `is marked as removed for ever at revision ${tombstone}`
            : max_count !== null
              ? `is marked as holding its newest ${max_count} events alone`
              : `is marked as removed up to revision ${hidden}`,
      })),
    }
  } catch (error) {
    throw storageError(error, file)
  } finally {
    db.close()
  }
}

/** Number of events in a folder, for progress; 0 without a file. */
export function countEvents(folder: string): number {
  const file = join(folder, 'events.sqlite')
  if (!existsSync(file)) return 0
  const { db } = openReadOnly(file)
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM event').get()?.n)
  } finally {
    db.close()
  }
}

/** Marks of a folder's streams, unordered; does not block concurrent writers. */
export function* readMarks(folder: string): Generator<Mark> {
  const file = join(folder, 'events.sqlite')
  const { db } = openReadOnly(file)
  try {
    for (const row of db.prepare('SELECT name, hidden, max_count, tombstone FROM stream').iterate()) {
      const { name, hidden, max_count, tombstone } = row
      const maxCount = max_count === null ? undefined : Number(max_count)
      yield { stream: String(name), removed: Number(hidden), maxCount, isTombstoned: tombstone !== null }
    }
  } catch (error) {
    throw storageError(error, file)
  } finally {
    db.close()
  }
}
