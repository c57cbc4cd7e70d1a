import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { backup } from 'node:sqlite'
import { openKeysReader } from '../keys/key-ring.ts'
import { openEmbeddedLog } from '../store/embedded/embedded-log.ts'
import { countEvents } from '../store/embedded/inspect-file.ts'
import { openReadOnly, syncFolder, writeDurably } from '../store/embedded/sqlite-file.ts'
import {
  BackupRefused,
  CONVERSATION_FOLDER,
  CONVERSATION_PART,
  digestOf,
  MANIFEST,
  type Manifest,
  PARTS,
  packFiles,
} from './archive.ts'

/** Pages per step: 16 MiB, with a progress call after each. */
const RATE = 4096

/**
 * Copies an SQLite file as of this moment, despite concurrent writers. Only the owner can read the copy. @param
 * progress receives bytes copied and total bytes
 */
const copyDatabase = async (
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

interface Backup {
  /** PARLEY_DATA, with or without a gateway at work in it. */
  readonly folder: string
  /** PARLEY_KEY where it is set: then no key file is copied. */
  readonly key: string | undefined
  /** A folder that is not there yet. */
  readonly target: string
  readonly progress?: (done: number, total: number) => void
}

/**
 * Copies conversations, events, keys, the forgotten list and uploaded files, in this order: so the copy has every
 * release a conversation runs, and every key and file an event needs, except keys of people forgotten meanwhile. The
 * target appears when complete. @throws BackupRefused, StoreUnavailable or KeyRefused with one line
 */
export const takeBackup = async ({ folder, key, target, progress }: Backup): Promise<Manifest> => {
  const partial = `${resolve(target)}.partial`
  if (existsSync(target)) throw new BackupRefused(`${target} is there already`)
  if (!existsSync(join(folder, 'events.sqlite'))) throw new BackupRefused(`There is no events.sqlite in ${folder}`)
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o700 })
  try {
    const conversations = join(folder, CONVERSATION_FOLDER, 'events.sqlite')
    if (existsSync(conversations)) await copyDatabase(conversations, join(partial, CONVERSATION_PART), progress)
    await copyDatabase(join(folder, 'events.sqlite'), join(partial, 'events.sqlite'), progress)
    await copyDatabase(join(folder, 'keys.sqlite'), join(partial, 'keys.sqlite'))
    const small = key === undefined ? ['forgotten.txt', 'parley.key', 'parley.key.next'] : ['forgotten.txt']
    for (const name of small) copySmall(folder, partial, name)
    await packFiles(folder, partial)
    // A key that was rotated in between would leave a copy that nobody can open.
    openKeysReader({ folder: partial, key }).close()
    const manifest = await describe(partial)
    writeDurably(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, 'replace')
    renameSync(partial, target)
    syncFolder(dirname(resolve(target)))
    return manifest
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

const copySmall = (folder: string, target: string, name: string): void => {
  if (!existsSync(join(folder, name))) return
  copyFileSync(join(folder, name), join(target, name))
  chmodSync(join(target, name), 0o600)
}

const describe = async (folder: string): Promise<Manifest> => {
  const log = await openEmbeddedLog(folder)
  const { id: store } = log
  await log.close()
  const events = countEvents(folder)
  // Removes files left by reading; they hold no extra data.
  for (const name of ['events.sqlite', CONVERSATION_PART, 'keys.sqlite'])
    for (const rest of ['-wal', '-shm']) rmSync(join(folder, name + rest), { force: true })
  const parts: Manifest['parts'] = []
  for (const name of PARTS) {
    const file = join(folder, name)
    if (!existsSync(file)) continue
    const handle = openSync(file, 'r')
    fsyncSync(handle)
    closeSync(handle)
    parts.push({ name, bytes: statSync(file).size, sha256: await digestOf(file) })
  }
  return { format: 'parley-backup', version: 1, time: new Date().toISOString(), store, events, parts }
}
