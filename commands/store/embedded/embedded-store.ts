import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import {
  type Appended,
  type EventStore,
  EventTooLarge,
  type Filter,
  matches,
  type ReadAll,
  type ReadStream,
  rememberText,
  type StoreUnavailable,
  type StreamMetadata,
  type Subscriber,
  type Subscription,
} from '../port.ts'
import { EmbeddedLog, NO_LIMIT, type WorkerChannel } from './embedded-log.ts'
import {
  type AppendResult,
  DATA,
  type EventRow,
  fromPosition,
  type ReadRequest,
  type ReadResult,
  type StoredRow,
  toEvent,
  toPosition,
  toRow,
  type WriteRequest,
} from './message.ts'

/** Live events kept for a subscriber that is busy; beyond it, it catches up from the file again. */
const MAX_BUFFERED = 1000

interface CatchUpChunk {
  readonly events: readonly StoredEvent[]
  /** Everything up to here was delivered or filtered out. */
  readonly position: string
  /** Nothing was left when this was read. */
  readonly end: boolean
}

type ReadChunk = (after: string) => Promise<CatchUpChunk>

/**
 * Live events are buffered before a chunk is read, so the buffer has all that the last chunk lacks: no gap between
 * catching up and live; the position detects duplicates.
 */
export class LiveSubscription implements Subscription {
  readonly done: Promise<void>
  private readonly subscriber: Subscriber
  private readonly filter: Filter
  private readonly readChunk: ReadChunk
  private position: string
  private buffer: StoredEvent[] = []
  /** Position of the newest event that was pushed, whether it matches or not. */
  private newest = ''
  private overflowed = false
  private stopped = false
  private failure: Error | undefined
  private wake: (() => void) | undefined

  constructor(after: string, subscriber: Subscriber, filter: Filter, readChunk: ReadChunk) {
    this.position = after
    this.subscriber = subscriber
    this.filter = filter
    this.readChunk = readChunk
    this.done = this.run()
  }

  /** New events of the log, in order. */
  push(events: readonly StoredEvent[]): void {
    if (this.overflowed) return
    for (const event of events) if (matches(event, this.filter)) this.buffer.push(event)
    this.newest = events.at(-1)?.position ?? this.newest
    if (this.buffer.length > MAX_BUFFERED) {
      this.buffer = []
      this.overflowed = true
    }
    this.wake?.()
  }

  async stop(): Promise<void> {
    this.end()
    await this.done
  }

  end(error?: Error): void {
    if (this.stopped) return
    this.failure = error
    this.stopped = true
    this.wake?.()
  }

  private async run(): Promise<void> {
    try {
      while (!this.stopped) {
        await this.catchUp()
        if (!this.stopped) await this.subscriber.caughtUp?.(this.position)
        await this.follow()
      }
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error))
      this.stopped = true
    }
    this.buffer = []
    this.subscriber.ended?.(this.failure)
  }

  /** The next chunk is read while one is delivered. */
  private async catchUp(): Promise<void> {
    let coming = this.nextChunk(this.position)
    while (!this.stopped) {
      const { events, position, end } = await coming
      if (!end) coming = this.nextChunk(position)
      await this.deliver(events)
      if (position > this.position) this.position = position
      if (end && !this.overflowed) return
      if (end) coming = this.nextChunk(this.position)
    }
  }

  private nextChunk(after: string): Promise<CatchUpChunk> {
    this.overflowed = false
    const coming = this.readChunk(after)
    coming.catch(() => undefined)
    return coming
  }

  private async follow(): Promise<void> {
    while (!this.stopped && !this.overflowed) {
      if (this.buffer.length === 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.wake = resolve
        await promise
        this.wake = undefined
      }
      const events = this.buffer
      const { newest, overflowed } = this
      this.buffer = []
      await this.deliver(events)
      // Too many events were dropped: the next chunk has them.
      if (this.stopped || overflowed || newest <= this.position) continue
      this.position = newest
      this.subscriber.passed?.(newest)
    }
  }

  private async deliver(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      if (this.stopped) return
      if (event.position <= this.position) continue
      const busy = this.subscriber.event(event)
      if (busy) await busy
      this.position = event.position
    }
  }
}

/** At most what every store takes in one append, in bytes. */
export const MAX_APPENDED = 1024 * 1024
/** Around the data of an event: the fields of fixed size. */
const ENVELOPE = 400
const MAX_REVISIONS = 2_000

/** Revisions of the streams that were last asked for, kept current by the appends of this process, the only writer. */
class RevisionCache {
  /** A promise while the revision is read. */
  readonly #revisions = new Map<string, number | Promise<number>>()

  async get(stream: string, read: () => Promise<number>): Promise<number> {
    const known = this.#revisions.get(stream)
    if (known !== undefined) return known
    const [oldest] = this.#revisions.size < MAX_REVISIONS ? [] : this.#revisions.keys()
    if (oldest !== undefined) this.#revisions.delete(oldest)
    const reading = read()
    this.#revisions.set(stream, reading)
    try {
      const revision = await reading
      // An append that ended meanwhile has set a later one.
      if (this.#revisions.get(stream) === reading) this.#revisions.set(stream, revision)
      return revision
    } catch (error) {
      if (this.#revisions.get(stream) === reading) this.#revisions.delete(stream)
      throw error
    }
  }

  appended(stream: string, revision: number): void {
    if (this.#revisions.has(stream)) this.#revisions.set(stream, revision)
  }

  /** After a removal, and after a failed append, whose events may be written all the same. */
  drop(stream: string): void {
    this.#revisions.delete(stream)
  }
}

interface Channels {
  readonly writes: WorkerChannel<WriteRequest, AppendResult>
  readonly reads: WorkerChannel<ReadRequest, ReadResult>
}

export class EmbeddedStore implements EventStore {
  readonly id: string
  readonly isExclusive = true
  private readonly revisions = new RevisionCache()
  private readonly writes: Channels['writes']
  private readonly log: EmbeddedLog
  private readonly release: () => void
  private readonly subscriptions = new Set<LiveSubscription>()

  constructor(id: string, { writes, reads }: Channels, release: () => void) {
    this.id = id
    this.writes = writes
    this.log = new EmbeddedLog(id, reads)
    this.release = release
  }

  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    return new Promise((resolve, reject) => {
      checkExpected(stream, expected)
      const rows = events.map(toRow)
      const size = rows.reduce((sum, row) => sum + sizeOfData(row[9]), 0)
      if (rows.length === 0) throw new RangeError(`An append to ${stream} has no events`)
      if (size > MAX_APPENDED) throw new EventTooLarge(`An append of ${size} bytes to ${stream} is over 1 MiB`)
      this.writes.send({ kind: 'append', stream, expected, rows }, size, {
        resolve: ({ revision, position, written }) => {
          if (written) {
            this.revisions.appended(stream, revision)
            this.publish(stream, expected, position, rows)
          }
          resolve({ revision, position: toPosition(position) })
        },
        reject: error => {
          this.revisions.drop(stream)
          reject(error)
        },
      })
    })
  }

  read(stream: string, options?: ReadStream): AsyncIterable<StoredEvent> {
    return this.log.read(stream, options)
  }

  readAll(options?: ReadAll): AsyncIterable<StoredEvent> {
    return this.log.readAll(options)
  }

  revision(stream: string): Promise<number> {
    return this.revisions.get(stream, () => this.log.revision(stream))
  }

  head(): Promise<string> {
    return this.log.head()
  }

  async countAfter(position: string): Promise<number> {
    return fromPosition(await this.log.head()) - fromPosition(position)
  }

  metadata(stream: string): Promise<StreamMetadata> {
    return this.log.metadata(stream)
  }

  subscribe(after: string, subscriber: Subscriber, filter: Filter = {}): Subscription {
    fromPosition(after)
    const subscription = new LiveSubscription(after, subscriber, filter, from => this.catchUp(from, filter))
    this.subscriptions.add(subscription)
    subscription.done.finally(() => this.subscriptions.delete(subscription))
    return subscription
  }

  async delete(stream: string, expected: number): Promise<void> {
    checkExpected(stream, expected)
    await this.write({ kind: 'delete', stream, expected }).finally(() => this.revisions.drop(stream))
  }

  async tombstone(stream: string, expected: number): Promise<void> {
    checkExpected(stream, expected)
    await this.write({ kind: 'tombstone', stream, expected }).finally(() => this.revisions.drop(stream))
  }

  async setMetadata(stream: string, metadata: StreamMetadata): Promise<void> {
    const { maxCount = 1 } = metadata
    if (!Number.isInteger(maxCount) || maxCount < 1) throw new RangeError(`maxCount of ${stream} is not a count`)
    await this.write({ kind: 'metadata', stream, metadata })
  }

  async probe(): Promise<void> {
    await this.write({ kind: 'probe', stream: '' })
  }

  /** Writes earlier appends first; subscriptions end. */
  async close(): Promise<void> {
    const subscriptions = [...this.subscriptions]
    for (const subscription of subscriptions) subscription.end()
    await this.log.close()
    await this.writes.close()
    this.release()
  }

  /** The store has failed. */
  fail(error: StoreUnavailable): void {
    for (const subscription of this.subscriptions) subscription.end(error)
  }

  private publish(stream: string, expected: number, position: number, rows: readonly EventRow[]): void {
    if (this.subscriptions.size === 0) return
    const first = position - rows.length + 1
    const events = rows.map((row, index) => toEvent([first + index, stream, expected + 1 + index, ...row]))
    for (const subscription of this.subscriptions) subscription.push(events)
  }

  private async catchUp(after: string, filter: Filter): Promise<CatchUpChunk> {
    const { rows, next, head } = await this.log.logChunk(fromPosition(after), null, NO_LIMIT, filter)
    return { events: rows.map(toEventWithText), position: toPosition(next ?? head), end: next === null }
  }

  private write(request: WriteRequest): Promise<void> {
    return new Promise((resolve, reject) => this.writes.send(request, 0, { resolve: () => resolve(), reject }))
  }
}

function toEventWithText(row: StoredRow): StoredEvent {
  const event = toEvent(row)
  rememberText(event.data, row[DATA])
  return event
}

/** Bytes of an event as they count towards `MAX_APPENDED`. */
export const sizeOf = ({ data }: NewEvent): number => sizeOfData(JSON.stringify(data))

const sizeOfData = (text: string): number => Buffer.byteLength(text) + ENVELOPE

function checkExpected(stream: string, expected: number): void {
  if (!Number.isInteger(expected) || expected < 0) throw new RangeError(`${expected} is no revision of ${stream}`)
}
