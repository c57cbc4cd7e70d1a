import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreCorrupt, StoreReadOnly } from '../port.ts'

export interface SqliteFormat {
  /** Four bytes that tell this kind of file from any other program's. */
  readonly applicationId: number
  /** Raised with every change of the tables; a file of a higher number is refused. */
  readonly version: number
  /** "an event store", for the refusal. */
  readonly kind: string
  fill(db: DatabaseSync): void
}

const MAGIC = 'SQLite format 3\0'
/** Offsets in the file's header, which never change once the file has its name. */
const AT_USER_VERSION = 60
const AT_APPLICATION_ID = 68

/**
 * Makes the file where there is none, complete before it gets its name, so that an empty or half-made file is never ours;
 * otherwise looks at its header alone. Only while no connection of this process is open on it: closing a plain handle
 * would drop SQLite's locks.
 * @throws StoreCorrupt with one line
 */
export function ensureSqliteFile(file: string, format: SqliteFormat): void {
  if (existsSync(file)) {
    checkHeader(file, format)
    return
  }
  if (existsSync(`${file}-wal`)) throw new StoreCorrupt(`${file} is missing although ${file}-wal is there`)
  const fresh = `${file}.new`
  for (const left of [fresh, `${fresh}-journal`, `${fresh}-wal`, `${fresh}-shm`]) rmSync(left, { force: true })
  closeSync(openSync(fresh, 'wx', 0o600))
  const db = new DatabaseSync(fresh)
  try {
    db.exec(`PRAGMA synchronous=FULL; PRAGMA journal_mode=WAL; BEGIN;
      PRAGMA application_id=${format.applicationId}; PRAGMA user_version=${format.version}`)
    format.fill(db)
    db.exec('COMMIT')
  } finally {
    db.close()
  }
  renameSync(fresh, file)
  syncFolder(dirname(file))
}

/** Makes renamed and new names in the folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function checkHeader(file: string, { applicationId, version, kind }: SqliteFormat): void {
  const header = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  const length = readSync(handle, header, 0, header.length, 0)
  closeSync(handle)
  if (length === 0) throw new StoreCorrupt(`${file} is empty`)
  if (length < header.length || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new StoreCorrupt(`${file} is damaged or not ${kind}`)
  }
  if (header.readUInt32BE(AT_APPLICATION_ID) !== applicationId) {
    throw new StoreCorrupt(`${file} belongs to another program`)
  }
  const present = header.readUInt32BE(AT_USER_VERSION)
  if (present > version) {
    throw new StoreCorrupt(`${file} was written by a newer Parley (format ${present}, this one reads ${version})`)
  }
}

/**
 * Writes a small file of the owner's alone; durable, name and content, when it returns.
 * @throws StoreReadOnly with one line
 */
export function writeDurably(file: string, text: string, mode: 'replace' | 'append'): void {
  try {
    const isNew = !existsSync(file)
    const handle = openSync(file, mode === 'append' ? 'a' : 'w', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    if (isNew) syncFolder(dirname(file))
  } catch (error) {
    throw new StoreReadOnly(`${file} cannot be written (${error instanceof Error ? error.message : error})`)
  }
}

interface ReadOnlyDatabase {
  readonly db: DatabaseSync
  /** True when it will never show what is written later, because the disk let SQLite make none of the files that WAL needs. */
  readonly frozen: boolean
}

/** A connection that only reads, also on a full or read-only disk: without a WAL the file itself is everything. */
export function openReadOnly(file: string): ReadOnlyDatabase {
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
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
