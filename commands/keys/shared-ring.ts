import { randomBytes } from 'node:crypto'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { decrypt, encrypt, KEY_BYTES } from './cipher.ts'
import { KeyRefused, SealBroken } from './error.ts'
import { keyEvent } from './key-event.ts'
import { dataBinding } from './key-table.ts'

/** `user` keys wrap those of single users. */
export type SharedPurpose = 'secret' | 'index' | 'user'

interface Wrapped {
  readonly id: string
  readonly purpose: SharedPurpose
  readonly wrapped: string
}

/** All of them, wrapped, with a check value of the key that wraps them. */
interface Kept {
  readonly check: string
  readonly keys: readonly Wrapped[]
}

export interface SharedKey {
  readonly id: string
  readonly purpose: SharedPurpose
  readonly key: Buffer
}

/** Only its newest event counts, and only that stays readable: so a key wrapped anew leaves no old wrapping behind. */
const STREAM = 'parley-key'
const CHECK = 'parley'
const PURPOSES: readonly SharedPurpose[] = ['secret', 'index', 'user']

/** The data keys of a cluster, kept in its store and wrapped by PARLEY_KEY. */
export class SharedRing {
  readonly #store: EventStore
  #wrapping: Buffer
  #revision = 0
  /** Newest first. */
  #keys: readonly SharedKey[] = []

  private constructor(store: EventStore, wrapping: Buffer) {
    this.#store = store
    this.#wrapping = wrapping
  }

  /**
   * Reads the keys, or makes them when there are none; of nodes that start at once one makes them.
   * @throws KeyRefused with one line when they were wrapped with another key
   */
  static async open(store: EventStore, wrapping: Buffer): Promise<SharedRing> {
    const ring = new SharedRing(store, wrapping)
    while (!(await ring.reload())) {
      const keys = PURPOSES.map(purpose => newKey(purpose))
      await ring.#write(keys, wrapping)
    }
    await store.setMetadata(STREAM, { maxCount: 1 })
    return ring
  }

  /** @throws SealBroken when there is none */
  newest(purpose: SharedPurpose): SharedKey {
    const found = this.#keys.find(key => key.purpose === purpose)
    if (found === undefined) throw new SealBroken(`There is no key for ${purpose}`)
    return found
  }

  find(id: string): SharedKey | undefined {
    return this.#keys.find(key => key.id === id)
  }

  /** Whether there are keys. @throws KeyRefused, SealBroken */
  async reload(): Promise<boolean> {
    for await (const { data, revision } of this.#store.read(STREAM, { direction: 'backwards', limit: 1 })) {
      const { check, keys } = data as unknown as Kept
      if (!fits(this.#wrapping, check))
        throw new KeyRefused('PARLEY_KEY is another one than the data was encrypted with')
      this.#keys = keys.map(({ id, purpose, wrapped }) => ({
        id,
        purpose,
        key: decrypt(this.#wrapping, wrapped, dataBinding(purpose, id)),
      }))
      this.#revision = revision
      return true
    }
    return false
  }

  /** A new key of this kind comes first; the others stay, for what was sealed with them. */
  async add(purpose: SharedPurpose): Promise<void> {
    await this.#change(() => this.#write([newKey(purpose), ...this.#keys], this.#wrapping))
  }

  async rewrap(wrapping: Buffer): Promise<void> {
    await this.#change(() => this.#write(this.#keys, wrapping))
    this.#wrapping = wrapping
  }

  close(): void {
    for (const { key } of this.#keys) key.fill(0)
    this.#keys = []
    this.#wrapping.fill(0)
  }

  async #change(write: () => Promise<boolean>): Promise<void> {
    while (!(await write())) await this.reload()
    this.#revision += 1
  }

  /** False when another node was first. */
  async #write(keys: readonly SharedKey[], wrapping: Buffer): Promise<boolean> {
    const wrapped = keys.map(({ id, purpose, key }) => ({
      id,
      purpose,
      wrapped: encrypt(wrapping, key, dataBinding(purpose, id)),
    }))
    const check = encrypt(wrapping, Buffer.from(CHECK), 'check')
    try {
      await this.#store.append(STREAM, this.#revision, [keyEvent('KeysWrapped', { check, keys: wrapped })])
      this.#keys = keys
      return true
    } catch (error) {
      if (error instanceof WrongRevision) return false
      throw error
    }
  }
}

function newKey(purpose: SharedPurpose): SharedKey {
  return { id: randomBytes(6).toString('hex'), purpose, key: randomBytes(KEY_BYTES) }
}

function fits(wrapping: Buffer, check: string): boolean {
  try {
    return decrypt(wrapping, check, 'check').toString() === CHECK
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}
