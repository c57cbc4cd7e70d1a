import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Json, JsonObject } from '#schemas/event.ts'
import { decrypt, KeyRefused, keyIdOf, SealBroken, unseal } from './cipher.ts'
import { dataBinding, KeyTable, type Purpose, userBinding } from './key-table.ts'
import { masterKeys } from './master-key.ts'

const CACHED_USERS = 10_000

interface DataKey {
  readonly id: string
  readonly key: Buffer
}

/** Unwrapped keys at hand, never staler than the table. */
export class KeyRing {
  readonly table: KeyTable
  wrapping: Buffer
  private readonly users = new Map<string, Buffer>()
  private secrets: readonly DataKey[] = []
  /** A key object: with the bytes of a key `createHmac` takes five times as long. */
  private indexKey: KeyObject | undefined
  private seen = -1

  constructor(table: KeyTable, wrapping: Buffer) {
    this.table = table
    this.wrapping = wrapping
  }

  openSecret(sealed: JsonObject, context: string): Json {
    const id = keyIdOf('$secret', sealed)
    const find = () => this.secrets.find(candidate => candidate.id === id)
    const found = find() ?? this.reload() ?? find()
    if (!found) throw new SealBroken(`The key ${id} of the sealed value of ${context} is not here`)
    return unseal('$secret', found.key, sealed, context)
  }

  /** Undefined when the user's key was destroyed. */
  openPersonal(user: string, sealed: JsonObject, context: string): Json | undefined {
    const key = this.userKey(user)
    return key && unseal('$personal', key, sealed, context)
  }

  hmac(text: string): string {
    this.indexKey ??= this.loadIndexKey()
    return createHmac('sha256', this.indexKey).update(text).digest('hex')
  }

  newestSecret(): DataKey {
    if (this.secrets.length === 0) this.reload()
    const [newest] = this.secrets
    if (!newest) throw new SealBroken('There is no key for secrets')
    return newest
  }

  userKey(user: string): Buffer | undefined {
    const changes = this.table.changes()
    if (changes !== this.seen) this.dropUsers()
    this.seen = changes
    const cached = this.users.get(user)
    if (cached) return cached
    const wrapped = this.table.userKey(user)
    if (wrapped === undefined) return undefined
    const key = decrypt(this.wrapping, wrapped, userBinding(user))
    if (this.users.size >= CACHED_USERS) this.dropUsers()
    this.users.set(user, key)
    return key
  }

  /** Wipes the users' keys from memory; those still there are unwrapped again when needed. */
  dropUsers(): void {
    for (const key of this.users.values()) key.fill(0)
    this.users.clear()
  }

  reload(): undefined {
    this.secrets = this.load('secret')
  }

  close(): void {
    this.dropUsers()
    for (const { key } of this.secrets) key.fill(0)
    this.indexKey = undefined
    this.wrapping.fill(0)
    this.table.close()
  }

  private loadIndexKey(): KeyObject {
    const [index] = this.load('index')
    if (index === undefined) throw new SealBroken('The index key is not here')
    const key = createSecretKey(index.key)
    index.key.fill(0)
    return key
  }

  private load(purpose: Purpose): DataKey[] {
    return this.table.dataKeys(purpose).map(({ id, wrapped }) => ({
      id,
      key: decrypt(this.wrapping, wrapped, dataBinding(purpose, id)),
    }))
  }
}

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
