import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../port.ts'
import { sqliteCode } from './failure.ts'

const BUSY = 5
const READONLY = 8

export interface FolderLock {
  release(): void
}

/**
 * Locks the folder against other processes while this one lives. It is SQLite's lock on a separate file, so the system
 * releases it however the process ends; the stored process id is only for the message. @throws StoreUnavailable with
 * one line when another process has it
 */
export function lockFolder(folder: string): FolderLock {
  const pidFile = join(folder, 'store.pid')
  const lock = new DatabaseSync(join(folder, 'store.lock'))
  try {
    acquire(lock)
  } catch (error) {
    lock.close()
    if ((sqliteCode(error) & 0xff) !== BUSY) throw error
    throw new StoreUnavailable(`The folder ${folder} is in use by ${holder(pidFile)}`)
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch {
    // A full or read-only disk: the lock holds all the same.
  }
  return { release: () => lock.close() }
}

/**
 * Without a journal on the disk, so that a full one can be locked too. A read-only folder allows the shared lock alone,
 * which still keeps a writer out.
 */
function acquire(lock: DatabaseSync): void {
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    if ((sqliteCode(error) & 0xff) !== READONLY) throw error
    lock.exec('BEGIN; SELECT * FROM sqlite_schema')
  }
}

function holder(pidFile: string): string {
  try {
    return `process ${readFileSync(pidFile, 'utf8').trim()}`
  } catch {
    return 'another process'
  }
}
