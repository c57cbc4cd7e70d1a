import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ForgottenList } from '../keys/open-keys.ts'
import { prepareFolder } from '../store/embedded/folder-lock.ts'
import { syncFolder } from '../store/embedded/sqlite-file.ts'
import {
  BackupRefused,
  CONVERSATION_FOLDER,
  CONVERSATION_PART,
  digestOf,
  FILE_PART,
  MANIFEST,
  type Manifest,
  manifestSchema,
  unpackFiles,
} from './archive.ts'

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
