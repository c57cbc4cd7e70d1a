import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder, writeDurably } from '#commands/store/embedded/sqlite-file.ts'
import { KEY_BYTES, KeyRefused } from './secret.ts'

const fileIn = (folder: string) => join(folder, 'parley.key')
/** During rewrapping, the next key is beside the present one; the one that fits is the key. */
const nextIn = (folder: string) => join(folder, 'parley.key.next')

/**
 * The keys that may open the folder, the likeliest first: PARLEY_KEY alone where it is given, else those of the key file.
 * @param given 32 bytes in base64 or hexadecimal
 * @throws KeyRefused naming the setting or the file, never the key
 */
export function masterKeys(folder: string, given: string | undefined): Buffer[] {
  if (given !== undefined) return [wrappingKey(given, 'PARLEY_KEY')]
  return [fileIn(folder), nextIn(folder)]
    .filter(file => existsSync(file))
    .map(file => wrappingKey(readFileSync(file, 'utf8').trim(), file))
}

/** Makes the key file, mode 600. */
export function createMasterKey(folder: string): Buffer {
  const key = newMasterKey()
  writeDurably(fileIn(folder), `${key}\n`, 'replace')
  return wrappingKey(key, fileIn(folder))
}

export function newMasterKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

/** Call `adopt` once the keys are wrapped with it. */
export function stageMasterKey(folder: string, key: string): void {
  writeDurably(nextIn(folder), `${key}\n`, 'replace')
}

export function adoptMasterKey(folder: string): void {
  renameSync(nextIn(folder), fileIn(folder))
  syncFolder(folder)
}

/** The key that wraps others, derived from the master key. @param source what to name in the refusal */
export function wrappingKey(text: string, source: string): Buffer {
  const key = /^[\da-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES) throw new KeyRefused(`${source} must be ${KEY_BYTES} bytes in base64`)
  return Buffer.from(hkdfSync('sha256', key, '', 'parley key wrapping', KEY_BYTES))
}
