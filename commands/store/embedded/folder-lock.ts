import { mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreReadOnly, StoreUnavailable } from '../port.ts'
import { sqliteCode } from './message.ts'

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

/** statfs(2) types on which neither SQLite's locks nor its shared memory can be trusted. */
const NETWORK: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  1397113167: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  18225520: 'GFS2',
  1952539503: 'OCFS2',
}

/** Creates the folder (mode 700) if missing, and refuses one on a network file system. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreReadOnly(`The folder ${folder} cannot be made (${error instanceof Error ? error.message : error})`)
  }
  const network = networkName(statfsSync(folder).type)
  if (network) throw new StoreUnavailable(`The folder ${folder} lies on a network file system (${network})`)
}

/** @param type of statfs(2), which some systems give as a signed number */
export function networkName(type: number): string | undefined {
  return NETWORK[type >>> 0]
}
