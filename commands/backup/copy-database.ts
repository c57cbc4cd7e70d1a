import { closeSync, openSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { openReadOnly } from '../store/embedded/open-read-only.ts'

/** Pages per step: 16 MiB, with a progress call after each. */
const RATE = 4096

/**
 * Copies an SQLite file as of this moment, despite concurrent writers. Only the owner can read the copy. @param
 * progress receives bytes copied and total bytes
 */
export const copyDatabase = async (
  file: string,
  target: string,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<void> => {
  const { db } = openReadOnly(file)
  try {
    const size = Number(db.prepare('PRAGMA page_size').get()?.page_size)
    // One read transaction for all pages: otherwise each write of another process restarts the copy.
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    closeSync(openSync(target, 'wx', 0o600))
    await backup(db, target, {
      rate: RATE,
      progress: ({ totalPages, remainingPages }) => progress((totalPages - remainingPages) * size, totalPages * size),
    })
  } finally {
    db.close()
  }
}
