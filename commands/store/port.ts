import type { JsonObject, NewEvent, StoredEvent } from '#schemas/event.ts'

/** Before the first event of the log. Every position compares greater, as a plain string. */
export const START = ''

const texts = new WeakMap<JsonObject, string>()

/** Keeps the text that data was read from, for a reader that sends events to another thread. */
export const rememberText = (data: JsonObject, text: string): void => void texts.set(data, text)

/** Data as JSON text. */
export const dataText = (data: JsonObject): string => texts.get(data) ?? JSON.stringify(data)

export interface Appended {
  /** Revision of the last event written (or found already written). */
  readonly revision: number
  /** Position of that event. */
  readonly position: string
}

export interface ReadStream {
  /** Inclusive. Default: 1 forwards, the newest backwards. */
  readonly from?: number
  readonly direction?: 'forwards' | 'backwards'
  readonly limit?: number
}

export interface ReadAll {
  /** Exclusive. Default START. */
  readonly after?: string
  readonly limit?: number
  readonly filter?: Filter
}

/** Empty or absent lists do not filter. Both given: both must match. */
export interface Filter {
  readonly streamPrefixes?: readonly string[]
  readonly types?: readonly string[]
}

export interface Subscriber {
  /** In log order, each once, conversations in batches. A returned promise is awaited before the next, so a slow reader is never flooded. */
  event(event: StoredEvent): void | Promise<void>
  /** Everything up to `position` has been delivered or filtered out; called again after each catch-up. */
  caughtUp?(position: string): void | Promise<void>
  /** Everything up to `position` has been delivered or filtered out; called soon after events that do not match. */
  passed?(position: string): void
  /** Delivery broke off and resumes automatically from its position; `caughtUp` is called once it is current. */
  interrupted?(error: Error): void
  /** The subscription ended: by `stop()` (no error) or because it failed. */
  ended?(error?: Error): void
}

export interface Subscription {
  /** Nothing is delivered any more when it resolves; a running call of the subscriber is waited for, so it must not wait in turn. */
  stop(): Promise<void>
}

export interface StreamMetadata {
  /** Only the newest n events stay readable; revisions keep counting. */
  readonly maxCount?: number
}

/**
 * Storage of events. Two stores keep this contract, shown by one suite (test/contract/store/). Errors: `WrongRevision`,
 * `StreamTombstoned`, `EventTooLarge`, `StoreReadOnly` (disk full or read-only; nothing was written),
 * `StoreUnavailable` (outcome unknown: retry with the same ids until known), `StoreCorrupt`.
 */
export interface EventStore {
  /** Made once with the store, never changes; read models record it. */
  readonly id: string
  /** No other process writes to it: `revision` answers from memory for streams that were asked for before. */
  readonly isExclusive?: true
  /**
   * Durable when it resolves. `expected` is 0 for "no stream", or the exact present revision; never anything else. The
   * same events already at `expected + 1 …` return the first answer and write nothing. They are compared by id: every
   * event needs a unique id. At most 1 MiB an append.
   */
  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended>
  /** A stream that does not exist yields nothing. */
  read(stream: string, options?: ReadStream): AsyncIterable<StoredEvent>
  readAll(options?: ReadAll): AsyncIterable<StoredEvent>
  /** Present revision, 0 for no stream (soft-deleted streams included). */
  revision(stream: string): Promise<number>
  /** Position of the newest event of the log, START when empty. */
  head(): Promise<string>
  /** Number of events after a position, for metrics: exact for few, else approximate. */
  countAfter(position: string): Promise<number>
  subscribe(after: string, subscriber: Subscriber, filter?: Filter): Subscription
  /** Soft: reads yield nothing; an append at its last revision continues the count. */
  delete(stream: string, expected: number): Promise<void>
  /** For ever: later appends and settings throw `StreamTombstoned`; it has no events, no settings and revision 0. */
  tombstone(stream: string, expected: number): Promise<void>
  setMetadata(stream: string, metadata: StreamMetadata): Promise<void>
  metadata(stream: string): Promise<StreamMetadata>
  /** Resolves when appends are taken at present; otherwise rejects as one would. No event is written. */
  probe(): Promise<void>
  close(): Promise<void>
}

export class WrongRevision extends Error {
  override readonly name = 'WrongRevision'
  readonly stream: string
  readonly expected: number
  readonly actual: number
  constructor(stream: string, expected: number, actual: number) {
    super(`${stream} is at revision ${actual}, not ${expected}`)
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

export class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned'
}

export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
}

/** The store refuses writes (disk full, read-only); reads work. Nothing of the refused append was written. */
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly'
}

/** Whether it was written is unknown: retry with the same ids until known. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The files are damaged, of a newer version or of another program. The message is the one line to print. */
export class StoreCorrupt extends Error {
  override readonly name = 'StoreCorrupt'
}

/** A store's metadata of a stream. A stream without a mark shows all its appended events. */
export interface Mark {
  readonly stream: string
  /** Events up to this revision are removed; 0 for none. */
  readonly removed: number
  readonly maxCount: number | undefined
  readonly isTombstoned: boolean
}

export const matches = (event: StoredEvent, { streamPrefixes = [], types = [] }: Filter): boolean => {
  if (types.length > 0 && !types.includes(event.type)) return false
  return streamPrefixes.length === 0 || streamPrefixes.some(prefix => event.stream.startsWith(prefix))
}

/** A store that does some things in its own way and the rest as another one. */
export const storeAround = (store: EventStore, own: Partial<EventStore>): EventStore => ({
  id: store.id,
  append: store.append.bind(store),
  read: store.read.bind(store),
  readAll: store.readAll.bind(store),
  revision: store.revision.bind(store),
  head: store.head.bind(store),
  countAfter: store.countAfter.bind(store),
  subscribe: store.subscribe.bind(store),
  delete: store.delete.bind(store),
  tombstone: store.tombstone.bind(store),
  setMetadata: store.setMetadata.bind(store),
  metadata: store.metadata.bind(store),
  probe: store.probe.bind(store),
  close: store.close.bind(store),
  ...own,
})
