import type { StoredEvent } from '#schemas/event.ts'
import { type Filter, matches, type Subscriber, type Subscription } from '../port.ts'

/** Live events kept for a subscriber that is busy; beyond it, it catches up from the file again. */
const MAX_BUFFERED = 1000

export interface CatchUpChunk {
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
