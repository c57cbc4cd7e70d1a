import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { backup } from 'node:sqlite'
import { openKeysReader } from '../keys/key-ring.ts'
import { ForgottenList } from '../keys/open-keys.ts'
import { openEmbeddedLog } from '../store/embedded/embedded-log.ts'
import { countEvents } from '../store/embedded/event-file.ts'
import { prepareFolder } from '../store/embedded/folder-lock.ts'
import { openReadOnly, syncFolder, writeDurably } from '../store/embedded/sqlite-file.ts'
import {
  BackupRefused,
  CONVERSATION_FOLDER,
  CONVERSATION_PART,
  digestOf,
  FILE_PART,
  MANIFEST,
  type Manifest,
  manifestSchema,
  PARTS,
  packFiles,
  unpackFiles,
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

interface Restoration {
  /** The folder of a backup. */
  readonly from: string
  /** PARLEY_DATA: not there, or empty but for what outlives the data. */
  readonly folder: string
  /** Ids of people forgotten after the backup. */
  readonly forgotten?: readonly string[]
  readonly progress?: (done: number, total: number) => void
}

/** Files allowed in the folder: the key, and the forgotten list, which outlives every backup. */
const MAY_STAY = new Set(['parley.key', 'forgotten.txt'])

/**
 * Copies a backup into an empty folder and checks it against its manifest; merges the forgotten lists, so that opening
 * the keys forgets everyone on either. The event file is renamed last. @throws BackupRefused with one line
 */
export const bringBack = async ({ from, folder, forgotten = [], progress }: Restoration): Promise<Manifest> => {
  const manifest = readManifest(from)
  prepareFolder(folder)
  const occupied = readdirSync(folder).find(name => !MAY_STAY.has(name))
  if (occupied !== undefined) throw new BackupRefused(`${folder} is not empty: ${occupied} is in it`)
  const total = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  for (const { name, bytes, sha256 } of manifest.parts) {
    const kept = MAY_STAY.has(name) && existsSync(join(folder, name))
    if (name !== 'forgotten.txt' && !kept) await copyPart(from, folder, name, sha256)
    done += bytes
    progress?.(done, total)
  }
  const files = join(folder, coming(FILE_PART))
  if (existsSync(files)) {
    await unpackFiles(files, folder)
    rmSync(files)
  }
  const list = new ForgottenList(folder)
  const known = list.read()
  const missing = new Set([...new ForgottenList(from).read(), ...forgotten]).difference(known)
  if (missing.size > 0) list.add([...missing])
  for (const { name } of manifest.parts)
    if (existsSync(join(folder, coming(name)))) renameSync(join(folder, coming(name)), placeOf(folder, name))
  syncFolder(folder)
  return manifest
}

/** Path of a part in a data folder. */
const placeOf = (folder: string, name: string): string => {
  if (name !== CONVERSATION_PART) return join(folder, name)
  mkdirSync(join(folder, CONVERSATION_FOLDER), { mode: 0o700, recursive: true })
  return join(folder, CONVERSATION_FOLDER, 'events.sqlite')
}

const coming = (name: string) => `${name}.coming`

const copyPart = async (from: string, folder: string, name: string, sha256: string): Promise<void> => {
  const target = join(folder, coming(name))
  copyFileSync(join(from, name), target)
  chmodSync(target, 0o600)
  if ((await digestOf(target)) === sha256) return
  for (const left of readdirSync(folder)) if (left.endsWith('.coming')) rmSync(join(folder, left))
  throw new BackupRefused(`${name} of the backup is damaged: its hash is another one than the backup says`)
}

const readManifest = (from: string): Manifest => {
  const file = join(from, MANIFEST)
  if (!existsSync(file)) throw new BackupRefused(`${from} is no complete backup: there is no ${MANIFEST} in it`)
  try {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    for (const { name } of manifest.parts) if (!existsSync(join(from, name))) throw new Error(`${name} is missing`)
    return manifest
  } catch (error) {
    throw new BackupRefused(
      `${file} is not understood (${error instanceof Error ? error.message.split('\n')[0] : error})`,
    )
  }
}
