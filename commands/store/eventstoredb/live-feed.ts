import { setTimeout as pause } from 'node:timers/promises'
import {
  type AllStreamSubscription,
  START as FIRST,
  type KurrentDBClient,
  streamNameFilter,
} from '@kurrent/kurrentdb-client'
import type { StoredEvent } from '#schemas/event.ts'
import {
  CONVERSATION_DAY_PREFIX,
  CONVERSATION_PREFIX,
  DELIVERY_PREFIX,
  INBOX_PREFIX,
} from '#schemas/events/conversation.ts'
import { type Filter, matches, START } from '../port.ts'
import { type LogEnd, laterOf } from './read-log.ts'
import { fromPosition, toLogEvent } from './record.ts'

/**
 * Streams of conversations, most events of a busy server. A live subscription costs a node some four times as much for
 * an event as a read of many (docs/adr/0032), and the other nodes do not need these events at once.
 */
const PREFIXES = [
  CONVERSATION_PREFIX,
  CONVERSATION_DAY_PREFIX,
  INBOX_PREFIX,
  DELIVERY_PREFIX,
  'botuser-',
  'chatperson-',
  'deskplace-',
  'deskrouter-',
] as const

const PATTERN = new RegExp(`^(${PREFIXES.join('|')})`)

/** Regular expression of the server (.NET): names of all other streams, without the server's own. */
const NOT_BATCHED = `^(?!${PREFIXES.join('|')})[^$]`

const isBatched = (stream: string): boolean => PATTERN.test(stream)

/** Whether a filter lets any event of these streams pass. */
const mayBeBatched = ({ streamPrefixes = [] }: Filter): boolean =>
  streamPrefixes.length === 0 ||
  streamPrefixes.some(one => PREFIXES.some(prefix => one.startsWith(prefix) || prefix.startsWith(one)))

/** Source of the events of a live feed. */
interface FeedSource {
  readonly client: KurrentDBClient
  /** Milliseconds between two reads of the log. */
  readonly silence: number
  head(): Promise<LogEnd | undefined>
  /** May stop before the last event. */
  readAll(after: string): AsyncIterable<StoredEvent>
  /** The subscription delivered something. */
  answered(): void
  /** A subscription fell silent or was never confirmed. */
  failed(): void
  /** A subscription ended although it has subscribers. */
  cut?(reason: CutReason): void
}

/** `slow`: the server cut a consumer that was too slow for it. */
export type CutReason = 'slow' | 'silent' | 'failed'

const TOO_SLOW = /too slow/i

/** A subscription that the server has not confirmed after this long is given up, ms. */
const UNCONFIRMED_MS = 5000

/** Events kept for a subscriber that is busy; beyond it, it reads from the log again. */
const MAX_PENDING = 1000

/** The events of a feed since one subscriber joined it, as far as they match its filter. */
export class LiveView {
  /** Whether its events come from reads of the log. */
  readonly isBatched: boolean
  /** Last event that the view does not deliver, because it joined later. */
  readonly since: LogEnd | undefined
  readonly #filter: Filter
  readonly #leave: (view: LiveView) => void
  #waiting: StoredEvent[] = []
  /** Everything up to here was taken or filtered out. */
  #passed = START
  /** Newest position that the subscriber knows. */
  #told = START
  #broken: Error | undefined
  #isOverflowed = false
  #wake: () => void = () => undefined

  constructor(filter: Filter, since: LogEnd | undefined, leave: (view: LiveView) => void) {
    this.isBatched = mayBeBatched(filter)
    this.since = since
    this.#filter = filter
    this.#leave = leave
  }

  /**
   * Events, and positions up to which there are no more of them. Ends when there were too many, or on `signal`.
   * @throws when no more can come
   */
  async *events(signal: AbortSignal): AsyncGenerator<StoredEvent | string> {
    const woken = () => this.#wake()
    signal.addEventListener('abort', woken, { once: true })
    try {
      while (!signal.aborted) {
        const waiting = this.#waiting
        this.#waiting = []
        yield* waiting
        this.#told = waiting.at(-1)?.position ?? this.#told
        if (this.#waiting.length > 0) continue
        if (this.#passed > this.#told) {
          this.#told = this.#passed
          yield this.#told
          continue
        }
        if (this.#broken !== undefined) throw this.#broken
        if (this.#isOverflowed) return
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        await promise
      }
    } finally {
      signal.removeEventListener('abort', woken)
    }
  }

  take(event: StoredEvent): void {
    if (this.#isOverflowed) return
    this.#passed = event.position
    if (!matches(event, this.#filter)) return
    this.#waiting.push(event)
    // Waiting events are delivered; later ones are read again from the log.
    this.#isOverflowed = this.#waiting.length > MAX_PENDING
    this.#wake()
  }

  /** Everything up to this position was delivered or filtered out. */
  pass(position: string): void {
    if (this.#isOverflowed) return
    if (position > this.#passed) this.#passed = position
    // An event that does not match the filter does not wake the subscriber.
    if (this.#passed > this.#told) this.#wake()
  }

  break(error: Error): void {
    this.#broken ??= error
    this.#wake()
  }

  close(): void {
    this.#leave(this)
  }
}

/**
 * One subscription of the server, which never resumes: it ends with one error, or it falls silent. Reads of the log
 * deliver the events of batched streams, which it leaves out, and tell a silent subscription from one without news.
 */
class OpenFeed {
  readonly #views = new Set<LiveView>()
  readonly #source: FeedSource
  readonly #subscription: AllStreamSubscription
  readonly #over: () => void
  /** Everything that the subscription delivers is here up to this position. */
  #latest: string
  /** The log was read up to this position. */
  #read: string
  /** Newest event of the log that the subscription delivers. */
  #newest: string
  /** Newest event that views got, or that the feed began after. */
  #last: LogEnd | undefined
  readonly #opened = performance.now()
  #heard = this.#opened
  #isConfirmed = false
  #reading: NodeJS.Timeout | undefined
  #isOver = false

  constructor(source: FeedSource, head: LogEnd | undefined, over: () => void) {
    const after = head?.position ?? START
    this.#last = head
    this.#source = source
    this.#latest = after
    this.#read = after
    this.#newest = after
    this.#over = over
    this.#subscription = source.client.subscribeToAll({
      fromPosition: fromPosition(after) ?? FIRST,
      filter: streamNameFilter({ regex: NOT_BATCHED }),
      requiresLeader: true,
    })
    this.#subscription.on('confirmation', () => {
      this.#isConfirmed = true
      source.answered()
    })
    this.#subscription.on('data', resolved => this.#take(toLogEvent(resolved)))
    this.#subscription.on('error', error => this.#cut(error, TOO_SLOW.test(error.message) ? 'slow' : 'failed'))
    this.#subscription.on('end', () => this.#cut(new Error('The subscription ended')))
    this.#readSoon(source.silence)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  join(filter: Filter): LiveView {
    const view = new LiveView(filter, this.#last, () => {
      this.#views.delete(view)
      if (this.#views.size === 0) this.close()
    })
    this.#views.add(view)
    return view
  }

  close(error = new Error('closed')): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#reading)
    this.#subscription.removeAllListeners('data')
    this.#subscription.unsubscribe().catch(() => undefined)
    this.#over()
    for (const view of this.#views) view.break(error)
  }

  #cut(error: Error, reason: CutReason = 'failed'): void {
    if (this.#isOver) return
    this.#source.cut?.(reason)
    this.close(error)
  }

  #take(event: StoredEvent | undefined): void {
    this.#heard = performance.now()
    this.#source.answered()
    if (event === undefined) return
    this.#latest = event.position
    this.#last = laterOf(this.#last, event)
    for (const view of this.#views) if (!view.isBatched) view.take(event)
  }

  #readSoon(wait: number): void {
    this.#reading = setTimeout(() => void this.#look(), Math.max(0, wait)).unref()
  }

  async #look(): Promise<void> {
    const looked = performance.now()
    try {
      const isLost = !this.#isConfirmed && looked - this.#opened > UNCONFIRMED_MS
      if (!isLost) await this.#readOn()
      if (!this.#isOver && (isLost || (await this.#isDead()))) {
        this.#source.failed()
        this.#cut(new Error('The subscription fell silent'), 'silent')
      }
    } catch (error) {
      this.#cut(error instanceof Error ? error : new Error(String(error)))
    }
    if (!this.#isOver) this.#readSoon(looked + this.#source.silence - performance.now())
  }

  async #readOn(): Promise<void> {
    for await (const event of this.#source.readAll(this.#read)) {
      // A read that is given up would hold the connection.
      if (this.#isOver) continue
      this.#read = event.position
      this.#last = laterOf(this.#last, event)
      if (!isBatched(event.stream)) this.#newest = event.position
      for (const view of this.#views) if (view.isBatched) view.take(event)
    }
    if (this.#newest <= this.#latest && this.#latest < this.#read) this.#latest = this.#read
    for (const view of this.#views) view.pass(view.isBatched ? this.#read : this.#latest)
  }

  /** An event of the log was not delivered although there was time. */
  async #isDead(): Promise<boolean> {
    const { silence } = this.#source
    const isMissing = () => this.#newest > this.#latest && performance.now() - this.#heard >= silence
    if (!isMissing()) return false
    await pause(silence / 2, undefined, { ref: false })
    return !this.#isOver && isMissing()
  }
}

/**
 * New events of the log, for all subscribers of a store: the server sends each event once to the reads, and those of
 * streams that are not batched once more to the subscription. Both begin with the first subscriber and end with the last.
 */
export class LiveFeed {
  readonly #source: FeedSource
  #opening: Promise<OpenFeed> | undefined

  constructor(source: FeedSource) {
    this.#source = source
  }

  /**
   * A view of everything that is written after the head of the log that the caller reads next. Close it.
   * @throws StoreUnavailable
   */
  async join(filter: Filter = {}): Promise<LiveView> {
    for (;;) {
      this.#opening ??= this.#open()
      const feed = await this.#opening
      if (feed.isOver) continue
      return feed.join(filter)
    }
  }

  #open(): Promise<OpenFeed> {
    const opening = this.#source.head().then(head => new OpenFeed(this.#source, head, () => this.#forget(opening)))
    opening.catch(() => this.#forget(opening))
    return opening
  }

  #forget(opening: Promise<OpenFeed>): void {
    if (this.#opening === opening) this.#opening = undefined
  }
}
