import { setTimeout as pause } from 'node:timers/promises'
import type { AllStreamSubscription, KurrentDBClient, ReadPosition } from '@kurrent/kurrentdb-client'
import type { StoredEvent } from '#schemas/event.ts'
import type { Filter } from '../port.ts'
import { notTheServers } from './read-log.ts'
import { toLogEvent } from './record.ts'

/** What a subscription needs of the store. */
export interface LogSource {
  readonly client: KurrentDBClient
  /** Milliseconds that the server may be silent before it is asked whether something is missing. */
  readonly silence: number
  readAll(options: { after: string; filter: Filter }): AsyncIterable<StoredEvent>
  head(): Promise<string>
  /** The head as it was a moment ago: many feeds ask at once, and the server once. */
  recentHead(): Promise<string>
}

/** Events kept for a subscriber that is busy; beyond it, it reads from the log again. */
const MAX_PENDING = 1000

/**
 * One subscription of the server's, which never resumes: it breaks off with one error, or falls silent. Silence is told
 * from quiet by asking for the head of the log.
 */
export class LiveFeed {
  readonly #source: LogSource
  readonly #signal: AbortSignal
  readonly #subscription: AllStreamSubscription
  #waiting: StoredEvent[] = []
  #latest = ''
  #broken: Error | undefined
  #isOverflowed = false
  #wake: () => void = () => undefined
  #heard = performance.now()
  #watch: NodeJS.Timeout | undefined

  constructor(source: LogSource, fromPosition: ReadPosition, signal: AbortSignal) {
    this.#source = source
    this.#signal = signal
    this.#subscription = source.client.subscribeToAll({ fromPosition, filter: notTheServers(), requiresLeader: true })
    this.#subscription.on('data', resolved => this.#take(toLogEvent(resolved)))
    this.#subscription.on('error', error => this.#break(error))
    this.#subscription.on('end', () => this.#break(new Error('The subscription ended')))
  }

  /** Ends when there were too many. @throws when no more can come */
  async *events(after: string): AsyncGenerator<StoredEvent> {
    this.#latest = after
    this.#watchSince(this.#heard)
    this.#signal.addEventListener('abort', this.#woken, { once: true })
    try {
      while (!this.#signal.aborted) {
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
      clearTimeout(this.#watch)
      this.#watch = undefined
      this.#signal.removeEventListener('abort', this.#woken)
    }
  }

  close(): void {
    this.#subscription.removeAllListeners('data')
    this.#broken ??= new Error('closed')
    this.#subscription.unsubscribe().catch(() => undefined)
  }

  readonly #woken = () => this.#wake()

  #take(event: StoredEvent | undefined): void {
    this.#heard = performance.now()
    if (event === undefined || this.#isOverflowed) return
    this.#latest = event.position
    this.#waiting.push(event)
    // What is waiting is delivered; what comes after it is read again.
    if (this.#waiting.length > MAX_PENDING) {
      this.#isOverflowed = true
      this.#subscription.unsubscribe().catch(() => undefined)
    }
    this.#wake()
  }

  #break(error: Error): void {
    this.#broken ??= error
    this.#wake()
  }

  #watchSince(moment: number): void {
    const wait = Math.max(0, moment + this.#source.silence - performance.now())
    this.#watch = setTimeout(() => void this.#look(), wait).unref()
  }

  async #look(): Promise<void> {
    const looked = performance.now()
    const isQuiet = looked - this.#heard >= this.#source.silence
    try {
      if (isQuiet && (await this.#isDead())) this.#break(new Error('The subscription fell silent'))
    } catch (error) {
      this.#break(error instanceof Error ? error : new Error(String(error)))
    }
    const isOver = this.#watch === undefined || this.#isOverflowed || this.#broken !== undefined
    if (!isOver) this.#watchSince(isQuiet ? looked : this.#heard)
  }

  /** The head of the log was not delivered although there was time. */
  async #isDead(): Promise<boolean> {
    const head = await this.#source.recentHead()
    const heard = this.#heard
    if (head <= this.#latest) return false
    await pause(this.#source.silence / 2, undefined, { ref: false })
    return heard === this.#heard && head > this.#latest
  }
}
