import { join } from 'node:path'
import type { Json, JsonObject } from '#schemas/event.ts'
import { KeyRefused } from './cipher.ts'
import { KeyRing } from './key-ring.ts'
import { KeyTable } from './key-table.ts'
import { masterKeys } from './master-key.ts'

export interface KeyPlace {
  /** PARLEY_DATA. */
  readonly folder: string
  /** PARLEY_KEY: 32 bytes in base64. Without it the key file of the folder is used. */
  readonly key?: string | undefined
}

/** Keys interface for read models and queries. */
export interface KeysReader {
  readonly secret: {
    /** @throws SealBroken when the value was changed or stands elsewhere than it was made for */
    decrypt(sealed: JsonObject, context: string): Json
  }
  readonly personal: {
    /** Undefined when the user was forgotten. @throws SealBroken as above */
    decrypt(user: string, sealed: JsonObject, context: string): Json | undefined
  }
  readonly index: {
    /** HMAC-SHA256 under the index key, lower-case hex. */
    hmac(text: string): string
  }
  close(): void
}

/**
 * Opens keys that `openKeys` made, for reading alone, in any thread; it sees new and forgotten users at once.
 * @throws KeyRefused with one line
 */
export function openKeysReader(place: KeyPlace): KeysReader {
  const table = new KeyTable(join(place.folder, 'keys.sqlite'), true)
  return reading(new KeyRing(table, fittingKey(table, place)))
}

export function reading(ring: KeyRing): KeysReader {
  return {
    secret: { decrypt: (sealed, context) => ring.openSecret(sealed, context) },
    personal: { decrypt: (user, sealed, context) => ring.openPersonal(user, sealed, context) },
    index: { hmac: text => ring.hmac(text) },
    close: () => ring.close(),
  }
}

/** Closes the table when no key fits. */
export function fittingKey(table: KeyTable, { folder, key }: KeyPlace): Buffer {
  const candidates = masterKeys(folder, key)
  const fitting = candidates.find(candidate => table.fits(candidate))
  if (fitting) return fitting
  table.close()
  const name = key === undefined ? `The key file of ${folder}` : 'PARLEY_KEY'
  const fault = candidates.length === 0 ? 'is missing' : 'is another one than the data was encrypted with'
  throw new KeyRefused(`${name} ${fault}`)
}
