import { setTimeout as pause } from 'node:timers/promises'
import type { StoredEvent } from '#schemas/event.ts'
import type { EventStore, Filter, Subscription } from './port.ts'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 5000
/** A follower whose age is above this makes its node not ready, ms. */
const LATE_MS = 10_000

interface FollowOptions {
  /** Names it in readiness and in the log of the node. */
  readonly name: string
  /** Position after which it begins, or a first read that ends with it. A first read that fails is tried again. */
  readonly from: string | (() => Promise<string>)
  readonly filter?: Filter
  /** Called with each event in log order, again and again until it succeeds: it must bear to see an event twice. */
  readonly event: (event: StoredEvent) => void | Promise<void>
  /** Everything up to `position` was handled or filtered out. Called whenever that becomes true again. */
  readonly caughtUp?: (position: string) => void | Promise<void>
  /** Everything up to `position` was handled or filtered out, while the newest events do not match. */
  readonly passed?: (position: string) => void
  /** Delivery was interrupted. It resumes without a call; `caughtUp` or `recovered` follows. */
  readonly interrupted?: (error: Error) => void
  /** Called when the handler succeeds with an event that it failed to handle before. */
  readonly recovered?: () => void
  /** Called with the first of a row of failures. */
  readonly failed: (error: unknown) => void
}

/** A consumer of the log. Only `stop()` ends it: errors of the store and of its handler do not. */
export interface Follower extends Subscription {
  readonly name: string
  /** Resolves when it has handled everything that was in the log when it began; never rejects. */
  readonly caughtUp: Promise<void>
  /** ms since it has failed, or since its handler has had one event; 0 while it waits for events. */
  age(now?: number): number
  /** ms from the time of the event that it is at until now; 0 while it has handled all that the store delivered. */
  lag(now?: number): number
  /** Whether its last attempt failed. */
  readonly isFailing: boolean
}

const followers = new WeakMap<EventStore, Set<Follower>>()

/** The followers of a store that were not stopped. */
export const followersOf = (store: EventStore): readonly Follower[] => [...(followers.get(store) ?? [])]

/** A follower of this store that has failed, or had one event, for longer than 10 s; undefined when there is none. */
export const lateFollower = (store: EventStore, now = Date.now()): Follower | undefined =>
  followersOf(store).find(follower => follower.age(now) > LATE_MS)

class LogFollower implements Follower {
  readonly name: string
  readonly caughtUp: Promise<void>
  #failingSince: number | undefined
  /** ms since 1970 at which a handler was called that has not returned. */
  #busySince: number | undefined
  /** Time of the event that it is at, ms since 1970; undefined while it has handled all that the store delivered. */
  #at: number | undefined
  readonly #store: EventStore
  readonly #options: FollowOptions
  readonly #stopping = new AbortController()
  readonly #first = Promise.withResolvers<void>()
  readonly #running: Promise<void>
  #isCaughtUp = false
  #position: string | undefined
  #subscription: Subscription | undefined

  constructor(store: EventStore, options: FollowOptions) {
    this.name = options.name
    this.#store = store
    this.#options = options
    this.caughtUp = this.#first.promise
    const known = followers.get(store) ?? new Set()
    followers.set(store, known.add(this))
    this.#running = this.#run()
  }

  get isFailing(): boolean {
    return this.#failingSince !== undefined
  }

  age(now = Date.now()): number {
    return Math.max(0, now - (this.#failingSince ?? this.#busySince ?? now))
  }

  lag(now = Date.now()): number {
    return Math.max(0, now - (this.#at ?? now))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    followers.get(this.#store)?.delete(this)
    this.#first.resolve()
    await this.#subscription?.stop()
    await this.#running
  }

  async #run(): Promise<void> {
    const { from } = this.#options
    const begin = typeof from === 'string' ? async () => from : from
    await this.#untilDone(async () => {
      this.#position = await begin()
    })
    await this.#untilDone(async () => {
      const error = await this.#subscribed(this.#position ?? '')
      if (!this.#stopping.signal.aborted) throw error ?? new Error(`the subscription of ${this.name} ended`)
    })
  }

  /** Resolves with the reason when the subscription has ended. */
  #subscribed(after: string): Promise<Error | undefined> {
    return new Promise(resolve => {
      this.#subscription = this.#store.subscribe(
        after,
        {
          event: event => this.#handle(event),
          caughtUp: async position => {
            this.#busySince = Date.now()
            await this.#untilDone(async () => this.#options.caughtUp?.(position))
            this.#busySince = undefined
            this.#position = position
            this.#isCaughtUp = true
            this.#at = undefined
            this.#first.resolve()
          },
          passed: position => {
            this.#position = position
            this.#options.passed?.(position)
          },
          interrupted: error => {
            this.#isCaughtUp = false
            this.#options.interrupted?.(error)
          },
          ended: resolve,
        },
        this.#options.filter,
      )
      if (this.#stopping.signal.aborted) void this.#subscription.stop()
    })
  }

  #handled({ position }: StoredEvent): void {
    this.#position = position
    this.#busySince = undefined
    if (this.#isCaughtUp) this.#at = undefined
  }

  #handle(event: StoredEvent): void | Promise<void> {
    this.#at = Date.parse(event.time)
    try {
      const busy = this.#options.event(event)
      if (busy === undefined) return this.#handled(event)
      this.#busySince = Date.now()
      return busy.then(
        () => this.#handled(event),
        error => this.#handleAgain(event, error),
      )
    } catch (error) {
      return this.#handleAgain(event, error)
    }
  }

  async #handleAgain(event: StoredEvent, error: unknown): Promise<void> {
    await this.#afterFailure(error, FIRST_PAUSE_MS)
    await this.#untilDone(async () => this.#options.event(event))
    this.#handled(event)
    this.#options.recovered?.()
  }

  /** Tries with back-off until it succeeds or the follower is stopped. */
  async #untilDone(work: () => Promise<void>): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !this.#stopping.signal.aborted; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      try {
        await work()
        this.#failingSince = undefined
        return
      } catch (error) {
        await this.#afterFailure(error, wait)
      }
    }
  }

  async #afterFailure(error: unknown, wait: number): Promise<void> {
    if (this.#failingSince === undefined) this.#options.failed(error)
    this.#failingSince ??= Date.now()
    await pause(wait, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined)
  }
}

/** Follows the log of a store until it is stopped. */
export const follow = (store: EventStore, options: FollowOptions): Follower => new LogFollower(store, options)
