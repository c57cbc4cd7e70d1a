import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

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
