import { setTimeout as sleep } from 'node:timers/promises'
import {
  BACKWARDS,
  END,
  type KurrentDBClient,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import {
  type Appended,
  type EventStore,
  type Filter,
  type ReadAll,
  type ReadStream,
  START,
  StoreUnavailable,
  type StreamMetadata,
  StreamTombstoned,
  type Subscriber,
  type Subscription,
  WrongRevision,
} from '../port.ts'
import { append, stateOf } from './append.ts'
import { type Connection, probe, type ReplaceableClient } from './connection.ts'
import { type CutReason, LiveFeed, type LiveView } from './live-feed.ts'
import { excludeSystemStreams, type LogEnd, laterOf, readHead, readLog, readStream } from './read-log.ts'
import { fromPosition, toLogEvent } from './record.ts'
import { known, Patience, readWithDeadline, unavailable } from './retry-deadline.ts'
import { type StreamSettings, StreamStates } from './stream-state.ts'

/** Parts of the store that a subscription uses. */
interface LogSource {
  readonly live: LiveFeed
  /** Every event up to `end`, and later ones. */
  readTo(end: LogEnd | undefined, options: { after: string; filter: Filter }): AsyncIterable<StoredEvent>
  head(): Promise<LogEnd | undefined>
}

/** After a pass of more events than this there may be as many again: one more pass before going live. */
const LONG_PASS = 1000
const FIRST_PAUSE = 50
const MAX_PAUSE_MS = 1000

/** The subscriber threw: its subscription ends with that. */
class Thrown extends Error {
  override readonly name = 'Thrown'
}

/**
 * Reads up to the head of the log, then follows it; restarts from its own checkpoint after a broken delivery or when
 * the subscriber was too slow. Compares positions, so no event is delivered twice.
 */
class LogSubscription implements Subscription {
  readonly #source: LogSource
  readonly #subscriber: Subscriber
  readonly #filter: Filter
  readonly #over = new AbortController()
  #position: string
  #delivering: Promise<void> | undefined
  #isEnded = false

  constructor(source: LogSource, after: string, subscriber: Subscriber, filter: Filter) {
    this.#source = source
    this.#position = after
    this.#subscriber = subscriber
    this.#filter = filter
    void this.#run()
  }

  async stop(): Promise<void> {
    this.#over.abort()
    await this.#delivering?.catch(() => undefined)
    this.#end()
  }

  async #run(): Promise<void> {
    let pause = FIRST_PAUSE
    while (!this.#over.signal.aborted) {
      try {
        // Joined before the log is read, so that between the two nothing is missed.
        const view = await this.#source.live.join(this.#filter)
        try {
          await this.#catchUp(view)
          pause = FIRST_PAUSE
          await this.#follow(view)
        } finally {
          view.close()
        }
      } catch (error) {
        if (error instanceof Thrown) return this.#end(asError(error.cause))
        if (this.#over.signal.aborted) return
        this.#subscriber.interrupted?.(unavailable(error))
        await sleep(pause, undefined, { signal: this.#over.signal }).catch(() => undefined)
        pause = Math.min(pause * 2, MAX_PAUSE_MS)
      }
    }
  }

  async #catchUp({ since }: LiveView): Promise<void> {
    for (;;) {
      const end = laterOf(await this.#source.head(), since)
      const head = end?.position ?? START
      let passed = 0
      // For example after a restore of the server: new events may have positions already delivered.
      if (head < this.#position) throw new Error(`The log ends at ${head}, before ${this.#position}`)
      if (head > this.#position) {
        for await (const event of this.#source.readTo(end, { after: this.#position, filter: this.#filter })) {
          await this.#deliver(event)
          passed += 1
        }
      }
      if (this.#over.signal.aborted) return
      if (head > this.#position) this.#position = head
      if (passed <= LONG_PASS) return this.#call(() => this.#subscriber.caughtUp?.(this.#position))
    }
  }

  /** Ends when the subscriber fell too far behind. @throws when delivery broke off */
  async #follow(view: LiveView): Promise<void> {
    for await (const next of view.events(this.#over.signal)) {
      if (typeof next === 'string') this.#pass(next)
      else {
        const busy = this.#deliver(next)
        if (busy) await busy
      }
    }
  }

  #deliver(event: StoredEvent): void | Promise<void> {
    if (this.#over.signal.aborted || event.position <= this.#position) return
    const delivered = () => {
      this.#position = event.position
    }
    const busy = this.#call(() => this.#subscriber.event(event))
    return busy ? busy.then(delivered) : delivered()
  }

  #pass(position: string): void {
    if (position <= this.#position) return
    this.#position = position
    void this.#call(() => this.#subscriber.passed?.(position))
  }

  #call(work: () => void | Promise<void>): void | Promise<void> {
    if (this.#over.signal.aborted) return
    try {
      const busy = work()
      if (!busy) return
      this.#delivering = busy.catch(cause => {
        throw new Thrown('', { cause })
      })
      return this.#delivering
    } catch (cause) {
      throw new Thrown('', { cause })
    }
  }

  #end(error?: Error): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#over.abort()
    this.#subscriber.ended?.(error)
  }
}

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** Events counted one by one; those before are taken to be as large as these. */
const COUNTED = 500
/** Readers of metrics do not wait for a frozen server. */
const DEADLINE = 1_000

/** Number of this program's events after a position. @throws StoreUnavailable */
const countAfter = async (client: KurrentDBClient, position: string): Promise<number> => {
  const commits: bigint[] = []
  let read = 0
  try {
    const filter = excludeSystemStreams()
    const options = {
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: COUNTED,
      filter,
      requiresLeader: true,
    } as const
    for await (const resolved of readWithDeadline(client.readAll(options), new Patience(DEADLINE))) {
      read += 1
      const event = toLogEvent(resolved)
      if (event === undefined || resolved.event?.position === undefined) continue
      if (event.position <= position) return commits.length
      commits.push(resolved.event.position.commit)
    }
  } catch (error) {
    throw known(error, 'the log') ?? unavailable(error)
  }
  if (read < COUNTED) return commits.length
  return commits.length + before(commits, fromPosition(position)?.commit ?? 0n)
}

/** About how many there are between a position and the oldest that was counted. */
const before = (commits: readonly bigint[], position: bigint): number => {
  const [newest, oldest] = [commits.at(0), commits.at(-1)]
  if (newest === undefined || oldest === undefined || newest === oldest) return 0
  const size = Number(newest - oldest) / (commits.length - 1)
  return Math.round(Number(oldest - position) / size)
}

export interface Timing {
  /** Milliseconds after which any call gives up. */
  readonly deadline: number
  /** Milliseconds between two reads of the log, which deliver batched streams and find a subscription that fell silent. */
  readonly silence: number
}

/** Time for open streams to end when the store is closed. */
const DISPOSE_MS = 1000

/** EventStoreDB or KurrentDB behind the store port. Revisions count from 1 here and from 0 there. */
export class EventStoreDb implements EventStore {
  readonly id: string
  readonly #connection: ReplaceableClient
  readonly #timing: Timing
  readonly #states: StreamStates
  readonly #subscriptions = new Set<Subscription>()
  readonly #live: LiveFeed
  #head: LogEnd | undefined
  #isClosed = false

  constructor(id: string, connection: ReplaceableClient, timing: Timing, cut: (reason: CutReason) => void) {
    const { client } = connection
    this.id = id
    this.#connection = connection
    this.#timing = timing
    this.#states = new StreamStates(client, timing.deadline)
    this.#live = new LiveFeed({
      client,
      silence: timing.silence,
      head: () => this.#newest(),
      readAll: after => this.#observedRead(readLog(this.#open(), { after }, timing.deadline)),
      answered: () => connection.answered('calls'),
      failed: () => connection.failed('calls'),
      cut,
    })
  }

  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended> {
    this.#check(stream, expected)
    return this.#observed(
      'calls',
      append(this.#open(), this.#states, { stream, expected, events }, this.#timing.deadline),
    )
  }

  read(stream: string, options: ReadStream = {}): AsyncIterable<StoredEvent> {
    return this.#observedRead(readStream(this.#open(), stream, options, this.#timing.deadline))
  }

  readAll(options: ReadAll = {}): AsyncIterable<StoredEvent> {
    this.#open()
    return this.#readTo(() => this.#newest(), options)
  }

  async revision(stream: string): Promise<number> {
    this.#open()
    return (await this.#observed('reads', this.#states.of(stream))).revision
  }

  async head(): Promise<string> {
    return (await this.#newest())?.position ?? START
  }

  countAfter(position: string): Promise<number> {
    return countAfter(this.#open(), position)
  }

  subscribe(after: string, subscriber: Subscriber, filter: Filter = {}): Subscription {
    fromPosition(after)
    this.#open()
    const source = {
      live: this.#live,
      head: () => this.#newest(),
      readTo: (end: LogEnd | undefined, options: ReadAll) => this.#readTo(async () => end, options),
    }
    const ended = (error?: Error) => {
      this.#subscriptions.delete(subscription)
      subscriber.ended?.(error)
    }
    const subscription: Subscription = new LogSubscription(source, after, { ...bound(subscriber), ended }, filter)
    this.#subscriptions.add(subscription)
    return subscription
  }

  async delete(stream: string, expected: number): Promise<void> {
    this.#check(stream, expected)
    await this.#expect(stream, expected)
    if (expected > 0) await this.#states.change(stream, settings => ({ ...settings, $tb: expected }))
  }

  async tombstone(stream: string, expected: number): Promise<void> {
    this.#check(stream, expected)
    const patience = new Patience(this.#timing.deadline)
    for (;;) {
      try {
        await patience.within(
          this.#open().tombstoneStream(stream, { expectedRevision: stateOf(expected), requiresLeader: true }),
        )
        return
      } catch (error) {
        if (error instanceof StreamDeletedError) return
        if (error instanceof WrongExpectedVersionError) return this.#expect(stream, expected)
        const sure = known(error, stream)
        if (sure !== undefined) throw sure
        await patience.after(error)
      }
    }
  }

  async setMetadata(stream: string, { maxCount }: StreamMetadata): Promise<void> {
    if (maxCount !== undefined && (!Number.isInteger(maxCount) || maxCount < 1)) {
      throw new RangeError(`maxCount of ${stream} is not a count`)
    }
    this.#open()
    const { revision } = await this.#states.of(stream)
    await this.#states.change(stream, settings => limited(settings, maxCount, revision))
  }

  async metadata(stream: string): Promise<StreamMetadata> {
    this.#open()
    const { $maxCount } = await this.#states.settings(stream)
    return $maxCount === undefined ? {} : { maxCount: $maxCount }
  }

  probe(): Promise<void> {
    return this.#observed('calls', probe(this.#open(), this.id, new Patience(this.#timing.deadline)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const subscription of [...this.#subscriptions]) await subscription.stop()
    await new Patience(DISPOSE_MS).within(this.#connection.dispose()).catch(() => undefined)
  }

  async #newest(): Promise<LogEnd | undefined> {
    const newest = await this.#observed('reads', readHead(this.#open(), this.#head, this.#timing.deadline))
    this.#head = laterOf(this.#head, newest)
    return newest
  }

  async *#readTo(end: () => Promise<LogEnd | undefined>, options: ReadAll): AsyncGenerator<StoredEvent> {
    yield* this.#observedRead(readLog(this.#open(), options, this.#timing.deadline, await end()))
  }

  async #observed<T>(connection: Connection, answer: Promise<T>): Promise<T> {
    try {
      const value = await answer
      this.#connection.answered(connection)
      return value
    } catch (error) {
      this.#heard(connection, error)
      throw error
    }
  }

  async *#observedRead(source: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent> {
    try {
      for await (const event of source) {
        this.#connection.answered('reads')
        yield event
      }
      this.#connection.answered('reads')
    } catch (error) {
      this.#heard('reads', error)
      throw error
    }
  }

  /** An error that is not the store's being away is an answer of the server. */
  #heard(connection: Connection, error: unknown): void {
    if (error instanceof StoreUnavailable) this.#connection.failed(connection)
    else this.#connection.answered(connection)
  }

  async #expect(stream: string, expected: number): Promise<void> {
    const { revision, isTombstoned } = await this.#states.of(stream)
    if (isTombstoned) throw new StreamTombstoned(`${stream} is removed for ever`)
    if (revision !== expected) throw new WrongRevision(stream, expected, revision)
  }

  #open(): KurrentDBClient {
    if (this.#isClosed) throw new StoreUnavailable('The event store is closed')
    return this.#connection.client
  }

  #check(stream: string, expected: number): void {
    this.#open()
    if (!Number.isInteger(expected) || expected < 0) throw new RangeError(`${expected} is no revision of ${stream}`)
  }
}

/** The server would show again what a count had hidden once that is taken away; so what is hidden stays hidden. */
function limited({ $maxCount, $tb, ...others }: StreamSettings, maxCount: number | undefined, revision: number) {
  const hidden = Math.max($tb ?? 0, $maxCount === undefined ? 0 : revision - $maxCount)
  return {
    ...others,
    ...(maxCount === undefined ? {} : { $maxCount: maxCount }),
    ...(hidden > 0 ? { $tb: hidden } : {}),
  }
}

function bound(subscriber: Subscriber): Subscriber {
  const { event, caughtUp, passed, interrupted } = subscriber
  return {
    event: event.bind(subscriber),
    ...(caughtUp && { caughtUp: caughtUp.bind(subscriber) }),
    ...(passed && { passed: passed.bind(subscriber) }),
    ...(interrupted && { interrupted: interrupted.bind(subscriber) }),
  }
}
