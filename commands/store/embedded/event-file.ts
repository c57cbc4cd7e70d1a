import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreCorrupt } from '../port.ts'
import { APPLICATION_ID, SCHEMA_VERSION, TABLES } from './schema.ts'

const MAGIC = 'SQLite format 3\0'
/** Offsets in the file's header, which never change once the file has its name. */
const AT_USER_VERSION = 60
const AT_APPLICATION_ID = 68
/** Up to this many pages (16 MiB) the whole file is checked at opening; beyond, its two ends and a sample. */
const FULL_CHECK_PAGES = 4096
const SAMPLE = 64

/**
 * Makes the file where there is none, complete before it gets its name, so that an empty or half-made file is never ours.
 * The caller holds the folder's lock.
 */
export function ensureEventFile(file: string): void {
  if (existsSync(file)) {
    checkHeader(file)
    return
  }
  if (existsSync(`${file}-wal`)) throw new StoreCorrupt(`${file} is missing although its ${file}-wal is there`)
  const fresh = `${file}.new`
  for (const old of [fresh, `${fresh}-journal`]) rmSync(old, { force: true })
  closeSync(openSync(fresh, 'wx', 0o600))
  const db = new DatabaseSync(fresh)
  try {
    db.exec(
      `PRAGMA synchronous=FULL; BEGIN; PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${SCHEMA_VERSION}`,
    )
    for (const table of TABLES) db.exec(table)
    db.prepare("INSERT INTO meta (key, value) VALUES ('id', ?)").run(randomUUID())
    db.exec('COMMIT; PRAGMA journal_mode=WAL')
  } finally {
    db.close()
  }
  renameSync(fresh, file)
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Only before any connection of this process is open: closing a plain handle would drop SQLite's locks on the file. */
function checkHeader(file: string): void {
  const header = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  const length = readSync(handle, header, 0, header.length, 0)
  closeSync(handle)
  if (length === 0) throw new StoreCorrupt(`${file} is empty`)
  if (length < header.length || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new StoreCorrupt(`${file} is damaged or not an event store`)
  }
  if (header.readUInt32BE(AT_APPLICATION_ID) !== APPLICATION_ID) {
    throw new StoreCorrupt(`${file} belongs to another program`)
  }
  const version = header.readUInt32BE(AT_USER_VERSION)
  if (version > SCHEMA_VERSION) {
    throw new StoreCorrupt(
      `${file} was written by a newer Parley (format ${version}, this one reads ${SCHEMA_VERSION})`,
    )
  }
}

/**
 * Refuses a file that is damaged; costs milliseconds whatever the number of events.
 * @returns the store's id
 */
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
  const ends = db.prepare('SELECT min(position) AS low, max(position) AS high FROM event').get()
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
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}
