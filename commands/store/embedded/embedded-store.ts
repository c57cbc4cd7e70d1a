import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import {
  type Appended,
  type EventStore,
  EventTooLarge,
  type Filter,
  type ReadAll,
  type ReadStream,
  type StoreUnavailable,
  type StreamMetadata,
  type Subscriber,
  type Subscription,
} from '../port.ts'
import { EmbeddedLog, NO_LIMIT } from './embedded-log.ts'
import { type CatchUpChunk, LiveSubscription } from './live-subscription.ts'
import {
  type AppendResult,
  type EventRow,
  fromPosition,
  type ReadRequest,
  type ReadResult,
  toEvent,
  toPosition,
  toRow,
  type WriteRequest,
} from './message.ts'
import type { WorkerChannel } from './worker-channel.ts'

/** At most what every store takes in one append, in bytes. */
export const MAX_APPENDED = 1024 * 1024
/** Around the data of an event: the fields of fixed size. */
const ENVELOPE = 400
const MAX_REVISIONS = 2_000
/** The revision is being read. */
const UNREAD = -1

/** Revisions of the streams that were last asked for, kept current by the appends of this process, the only writer. */
class RevisionCache {
  readonly #revisions = new Map<string, number>()

  async get(stream: string, read: () => Promise<number>): Promise<number> {
    const known = this.#revisions.get(stream)
    if (known !== undefined && known !== UNREAD) return known
    if (known === undefined) {
      const [oldest] = this.#revisions.size < MAX_REVISIONS ? [] : this.#revisions.keys()
      if (oldest !== undefined) this.#revisions.delete(oldest)
      this.#revisions.set(stream, UNREAD)
    }
    const revision = await read()
    // An append that ended meanwhile has set a later one.
    if (this.#revisions.get(stream) === UNREAD) this.#revisions.set(stream, revision)
    return revision
  }

  appended(stream: string, revision: number): void {
    if (this.#revisions.has(stream)) this.#revisions.set(stream, revision)
  }

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
        reject,
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
    await this.write({ kind: 'delete', stream, expected })
    this.revisions.drop(stream)
  }

  async tombstone(stream: string, expected: number): Promise<void> {
    checkExpected(stream, expected)
    await this.write({ kind: 'tombstone', stream, expected })
    this.revisions.drop(stream)
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
    return { events: rows.map(toEvent), position: toPosition(next ?? head), end: next === null }
  }

  private write(request: WriteRequest): Promise<void> {
    return new Promise((resolve, reject) => this.writes.send(request, 0, { resolve: () => resolve(), reject }))
  }
}

/** Bytes of an event as they count towards `MAX_APPENDED`. */
export const sizeOf = ({ data }: NewEvent): number => sizeOfData(JSON.stringify(data))

const sizeOfData = (text: string): number => Buffer.byteLength(text) + ENVELOPE

function checkExpected(stream: string, expected: number): void {
  if (!Number.isInteger(expected) || expected < 0) throw new RangeError(`${expected} is no revision of ${stream}`)
}
