import { closeSync, openSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { openReadOnly } from '../store/embedded/open-read-only.ts'

/** Pages at a time: 16 MiB, between which progress is told. */
const RATE = 4096

/**
 * Copies an SQLite file as it is at this moment, whoever writes it meanwhile. The copy is the owner's alone.
 * @param progress told bytes copied and in all
 */
export const copyDatabase = async (
  file: string,
  target: string,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<void> => {
  const { db } = openReadOnly(file)
  try {
    const size = Number(db.prepare('PRAGMA page_size').get()?.page_size)
    // One moment for all pages: without it every write of another process would begin the copying anew.
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
