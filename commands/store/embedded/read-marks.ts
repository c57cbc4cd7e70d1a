import { join } from 'node:path'
import type { Mark } from '../mark.ts'
import { storageError } from './failure.ts'
import { openReadOnly } from './open-read-only.ts'

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
