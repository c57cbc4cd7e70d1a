import { rmSync } from 'node:fs'
import { signerOf } from '#commands/integrity/signing.ts'
import { openKeys } from '#commands/keys/open-keys.ts'
import { startParley } from '../api/harness.ts'
import { writeMixedStore } from './mixed-store.ts'

export const MILLION = 1_000_000

let folder: Promise<string> | undefined

/** A data folder with a mixed store of a million events, made once for a run and removed at its end. */
export const millionEvents = (): Promise<string> => {
  folder ??= make()
  return folder
}

async function make(): Promise<string> {
  // A first start makes the keys and the first user.
  const parley = await startParley()
  process.once('exit', () => rmSync(parley.folder, { recursive: true, force: true }))
  await parley.end()
  const keys = openKeys({ folder: parley.folder })
  await writeMixedStore(parley.folder, MILLION, signerOf(keys))
  keys.close()
  return parley.folder
}
