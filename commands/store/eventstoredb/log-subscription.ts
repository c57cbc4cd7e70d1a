import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredEvent } from '#schemas/event.ts'
import { type Filter, START, type Subscriber, type Subscription } from '../port.ts'
import type { LiveFeed, LiveView } from './live-feed.ts'
import { type LogEnd, laterOf } from './read-log.ts'
import { unavailable } from './retry-deadline.ts'

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
export class LogSubscription implements Subscription {
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
