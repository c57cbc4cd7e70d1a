import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mark } from '../port.ts'
import { storageError } from './message.ts'
import { openReadOnly } from './sqlite-file.ts'

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
