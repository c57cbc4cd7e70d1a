import { randomBytes } from 'node:crypto'
import type { NodeKeys } from '#commands/keys/secret.ts'
import type { Draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { contactKeysStream } from '#schemas/events/campaign.ts'
import {
  exclusiveDrafts,
  NO_EVENTS,
  type StreamAggregate,
  type StreamEnd,
  streamAggregate,
} from '../../log/stream-aggregate.ts'

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
  readonly end: StreamEnd
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
 * A key for each contact, in streams of 256. To forget a contact, its bucket is written again without
 * the key, and the earlier version is removed.
 */
export class ContactKeys {
  readonly #store: EventStore
  readonly #keys: Pick<NodeKeys, 'secret' | 'personal'>
  readonly #buckets: StreamAggregate<Bucket, Draft>

  constructor(store: EventStore, keys: Pick<NodeKeys, 'secret' | 'personal'>) {
    this.#store = store
    this.#keys = keys
    this.#buckets = streamAggregate<Bucket>(store, {
      initial: { keys: Buffer.alloc(0), end: NO_EVENTS },
      isNewestOnly: true,
      limit: MAX_CACHED_BUCKETS,
      fold: async (bucket, { data, stream }) => {
        const text = await keys.secret.decrypt(data.keys as JsonObject, stream)
        return { ...bucket, keys: Buffer.from(String(text), 'base64') }
      },
    })
  }

  /** Creates contacts with their keys, durable when it resolves. */
  async make(count: number): Promise<readonly ContactKey[]> {
    const made: ContactKey[] = []
    while (made.length < count) {
      const bucket = newBucket()
      const size = Math.min(BUCKET_SIZE, count - made.length)
      const keys = randomBytes(size * KEY_BYTES)
      await this.#buckets.write(contactKeysStream(bucket), () => this.#written(bucket, keys, []))
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
      const stream = contactKeysStream(bucketOf(contact))
      const { keys } = this.#buckets.cached(stream) ?? (await this.#buckets.load(stream))
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
    const stream = contactKeysStream(bucket)
    await this.#buckets.refresh(stream)
    const { end } = await this.#buckets.write(stream, ({ keys: present }) => {
      if (present.length === 0) return []
      const keys = Buffer.from(present)
      keyAt(keys, placeOf(contact)).fill(0)
      return this.#written(bucket, keys, [contact])
    })
    if (end === NO_EVENTS) return undefined
    await this.#store.setMetadata(stream, { maxCount: 1 })
    return end.position
  }

  /** Forgotten contacts, including those whose keys a restored store brought back. */
  async forgotten(): Promise<readonly string[]> {
    const holders = await this.#keys.personal.forgotten()
    return [...holders].filter(holder => holder.startsWith(HOLDER)).map(holder => holder.slice(HOLDER.length))
  }

  /** Evicts a bucket that another node may have written. */
  lose(bucket: string): void {
    void this.#buckets.evict(contactKeysStream(bucket))
  }

  close(): void {
    for (const { keys } of this.#buckets.clear()) keys.fill(0)
  }

  async #written(bucket: string, keys: Buffer, forgotten: readonly string[]): Promise<readonly Draft[]> {
    const stream = contactKeysStream(bucket)
    const sealed = await this.#keys.secret.encrypt(keys.toString('base64'), stream)
    return exclusiveDrafts(stream, [{ type: 'ContactKeysWritten', data: { keys: sealed, forgotten } }])
  }
}

const keyAt = (keys: Buffer, place: number): Buffer => keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)
