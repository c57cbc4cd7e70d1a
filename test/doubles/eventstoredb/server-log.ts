import { randomUUID } from 'node:crypto'
import { fromPosition, toPosition } from '#commands/store/embedded/message.ts'
import { type EventStore, EventTooLarge, START } from '#commands/store/port.ts'
import type { Json, JsonObject, NewEvent, StoredEvent } from '#schemas/event.ts'

/** An event as it goes over the wire. */
export interface WireEvent {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface Recorded extends WireEvent {
  readonly stream: string
  /** From 0; that of a tombstone is the greatest there is. */
  readonly revision: bigint
  /** Number in the log, from 1. */
  readonly sequence: number
  readonly time: string
}

/** Expected state of the stream; a number is an exact revision, from 0. */
export type Expected = 'any' | 'exists' | 'none' | number

interface Written {
  readonly kind: 'written'
  readonly revision: number
  readonly sequence: number
}

export type Outcome =
  | Written
  /** `current` is -1 for no stream. */
  | { readonly kind: 'wrong'; readonly current: number }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'tooLarge' }

const TOMBSTONE = '$streamDeleted'
const TOMBSTONE_REVISION = 2n ** 63n - 1n
const SETTINGS = '$$'
const JSON_TYPE = 'application/json'
const BINARY_TYPE = 'application/octet-stream'
/** Bytes of data that the real server takes in one append; types and metadata do not count. */
export const MAX_APPENDED = 1024 * 1024

/**
 * Test code only: the real server's rules for streams, as far as they were measured, over an embedded store that is
 * used as a plain log. Its metadata streams are streams like any other.
 */
export class ServerLog {
  readonly #store: EventStore
  /**
   * Written events, by stream and id. ANY and STREAM_EXISTS detect a repeated append with it. A server loses it on
   * restart: a repeated append is then written twice.
   */
  readonly #recent = new Map<string, Written>()
  /** The last append to each stream: the server takes them one by one. */
  readonly #appending = new Map<string, Promise<unknown>>()

  constructor(store: EventStore) {
    this.#store = store
  }

  /** `acceptsRepeats`: event ids that are all in the stream already are answered as the first time, at any revision. */
  async append(
    stream: string,
    expected: Expected,
    events: readonly WireEvent[],
    acceptsRepeats = false,
  ): Promise<Outcome> {
    const before = this.#appending.get(stream) ?? Promise.resolve()
    const turn = before.then(() => this.#append(stream, expected, events, acceptsRepeats))
    const over = turn.catch(() => undefined)
    this.#appending.set(stream, over)
    const outcome = await turn
    if (this.#appending.get(stream) === over) this.#appending.delete(stream)
    return outcome
  }

  async #append(
    stream: string,
    expected: Expected,
    events: readonly WireEvent[],
    acceptsRepeats: boolean,
  ): Promise<Outcome> {
    const isAny = expected === 'any' || expected === 'exists'
    const current = await this.#current(stream)
    if (current === 'deleted') return { kind: 'deleted' }
    if (expected === 'exists' && current < 0) return { kind: 'wrong', current }
    const known = events.map(({ id }) => this.#recent.get(`${stream} ${id}`))
    const newest = known.at(-1)
    if (acceptsRepeats && newest !== undefined && !known.includes(undefined)) return newest
    if (isAny && known.some(written => written !== undefined))
      return newest !== undefined && !known.includes(undefined) ? newest : { kind: 'wrong', current }
    const at = isAny ? current : expected === 'none' ? -1 : expected
    if (at !== current) return (await this.#repeated(stream, at, events)) ?? { kind: 'wrong', current }
    // The real server says so, and writes nothing.
    if (events.length === 0) return { kind: 'written', revision: current, sequence: await this.head() }
    return this.#write(stream, current, events)
  }

  /** Removes a stream for ever; like the server, by a last event. */
  async tombstone(stream: string, expected: Expected): Promise<Outcome> {
    const empty = new Uint8Array()
    const marker = { id: randomUUID(), type: TOMBSTONE, contentType: BINARY_TYPE, data: empty, metadata: empty }
    return this.append(stream, expected, [marker])
  }

  /** Soft: hides what is there, and the stream may be begun again, with its revisions going on. */
  async delete(stream: string, expected: Expected): Promise<Outcome> {
    const current = await this.#current(stream)
    if (current === 'deleted') return { kind: 'deleted' }
    if (typeof expected === 'number' && expected !== current) return { kind: 'wrong', current }
    const data = Buffer.from(JSON.stringify({ $tb: current + 1 }))
    const hidden = { id: randomUUID(), type: '$metadata', contentType: JSON_TYPE, data, metadata: new Uint8Array() }
    return this.append(`$$${stream}`, 'any', [hidden])
  }

  /** Undefined for no stream. */
  async read(
    stream: string,
    { from, backwards, count }: { from: number | undefined; backwards: boolean; count: number },
  ): Promise<AsyncIterable<Recorded> | 'deleted' | undefined> {
    const current = await this.#current(stream)
    if (current === 'deleted') return 'deleted'
    if (current < 0) return undefined
    const first = await this.#firstVisible(stream, current)
    return this.#visible(stream, { first, from, backwards, count })
  }

  /** After a number of the log, oldest first. */
  async *readAll(after: number): AsyncGenerator<Recorded> {
    for await (const event of this.#store.readAll({ after: toPosition(after) })) yield recorded(event)
  }

  /** From the newest, or a number of the log, which is not included. */
  async *readAllBackwards(before: number | undefined): AsyncGenerator<Recorded> {
    const STEP = 500
    let to = before === undefined ? await this.head() : before - 1
    while (to > 0) {
      const from = Math.max(0, to - STEP)
      const events: Recorded[] = []
      for await (const event of this.#store.readAll({ after: toPosition(from), limit: to - from })) {
        if (fromPosition(event.position) <= to) events.push(recorded(event))
      }
      yield* events.reverse()
      to = from
    }
  }

  subscribe(after: number | 'end', told: { event(event: Recorded): Promise<void>; caughtUp(): void }): () => void {
    const subscriber = { event: (event: StoredEvent) => told.event(recorded(event)), caughtUp: () => told.caughtUp() }
    const begin = async () =>
      this.#store.subscribe(after === 'end' ? await this.#store.head() : toPosition(after), subscriber)
    const subscription = begin()
    subscription.catch(() => undefined)
    return () => void subscription.then(begun => begun.stop()).catch(() => undefined)
  }

  async head(): Promise<number> {
    const head = await this.#store.head()
    return head === START ? 0 : fromPosition(head)
  }

  /** The settings of a tombstoned stream are deleted with it. */
  async #current(stream: string): Promise<number | 'deleted'> {
    if (stream.startsWith(SETTINGS) && (await this.#current(stream.slice(SETTINGS.length))) === 'deleted')
      return 'deleted'
    for await (const { type } of this.#store.read(stream, { direction: 'backwards', limit: 1 })) {
      if (type === TOMBSTONE) return 'deleted'
    }
    return (await this.#store.revision(stream)) - 1
  }

  async #firstVisible(stream: string, current: number): Promise<number> {
    for await (const { data } of this.#store.read(`$$${stream}`, { direction: 'backwards', limit: 1 })) {
      const { $tb = 0, $maxCount } = data.json as { $tb?: number; $maxCount?: number }
      return Math.max($tb, $maxCount === undefined ? 0 : current + 1 - $maxCount)
    }
    return 0
  }

  async *#visible(
    stream: string,
    { first, from, backwards, count }: { first: number; from: number | undefined; backwards: boolean; count: number },
  ): AsyncGenerator<Recorded> {
    const start = backwards ? from : Math.max(from ?? 0, first)
    const options = {
      direction: backwards ? ('backwards' as const) : ('forwards' as const),
      ...(start === undefined ? {} : { from: start + 1 }),
      limit: count,
    }
    for await (const event of this.#store.read(stream, options)) {
      if (event.revision - 1 < first) return
      yield recorded(event)
    }
  }

  async #write(stream: string, current: number, events: readonly WireEvent[]): Promise<Outcome> {
    const size = events.reduce((sum, { data }) => sum + data.length, 0)
    if (size > MAX_APPENDED) return { kind: 'tooLarge' }
    try {
      const { revision, position } = await this.#store.append(stream, current + 1, events.map(kept))
      const written: Written = { kind: 'written', revision: revision - 1, sequence: fromPosition(position) }
      for (const [index, { id }] of events.entries()) {
        const behind = events.length - 1 - index
        const { revision, sequence } = written
        this.#recent.set(`${stream} ${id}`, { ...written, revision: revision - behind, sequence: sequence - behind })
      }
      return written
    } catch (error) {
      if (error instanceof EventTooLarge) return { kind: 'tooLarge' }
      throw error
    }
  }

  /** The same ids after the same revision: answered as the first time. */
  async #repeated(stream: string, after: number, events: readonly WireEvent[]): Promise<Outcome | undefined> {
    let found: Recorded | undefined
    let index = 0
    for await (const event of this.#store.read(stream, { from: after + 2, limit: events.length })) {
      found = recorded(event)
      if (found.id !== events[index]?.id) return undefined
      index += 1
    }
    if (found === undefined || index < events.length) return undefined
    return { kind: 'written', revision: Number(found.revision), sequence: found.sequence }
  }
}

/** JSON is kept parsed, so that it takes no more room than it has on the wire; writing it again gives the same bytes. */
function kept({ id, type, contentType, data, metadata }: WireEvent): NewEvent {
  const isJson = contentType === JSON_TYPE
  const body: Record<string, Json> = {
    id,
    contentType,
    ...(isJson ? { json: parsed(data) } : { bytes: Buffer.from(data).toString('base64') }),
    ...(metadata.length > 0 ? { metadata: parsed(metadata) } : {}),
  }
  return {
    id: randomUUID(),
    type,
    version: 1,
    data: body,
    time: new Date().toISOString(),
    actor: null,
    correlation: '',
    causation: null,
    level: null,
    hash: '',
  }
}

function recorded({ stream, type, revision, position, time, data }: StoredEvent): Recorded {
  const { id, contentType, json, bytes, metadata } = data as {
    id: string
    contentType: string
    json?: Json
    bytes?: string
    metadata?: JsonObject
  }
  return {
    stream,
    type,
    id,
    contentType,
    revision: type === TOMBSTONE ? TOMBSTONE_REVISION : BigInt(revision - 1),
    sequence: fromPosition(position),
    time,
    data: bytes === undefined ? Buffer.from(JSON.stringify(json)) : Buffer.from(bytes, 'base64'),
    metadata: metadata === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(metadata)),
  }
}

const parsed = (bytes: Uint8Array): Json => JSON.parse(Buffer.from(bytes).toString())
