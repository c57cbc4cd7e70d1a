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
import { type CatchUpChunk, LiveSubscription } from './live-subscription.ts'
import type { Chunk, EventRow, ReadRequest, ReadResult, WriteRequest, Written } from './message.ts'
import { fromPosition, toPosition } from './position.ts'
import type { WorkerChannel } from './worker-channel.ts'

/** At most what every store takes in one append, in bytes. */
const MOST_APPENDED = 1024 * 1024
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/** Around the data of an event: the fields of fixed size. */
const ENVELOPE = 400

export interface Channels {
  readonly writes: WorkerChannel<WriteRequest, Written>
  readonly reads: WorkerChannel<ReadRequest, ReadResult>
}

export class EmbeddedStore implements EventStore {
  readonly id: string
  private readonly writes: Channels['writes']
  private readonly reads: Channels['reads']
  private readonly release: () => void
  private readonly subscriptions = new Set<LiveSubscription>()

  constructor(id: string, { writes, reads }: Channels, release: () => void) {
    this.id = id
    this.writes = writes
    this.reads = reads
    this.release = release
  }

  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const rows = events.map(toRow)
      const size = rows.reduce((sum, row) => sum + Buffer.byteLength(row[9]) + ENVELOPE, 0)
      if (rows.length === 0) throw new RangeError(`An append to ${stream} has no events`)
      if (size > MOST_APPENDED) throw new EventTooLarge(`An append of ${size} bytes to ${stream} is over 1 MiB`)
      this.writes.send({ kind: 'append', stream, expected, rows }, size, {
        resolve: ({ revision, position, written }) => {
          if (written) this.publish(stream, expected, position, rows)
          resolve({ revision, position: toPosition(position) })
        },
        reject,
      })
    })
  }

  async *read(stream: string, options: ReadStream = {}): AsyncIterable<StoredEvent> {
    const backwards = options.direction === 'backwards'
    let from = options.from ?? null
    let left = options.limit ?? NO_LIMIT
    while (left > 0) {
      const chunk = await this.chunk({ kind: 'stream', stream, backwards, from, limit: left })
      yield* parse(chunk)
      if (chunk.next === null) return
      left -= chunk.count
      from = chunk.next
    }
  }

  async *readAll({ after = '', limit = NO_LIMIT, filter = {} }: ReadAll = {}): AsyncIterable<StoredEvent> {
    let left = limit
    let from = fromPosition(after)
    let upTo: number | null = null
    while (left > 0) {
      const chunk = await this.logChunk(from, upTo, left, filter)
      yield* parse(chunk)
      if (chunk.next === null) return
      left -= chunk.count
      from = chunk.next
      upTo ??= chunk.head
    }
  }

  async revision(stream: string): Promise<number> {
    return Number(await this.ask({ kind: 'revision', stream }))
  }

  async head(): Promise<string> {
    return toPosition(Number(await this.ask({ kind: 'head' })))
  }

  async metadata(stream: string): Promise<StreamMetadata> {
    const answer = await this.ask({ kind: 'metadata', stream })
    return typeof answer === 'object' && !('events' in answer) ? answer : {}
  }

  subscribe(after: string, subscriber: Subscriber, filter: Filter = {}): Subscription {
    fromPosition(after)
    const subscription = new LiveSubscription(after, subscriber, filter, from => this.catchUp(from, filter))
    this.subscriptions.add(subscription)
    subscription.done.finally(() => this.subscriptions.delete(subscription))
    return subscription
  }

  delete(stream: string, expected: number): Promise<void> {
    return this.write({ kind: 'delete', stream, expected })
  }

  tombstone(stream: string, expected: number): Promise<void> {
    return this.write({ kind: 'tombstone', stream, expected })
  }

  setMetadata(stream: string, metadata: StreamMetadata): Promise<void> {
    return this.write({ kind: 'metadata', stream, metadata })
  }

  /** What was appended before is written first; subscriptions end. */
  async close(): Promise<void> {
    const subscriptions = [...this.subscriptions]
    for (const subscription of subscriptions) subscription.end()
    await this.reads.close()
    await this.writes.close()
    this.release()
  }

  /** The store cannot go on. */
  fail(error: StoreUnavailable): void {
    for (const subscription of this.subscriptions) subscription.end(error)
  }

  private publish(stream: string, expected: number, position: number, rows: readonly EventRow[]): void {
    if (this.subscriptions.size === 0) return
    const first = position - rows.length + 1
    const events = rows.map((row, index) => toEvent(row, stream, expected + 1 + index, toPosition(first + index)))
    for (const subscription of this.subscriptions) subscription.push(events)
  }

  private async catchUp(after: string, filter: Filter): Promise<CatchUpChunk> {
    const chunk = await this.logChunk(fromPosition(after), null, NO_LIMIT, filter)
    return { events: parse(chunk), position: toPosition(chunk.next ?? chunk.head), end: chunk.next === null }
  }

  private logChunk(after: number, upTo: number | null, limit: number, filter: Filter): Promise<Chunk> {
    const { streamPrefixes = [], types = [] } = filter
    return this.chunk({ kind: 'log', after, upTo, limit, streamPrefixes, types })
  }

  private async chunk(request: ReadRequest): Promise<Chunk> {
    const answer = await this.ask(request)
    if (typeof answer === 'object' && 'events' in answer) return answer
    throw new TypeError(`A ${request.kind} request is answered with events`)
  }

  private ask(request: ReadRequest): Promise<ReadResult> {
    return new Promise((resolve, reject) => this.reads.send(request, 0, { resolve, reject }))
  }

  private write(request: WriteRequest): Promise<void> {
    return new Promise((resolve, reject) => this.writes.send(request, 0, { resolve: () => resolve(), reject }))
  }
}

function toRow(event: NewEvent): EventRow {
  const { id, type, version, time, actor, correlation, causation, level, hash, data } = event
  return [id, type, version, time, actor, correlation, causation, level, hash, JSON.stringify(data)]
}

/** From the text that was stored, so that what is delivered live equals what is read later. */
function toEvent(row: EventRow, stream: string, revision: number, position: string): StoredEvent {
  const [id, type, version, time, actor, correlation, causation, level, hash, data] = row
  const parsed = JSON.parse(data)
  return {
    stream,
    revision,
    id,
    type,
    version,
    time,
    actor,
    correlation,
    causation,
    level,
    hash,
    position,
    data: parsed,
  }
}

function parse(chunk: Chunk): StoredEvent[] {
  return JSON.parse(chunk.events)
}
