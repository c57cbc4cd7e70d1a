import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '#schemas/event.ts'
import { type Finding, type Head, type LogSealed, logSealedSchema } from '#schemas/events/seal.ts'
import type { EventStore } from '../store/port.ts'
import type { Link } from './sealer.ts'
import { isSigned } from './signing.ts'

/** Links in memory at a time. */
const AT_HAND = 20_000

/**
 * Events waiting for their seal, in log order. A gateway seals continuously, so few wait; in a log sealed late, older
 * ones are in an unnamed file.
 */
export class LinkQueue implements Disposable {
  #recent: Link[] = []
  #db: DatabaseSync | undefined
  /** Those in the file. */
  #first = 1
  #last = 0

  get size(): number {
    return this.#inFile + this.#recent.length
  }

  get #inFile(): number {
    return this.#last - this.#first + 1
  }

  add({ stream, revision, hash }: Link): void {
    this.#recent.push({ stream, revision, hash })
    if (this.#recent.length >= AT_HAND) this.#spill()
  }

  /** The one at a place, from 1. */
  at(place: number): Link | undefined {
    if (place > this.#inFile) return this.#recent[place - 1 - this.#inFile]
    const row = this.#db?.prepare('SELECT * FROM link WHERE n = ?').get(this.#first + place - 1)
    return row && toLink(row)
  }

  /** The place of the last one that is meant; 0 where none is. */
  lastPlace(isMeant: (link: Link) => boolean): number {
    const recent = this.#recent.findLastIndex(isMeant)
    if (recent >= 0) return this.#inFile + recent + 1
    for (const row of this.#db?.prepare('SELECT * FROM link ORDER BY n DESC').iterate() ?? [])
      if (isMeant(toLink(row))) return Number(row.n) - this.#first + 1
    return 0
  }

  /** Removes and gives the first ones. */
  take(count: number): Link[] {
    const old = Math.min(count, this.#inFile)
    const end = this.#first + old
    const taken = old === 0 ? [] : (this.#db?.prepare('SELECT * FROM link WHERE n < ? ORDER BY n').all(end) ?? [])
    if (old > 0) this.#db?.prepare('DELETE FROM link WHERE n < ?').run(end)
    this.#first = end
    return [...taken.map(toLink), ...this.#recent.splice(0, count - old)]
  }

  [Symbol.dispose](): void {
    this.#db?.close()
  }

  #spill(): void {
    this.#db ??= opened()
    const put = this.#db.prepare('INSERT INTO link VALUES (?, ?, ?, ?)')
    this.#db.exec('BEGIN')
    for (const { stream, revision, hash } of this.#recent) {
      this.#last += 1
      put.run(this.#last, stream, revision, hash)
    }
    this.#db.exec('COMMIT')
    this.#recent = []
  }
}

const opened = (): DatabaseSync => {
  const db = new DatabaseSync('')
  db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-8000;
    CREATE TABLE link (n INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, hash TEXT NOT NULL)`)
  return db
}

const toLink = ({ stream, revision, hash }: Record<string, unknown>): Link => ({
  stream: String(stream),
  revision: Number(revision),
  hash: String(hash),
})

interface Options {
  readonly log: Pick<EventStore, 'read'>
  /** The only key that may have signed; without it, the first seal's. */
  readonly key?: string | undefined
  /** Streams whose own chain is broken: they are named anyway. */
  readonly suspects: ReadonlySet<string>
}

interface Ends {
  readonly first: number
  readonly last: Link
}

/** Holds each seal of a log against what the log has. Given every event that seals cover, and every seal, in log order. */
export class SealCheck implements Disposable {
  readonly findings: Finding[] = []
  readonly #options: Options
  readonly #seen = new Map<number, string>()
  readonly #waiting = new LinkQueue()
  #newest: LogSealed | undefined
  #hash = ''
  #key: string | undefined

  constructor(options: Options) {
    this.#options = options
    this.#key = options.key
  }

  get newest(): LogSealed | undefined {
    return this.#newest
  }

  get count(): number {
    return this.#seen.size
  }

  /** Events that no seal covers. */
  get unsealed(): number {
    return this.#waiting.size
  }

  /** The key that the seals are signed with. */
  get key(): string | undefined {
    return this.#key
  }

  /** Of the event that holds a seal. */
  hashOf(number: number): string | undefined {
    return this.#seen.get(number)
  }

  add(link: Link): void {
    this.#waiting.add(link)
  }

  [Symbol.dispose](): void {
    this.#waiting[Symbol.dispose]()
  }

  async seal(event: StoredEvent): Promise<void> {
    const read = logSealedSchema.safeParse(event.data)
    this.#seen.set(event.revision, event.hash)
    if (!read.success) {
      this.#tell('seal', event.stream, event.revision, 'is not a seal')
      return
    }
    const seal = read.data
    this.#join(seal, event)
    const covered = this.#take(seal)
    const known = this.findings.length
    for (const head of seal.heads) await this.#head(seal, head, covered.ends.get(head[0]))
    this.#added(seal, covered.ends)
    const named = this.findings.length > known || [...covered.ends.keys()].some(one => this.#options.suspects.has(one))
    const same = covered.links.length === seal.events && orderOf(covered.links) === seal.order
    if (!same && !named) {
      this.#tell('reordered', event.stream, event.revision, 'sealed events stand in another order in the log')
    }
    this.#newest = seal
    this.#hash = event.hash
  }

  /** The seal itself: signed, and the one after the one before. */
  #join(seal: LogSealed, { stream, revision }: StoredEvent): void {
    const before = this.#newest
    this.#key ??= seal.key
    if (seal.key !== this.#key) this.#tell('seal', stream, revision, 'is signed with another key')
    else if (!isSigned(seal)) this.#tell('seal', stream, revision, 'is not signed by the key it names')
    if (seal.number !== revision || seal.previous !== this.#hash)
      this.#tell('seal', stream, revision, 'does not follow the seal before it')
    else if (before !== undefined && (seal.log !== before.log || seal.total !== before.total + seal.events))
      this.#tell('seal', stream, revision, 'does not go on where the seal before it ended')
  }

  #take(seal: LogSealed): { links: readonly Link[]; ends: ReadonlyMap<string, Ends> } {
    const links = this.#waiting.take(this.#endOf(seal))
    const ends = new Map<string, Ends>()
    for (const link of links)
      ends.set(link.stream, { first: ends.get(link.stream)?.first ?? link.revision, last: link })
    return { links, ends }
  }

  /** Number of waiting events that a seal covers; without its last event, up to the last one it names. */
  #endOf({ events, last, heads }: LogSealed): number {
    const isLast = ({ stream, revision }: Link) => stream === last.stream && revision === last.revision
    const expected = this.#waiting.at(events)
    if (expected !== undefined && isLast(expected)) return events
    const found = this.#waiting.lastPlace(isLast)
    if (found > 0) return found
    const named = new Map(heads.map(([stream, revision]) => [stream, revision]))
    return this.#waiting.lastPlace(link => link.revision <= (named.get(link.stream) ?? 0))
  }

  async #head(seal: LogSealed, [stream, revision, hash]: Head, ends: Ends | undefined): Promise<void> {
    if (this.#options.suspects.has(stream)) return
    if (ends?.last.revision === revision && ends.last.hash === hash) return
    const fault = await headFault(this.#options.log, [stream, revision, hash], seal)
    if (fault !== undefined) this.findings.push(fault)
  }

  /** Events among sealed ones that the seal does not know. */
  #added(seal: LogSealed, ends: ReadonlyMap<string, Ends>): void {
    const heads = new Map(seal.heads.map(([stream, revision]) => [stream, revision]))
    for (const [stream, { first, last }] of ends) {
      const revision = heads.get(stream)
      if (this.#options.suspects.has(stream) || last.revision <= (revision ?? 0)) continue
      const text = `stands among the events of seal ${seal.number}, which does not know it`
      this.#tell('inserted', stream, revision === undefined ? first : revision + 1, text)
    }
  }

  #tell(kind: Finding['kind'], stream: string, revision: number, text: string): void {
    this.findings.push({ kind, stream, revision, text })
  }
}

/** Finding for a stream without the head that a seal names; undefined when the head exists. */
export const headFault = async (
  log: Pick<EventStore, 'read'>,
  [stream, revision, hash]: Head,
  { number, time }: Pick<LogSealed, 'number' | 'time'>,
): Promise<Finding | undefined> => {
  const sealed = `seal ${number} of ${time}`
  for await (const event of log.read(stream, { from: revision, limit: 1 })) {
    if (event.hash === hash) return undefined
    return { kind: 'changed', stream, revision, text: `is another event than ${sealed} has` }
  }
  let end = 0
  for await (const event of log.read(stream, { direction: 'backwards', limit: 1 })) end = event.revision
  const now = end === 0 ? 'the stream is gone' : `the stream ends at ${end}`
  return { kind: 'truncated', stream, revision: end + 1, text: `${sealed} has revision ${revision}, ${now}` }
}

const orderOf = (links: readonly Link[]): string => hash('sha256', links.map(link => link.hash).join(''))
