import { randomBytes } from 'node:crypto'
import type { NodeKeys } from '#commands/keys/secret.ts'
import { type Draft, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { contactKeysStream } from '#schemas/events/campaign.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'
import { exclusiveDrafts, type StreamAggregate, streamAggregate } from '../../log/stream-aggregate.ts'
import {
  entryOf,
  MEMBER,
  type MemberRow,
  memberOf,
  type OptOutEntry,
  type PersonDigests,
  type SuppressionScope,
} from './audience.ts'

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

  /** Creates contacts with their keys, durable when it resolves: the store writes all buckets together. */
  async make(count: number): Promise<readonly ContactKey[]> {
    const sizes = Array.from({ length: Math.ceil(count / BUCKET_SIZE) }, (_, at) =>
      Math.min(BUCKET_SIZE, count - at * BUCKET_SIZE),
    )
    const made = sizes.map(async size => {
      const bucket = newBucket()
      const keys = randomBytes(size * KEY_BYTES)
      await this.#buckets.write(contactKeysStream(bucket), () => this.#written(bucket, keys, []))
      return Array.from({ length: size }, (_, place) => ({
        contact: contactAt(bucket, place),
        key: keyAt(keys, place),
      }))
    })
    return (await Promise.all(made)).flat()
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

/** A row with the number of its audience. */
export interface MemberOfAudience extends MemberRow {
  readonly audience: number
}

/** Rows of several audiences, for segments. */
export class PopulationQueries {
  readonly #sql: IndexDatabase
  readonly #visible: () => number

  /** `visible`: the last place that readers see. */
  constructor(sql: IndexDatabase, visible: () => number) {
    this.#sql = sql
    this.#visible = visible
  }

  /** Numbers of audiences by their campaign or list; planned ones have none of their own. */
  audiencesOf(holders: ReadonlySet<string>): ReadonlyMap<number, string> {
    const rows = this.#sql.all('SELECT number, campaign FROM audience')
    return new Map(
      rows.flatMap(({ number, campaign }) =>
        holders.has(String(campaign)) ? [[Number(number), String(campaign)] as const] : [],
      ),
    )
  }

  /** Rows of several audiences at places in (above, upto], newest first. */
  between(audiences: string, above: number, upto: number): readonly MemberOfAudience[] {
    return this.#sql
      .all(
        `SELECT audience, ${MEMBER} FROM member WHERE place > ? AND place <= ? AND place <= ?
         AND +audience IN (SELECT value FROM json_each(?)) ORDER BY place DESC`,
        ...[above, upto, this.#visible(), audiences],
      )
      .map(row => ({ ...memberOf(row), audience: Number(row.audience) }))
  }

  /** Other rows of a contact in several audiences. */
  othersOf(audiences: string, contact: string, place: number): readonly MemberOfAudience[] {
    return this.#sql
      .all(
        `SELECT audience, ${MEMBER} FROM member WHERE contact = ? AND place <> ? AND place <= ?
         AND audience IN (SELECT value FROM json_each(?)) ORDER BY place DESC`,
        ...[contact, place, this.#visible(), audiences],
      )
      .map(row => ({ ...memberOf(row), audience: Number(row.audience) }))
  }

  /** Number of rows of an audience, and the places of the first and the last. */
  extentOf(audience: number): { readonly rows: number; readonly first: number; readonly last: number } {
    const row = this.#sql.get(
      'SELECT count(*) AS rows, min(place) AS first, max(place) AS last FROM member WHERE audience = ? AND place <= ?',
      ...[audience, this.#visible()],
    )
    return { rows: Number(row?.rows ?? 0), first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) }
  }

  /** Places of the first and the last row of several audiences; undefined: they have none. */
  boundsOf(audiences: string): { readonly first: number; readonly last: number } | undefined {
    const row = this.#sql.get(
      `SELECT min(first) AS first, max(last) AS last FROM (
         SELECT (SELECT min(place) FROM member WHERE audience = value AND place <= ?1) AS first,
                (SELECT max(place) FROM member WHERE audience = value AND place <= ?1) AS last FROM json_each(?2))`,
      ...[this.#visible(), audiences],
    )
    return row === undefined || row.first === null ? undefined : { first: Number(row.first), last: Number(row.last) }
  }

  /** Neighbours in an audience, from a place on. */
  runFrom(audience: number, place: number, limit: number): readonly MemberOfAudience[] {
    return this.#sql
      .all(
        `SELECT ${MEMBER} FROM member WHERE audience = ? AND place >= ? AND place <= ? ORDER BY place LIMIT ?`,
        ...[audience, place, this.#visible(), limit],
      )
      .map(row => ({ ...memberOf(row), audience }))
  }
}

const marks = (values: readonly string[]): string => values.map(() => '?').join(', ')

/** Entries of opt-out lists, and whether they hold people. */
export class SuppressionQueries {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Whether one of the lists holds a person for a category. */
  isSuppressed(scope: SuppressionScope, person: PersonDigests): boolean {
    return this.sourcesOf(scope, person, 1).length > 0
  }

  /** Opt-outs of people after messages of a campaign, from a moment on (ISO 8601). */
  optOutsOf(campaign: string, since: string): number {
    const row = this.#sql.get(
      `SELECT count(*) AS n FROM optout WHERE kind = 'stop' AND origin ->> 'campaign' = ? AND time >= ?`,
      ...[campaign, since],
    )
    return Number(row?.n ?? 0)
  }

  /** Sources of the suppressions of a person that hold now. */
  sourcesOf({ lists, category }: SuppressionScope, person: PersonDigests, limit = 100): readonly string[] {
    if (person.length === 0) return []
    return this.#sql
      .all(
        // The person comes first: the index on lists would read a whole list for each person.
        `SELECT DISTINCT source FROM optout_person CROSS JOIN optout ON optout.place = optout_person.place
         WHERE digest IN (${marks(person)}) AND active = 1 AND list IN (${marks(lists)}) AND category IN (?, '*')
         LIMIT ?`,
        ...[...person, ...lists, category, limit],
      )
      .map(({ source }) => String(source))
  }

  /** Places of those people that one of the lists holds for a category. */
  suppressedAmong({ lists, category }: SuppressionScope, people: readonly PersonDigests[]): ReadonlySet<number> {
    const rows = this.#sql.all(
      `SELECT DISTINCT given.key AS place FROM json_each(?) AS given CROSS JOIN json_each(given.value) AS spelling
       CROSS JOIN optout_person ON digest = spelling.value
       CROSS JOIN optout ON optout.place = optout_person.place AND active = 1 AND category IN (?, '*')
       AND list IN (SELECT value FROM json_each(?))`,
      ...[JSON.stringify(people), category, JSON.stringify(lists)],
    )
    return new Set(rows.map(({ place }) => Number(place)))
  }

  /** Entries of a person in these lists, newest first. */
  historyOf(lists: readonly string[], person: PersonDigests): readonly OptOutEntry[] {
    return this.#sql
      .all(
        `SELECT * FROM optout WHERE +list IN (${marks(lists)})
         AND place IN (SELECT place FROM optout_person WHERE digest IN (${marks(person)}))
         ORDER BY place DESC LIMIT 200`,
        ...[...lists, ...person],
      )
      .map(entryOf)
  }

  /** Entries of the lists that hold now, by source. */
  countsBySource(lists: readonly string[]): readonly { readonly source: string; readonly count: number }[] {
    return this.#sql
      .all(
        `SELECT source, count(*) AS count FROM optout WHERE list IN (${marks(lists)}) AND active = 1 GROUP BY source ORDER BY source`,
        ...lists,
      )
      .map(({ source, count }) => ({ source: String(source), count: Number(count) }))
  }

  /** Active entries of the lists before one, newest first. */
  entriesBelow(lists: readonly string[], place: number, limit: number): readonly OptOutEntry[] {
    return this.#sql
      .all(
        `SELECT * FROM optout WHERE +list IN (${marks(lists)}) AND active = 1 AND place < ? ORDER BY place DESC LIMIT ?`,
        ...[...lists, place, limit],
      )
      .map(entryOf)
  }

  /** Active entries of the lists, newest first. */
  entries(lists: readonly string[], offset: number, limit: number): readonly OptOutEntry[] {
    return this.#sql
      .all(
        `SELECT * FROM optout WHERE list IN (${marks(lists)}) AND active = 1 ORDER BY place DESC LIMIT ? OFFSET ?`,
        ...[...lists, limit, offset],
      )
      .map(entryOf)
  }
}
