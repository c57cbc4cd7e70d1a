import { setTimeout as pause } from 'node:timers/promises'
import { type AllStreamSubscription, START as FIRST, type KurrentDBClient } from '@kurrent/kurrentdb-client'
import type { StoredEvent } from '#schemas/event.ts'
import { fromPosition } from './position.ts'
import { notTheServers } from './read-log.ts'
import { toLogEvent } from './record.ts'

/** Source of the events of a live feed. */
interface FeedSource {
  readonly client: KurrentDBClient
  /** Milliseconds that the server may be silent before it is asked whether something is missing. */
  readonly silence: number
  head(): Promise<string>
  /** The subscription delivered something. */
  answered(): void
  /** A subscription fell silent or was never confirmed. */
  failed(): void
  /** A subscription is over although it has subscribers. */
  cut?(reason: CutReason): void
}

/** `slow`: the server cut a consumer that was too slow for it. */
export type CutReason = 'slow' | 'silent' | 'failed'

const TOO_SLOW = /too slow/i

/** A subscription that the server has not confirmed after this long is given up, ms. */
const UNCONFIRMED_MS = 5000

/** Events kept for a subscriber that is busy; beyond it, it reads from the log again. */
const MAX_PENDING = 1000

/** The events of a feed since one subscriber joined it. */
export class LiveView {
  readonly #leave: (view: LiveView) => void
  #waiting: StoredEvent[] = []
  #broken: Error | undefined
  #isOverflowed = false
  #wake: () => void = () => undefined

  constructor(leave: (view: LiveView) => void) {
    this.#leave = leave
  }

  /** Ends when there were too many, or on `signal`. @throws when no more can come */
  async *events(signal: AbortSignal): AsyncGenerator<StoredEvent> {
    const woken = () => this.#wake()
    signal.addEventListener('abort', woken, { once: true })
    try {
      while (!signal.aborted) {
        const waiting = this.#waiting
        this.#waiting = []
        yield* waiting
        if (this.#waiting.length > 0) continue
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
    this.#waiting.push(event)
    // Waiting events are delivered; later ones are read again from the log.
    this.#isOverflowed = this.#waiting.length > MAX_PENDING
    this.#wake()
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
 * One subscription of the server, which never resumes: it ends with one error, or it falls silent. The head of the log
 * tells a silent subscription from one without news.
 */
class OpenFeed {
  readonly views = new Set<LiveView>()
  readonly #source: FeedSource
  readonly #subscription: AllStreamSubscription
  readonly #over: () => void
  #latest: string
  readonly #opened = performance.now()
  #heard = this.#opened
  #isConfirmed = false
  #watch: NodeJS.Timeout | undefined
  #isOver = false

  constructor(source: FeedSource, after: string, over: () => void) {
    this.#source = source
    this.#latest = after
    this.#over = over
    this.#subscription = source.client.subscribeToAll({
      fromPosition: fromPosition(after) ?? FIRST,
      filter: notTheServers(),
      requiresLeader: true,
    })
    this.#subscription.on('confirmation', () => {
      this.#isConfirmed = true
      source.answered()
    })
    this.#subscription.on('data', resolved => this.#take(toLogEvent(resolved)))
    this.#subscription.on('error', error => this.#cut(error, TOO_SLOW.test(error.message) ? 'slow' : 'failed'))
    this.#subscription.on('end', () => this.#cut(new Error('The subscription ended')))
    this.#watchSince(this.#heard)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  close(error = new Error('closed')): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#watch)
    this.#subscription.removeAllListeners('data')
    this.#subscription.unsubscribe().catch(() => undefined)
    this.#over()
    for (const view of this.views) view.break(error)
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
    for (const view of this.views) view.take(event)
  }

  #watchSince(moment: number): void {
    const wait = Math.max(0, moment + this.#source.silence - performance.now())
    this.#watch = setTimeout(() => void this.#look(), wait).unref()
  }

  async #look(): Promise<void> {
    const looked = performance.now()
    const isQuiet = looked - this.#heard >= this.#source.silence
    try {
      const isLost = !this.#isConfirmed && looked - this.#opened > UNCONFIRMED_MS
      if (isLost || (isQuiet && (await this.#isDead()))) {
        this.#source.failed()
        this.#cut(new Error('The subscription fell silent'), 'silent')
      }
    } catch (error) {
      this.#cut(error instanceof Error ? error : new Error(String(error)))
    }
    if (!this.#isOver) this.#watchSince(isQuiet ? looked : this.#heard)
  }

  /** The head of the log was not delivered although there was time. */
  async #isDead(): Promise<boolean> {
    const head = await this.#source.head()
    const heard = this.#heard
    if (head <= this.#latest) return false
    await pause(this.#source.silence / 2, undefined, { ref: false })
    return heard === this.#heard && head > this.#latest
  }
}

/**
 * New events of the log, for all subscribers of a store: the server sends each event once. The subscription begins with
 * the first subscriber and ends with the last one.
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
  async join(): Promise<LiveView> {
    for (;;) {
      this.#opening ??= this.#open()
      const feed = await this.#opening
      if (feed.isOver) continue
      const view = new LiveView(() => {
        feed.views.delete(view)
        if (feed.views.size === 0) feed.close()
      })
      feed.views.add(view)
      return view
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
