import { randomBytes, randomUUID } from 'node:crypto'
import type { JsonObject, NewEvent } from '#schemas/event.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { dataBinding } from './key-ring.ts'
import { decrypt, encrypt, KEY_BYTES, KeyRefused, SealBroken } from './secret.ts'

/** Keys must be deletable, so their events are in separate streams, outside every hash chain. */
export const keyEvent = (type: string, data: JsonObject): NewEvent => ({
  id: randomUUID(),
  type,
  version: 1,
  data,
  time: new Date().toISOString(),
  actor: null,
  correlation: randomUUID(),
  causation: null,
  level: null,
  hash: '',
})

/** `user` keys wrap those of single users. */
type SharedPurpose = 'secret' | 'index' | 'user'

interface Wrapped {
  readonly id: string
  readonly purpose: SharedPurpose
  readonly wrapped: string
}

/** All of them, wrapped, with a check value of the key that wraps them. */
interface StoredRing {
  readonly check: string
  readonly keys: readonly Wrapped[]
  /** Id of the log that is copied, while it is. */
  readonly log?: string
}

/** The newest key event. */
interface Begun {
  readonly type: string
  readonly log: string
}

interface SharedKey {
  readonly id: string
  readonly purpose: SharedPurpose
  readonly key: Buffer
}

/** Only its newest event counts and stays readable: a rewrapped key leaves no old wrapping behind. */
const STREAM = 'parley-key'
const CHECK = 'parley'
/** Newest event while a log is copied into the store: no node opens an incomplete copy. */
const COPYING = 'CopyBegun'
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

  /** Reads the keys; undefined when there are none. @throws KeyRefused */
  static async openPresent(store: EventStore, wrapping: Buffer): Promise<SharedRing | undefined> {
    const ring = new SharedRing(store, wrapping)
    return (await ring.reload()) ? ring : undefined
  }

  /**
   * The keys of a store that another log is copied into. They are durable from the start, but no node opens the store
   * before `finishCopy`.
   * @throws KeyRefused when the store has keys that are not `given`, or a copy of another log
   */
  static async beginCopy(
    store: EventStore,
    wrapping: Buffer,
    log: string,
    given: readonly SharedKey[],
  ): Promise<SharedRing> {
    const ring = new SharedRing(store, wrapping)
    for (;;) {
      const begun = await ring.#read()
      if (begun === undefined) {
        await ring.#write([...given, newKey('user')], wrapping, { type: COPYING, log })
        continue
      }
      if (begun.type === COPYING && begun.log !== log)
        throw new KeyRefused('The store holds the beginning of a copy of another log')
      const present = ring.#keys.filter(({ purpose }) => purpose !== 'user')
      if (present.length === given.length && given.every(({ id, key }) => ring.find(id)?.key.equals(key))) return ring
      if (begun.type !== COPYING) throw new KeyRefused('The store holds keys of another log')
      // The source has got another key since the copy was begun.
      await ring.#write([...given, ...ring.all('user')], wrapping, { type: COPYING, log })
    }
  }

  /** From now on nodes open the store. May be repeated. */
  async finishCopy(): Promise<void> {
    if ((await this.#read())?.type === COPYING) await this.#change(() => this.#write(this.#keys, this.#wrapping))
    await this.#store.setMetadata(STREAM, { maxCount: 1 })
  }

  /** All of one kind, newest first. */
  all(purpose: SharedPurpose): readonly SharedKey[] {
    return this.#keys.filter(key => key.purpose === purpose)
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
    const read = await this.#read()
    if (read?.type === COPYING)
      throw new KeyRefused('The event store holds a copy that is not complete: go on with parley copy')
    return read !== undefined
  }

  async #read(): Promise<Begun | undefined> {
    for await (const { type, data, revision } of this.#store.read(STREAM, { direction: 'backwards', limit: 1 })) {
      const { check, keys, log = '' } = data as unknown as StoredRing
      if (!fits(this.#wrapping, check))
        throw new KeyRefused('PARLEY_KEY is another one than the data was encrypted with')
      this.#keys = keys.map(({ id, purpose, wrapped }) => ({
        id,
        purpose,
        key: decrypt(this.#wrapping, wrapped, dataBinding(purpose, id)),
      }))
      this.#revision = revision
      return { type, log }
    }
    return undefined
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
  async #write(
    keys: readonly SharedKey[],
    wrapping: Buffer,
    { type, ...copying }: { type: string; log?: string } = { type: 'KeysWrapped' },
  ): Promise<boolean> {
    const wrapped = keys.map(({ id, purpose, key }) => ({
      id,
      purpose,
      wrapped: encrypt(wrapping, key, dataBinding(purpose, id)),
    }))
    const check = encrypt(wrapping, Buffer.from(CHECK), 'check')
    try {
      await this.#store.append(STREAM, this.#revision, [keyEvent(type, { check, keys: wrapped, ...copying })])
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
