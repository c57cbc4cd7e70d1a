import { randomBytes } from 'node:crypto'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { NodeKeys } from '#commands/keys/node-keys.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { contactKeysStream } from '#schemas/events/audience.ts'
import { appendFacts } from '../../log/sole-append.ts'

const KEY_BYTES = 32
const BUCKET_SIZE = 256
/** 8 MB of keys. */
const MAX_CACHED_BUCKETS = 1000
const CONTACT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

interface ContactKey {
  readonly contact: string
  readonly key: Buffer
}

interface Bucket {
  /** All keys in sequence; keys of forgotten contacts are zeros. */
  readonly keys: Buffer
  readonly tail: Tail
}

/** A contact's id is the id of its bucket followed by its place in it as the last byte. */
const bucketOf = (contact: string): string => contact.slice(0, -2)
const placeOf = (contact: string): number => Number.parseInt(contact.slice(-2), 16)
const contactAt = (bucket: string, place: number): string => bucket + place.toString(16).padStart(2, '0')

/** Random, in the form of a UUID (version 8) without its last byte. */
const newBucket = (): string => {
  const bytes = randomBytes(15)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Prefix of forgotten contacts in the list beside the keys, so that a restored store forgets them again. */
const HOLDER = 'contact:'

/**
 * A key for each contact, in streams of 256 (CAMPAIGNS §6). To forget a contact, its bucket is written again without
 * the key, and the earlier version is removed.
 */
export class ContactKeys {
  readonly #store: EventStore
  readonly #keys: Pick<NodeKeys, 'secret' | 'personal'>
  readonly #cache = new Map<string, Buffer>()

  constructor(store: EventStore, keys: Pick<NodeKeys, 'secret' | 'personal'>) {
    this.#store = store
    this.#keys = keys
  }

  /** Creates contacts with their keys, durable when it resolves. */
  async make(count: number): Promise<readonly ContactKey[]> {
    const made: ContactKey[] = []
    while (made.length < count) {
      const bucket = newBucket()
      const size = Math.min(BUCKET_SIZE, count - made.length)
      const keys = randomBytes(size * KEY_BYTES)
      await this.#write(bucket, { keys, tail: NO_STREAM }, [])
      for (let place = 0; place < size; place += 1)
        made.push({ contact: contactAt(bucket, place), key: keyAt(keys, place) })
    }
    return made
  }

  /** Omits unknown contacts and forgotten ones, which have no key. */
  async find(contacts: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>()
    for (const contact of contacts) {
      if (!CONTACT_ID.test(contact)) continue
      const bucket = bucketOf(contact)
      const keys = this.#cache.get(bucket) ?? (await this.#read(bucket)).keys
      const place = placeOf(contact)
      const key = keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)
      if (key.length === KEY_BYTES && key.some(byte => byte !== 0)) found.set(contact, key)
    }
    return found
  }

  /** Lists the contact first, so that the next start completes it after a crash. Idempotent. */
  async forget(contact: string): Promise<string | undefined> {
    if (!CONTACT_ID.test(contact)) return undefined
    await this.#keys.personal.forget(HOLDER + contact)
    const bucket = bucketOf(contact)
    for (;;) {
      const { keys: present, tail } = await this.#read(bucket)
      if (present.length === 0) return undefined
      const keys = Buffer.from(present)
      keyAt(keys, placeOf(contact)).fill(0)
      try {
        const position = await this.#write(bucket, { keys, tail }, [contact])
        await this.#store.setMetadata(contactKeysStream(bucket), { maxCount: 1 })
        return position
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error
      }
    }
  }

  /** Forgotten contacts, including those whose keys a restored store brought back. */
  async forgotten(): Promise<readonly string[]> {
    const holders = await this.#keys.personal.forgotten()
    return [...holders].filter(holder => holder.startsWith(HOLDER)).map(holder => holder.slice(HOLDER.length))
  }

  /** Evicts a bucket that another node may have written. */
  lose(bucket: string): void {
    this.#cache.delete(bucket)
  }

  close(): void {
    for (const keys of this.#cache.values()) keys.fill(0)
    this.#cache.clear()
  }

  async #read(bucket: string): Promise<Bucket> {
    const stream = contactKeysStream(bucket)
    for await (const { data, revision, hash } of this.#store.read(stream, { direction: 'backwards', limit: 1 })) {
      const text = await this.#keys.secret.decrypt(data.keys as JsonObject, stream)
      const keys = this.#keep(bucket, Buffer.from(String(text), 'base64'))
      return { keys, tail: { revision, hash } }
    }
    return { keys: Buffer.alloc(0), tail: NO_STREAM }
  }

  /** Returns the position. @throws WrongRevision */
  async #write(bucket: string, { keys, tail }: Bucket, forgotten: readonly string[]): Promise<string> {
    const stream = contactKeysStream(bucket)
    const sealed = await this.#keys.secret.encrypt(keys.toString('base64'), stream)
    const { position } = await appendFacts(this.#store, stream, tail, [
      { type: 'ContactKeysWritten', data: { keys: sealed, forgotten } },
    ])
    this.#keep(bucket, keys)
    return position
  }

  #keep(bucket: string, keys: Buffer): Buffer {
    this.#cache.delete(bucket)
    this.#cache.set(bucket, keys)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > MAX_CACHED_BUCKETS && oldest !== undefined) this.#cache.delete(oldest)
    return keys
  }
}

const keyAt = (keys: Buffer, place: number): Buffer => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)
