import {
  type EventStore,
  type Filter,
  matches,
  START,
  type Subscriber,
  type Subscription,
  WrongRevision,
} from '#commands/store/port.ts'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'

/** Digits of a position, so that positions compare as text. */
const DIGITS = 12

/**
 * Event store in memory: conversations of the past happen in it before they are copied to the log of the
 * installation. Streams are never deleted in it.
 */
export class ScratchStore implements EventStore {
  readonly id = 'scratch'
  readonly #events: StoredEvent[] = []
  readonly #streams = new Map<string, StoredEvent[]>()
  readonly #wake = new Set<() => void>()

  /** Events of each stream, in the order of their first events. */
  get streams(): ReadonlyMap<string, readonly StoredEvent[]> {
    return this.#streams
  }

  async append(stream: string, expected: number, events: readonly NewEvent[]) {
    const known = this.#streams.get(stream) ?? []
    if (known.length !== expected) throw new WrongRevision(stream, expected, known.length)
    this.#streams.set(stream, known)
    for (const event of events) {
      const position = String(this.#events.length + 1).padStart(DIGITS, '0')
      const stored = { ...event, stream, revision: known.length + 1, position }
      known.push(stored)
      this.#events.push(stored)
    }
    for (const wake of this.#wake) wake()
    return { revision: known.length, position: this.#head() }
  }

  async *read(stream: string, { from, direction = 'forwards', limit }: Parameters<EventStore['read']>[1] = {}) {
    const known = this.#streams.get(stream) ?? []
    const found = direction === 'forwards' ? known.slice((from ?? 1) - 1) : known.slice(0, from).reverse()
    yield* limit === undefined ? found : found.slice(0, limit)
  }

  async *readAll({
    after = START,
    limit = Number.POSITIVE_INFINITY,
    filter = {},
  }: Parameters<EventStore['readAll']>[0] = {}) {
    let left = limit
    for (const event of this.#events.slice(Number(after))) {
      if (left === 0) return
      if (!matches(event, filter)) continue
      left -= 1
      yield event
    }
  }

  async revision(stream: string): Promise<number> {
    return this.#streams.get(stream)?.length ?? 0
  }

  async head(): Promise<string> {
    return this.#head()
  }

  async countAfter(position: string): Promise<number> {
    return this.#events.length - Number(position)
  }

  subscribe(after: string, subscriber: Subscriber, filter: Filter = {}): Subscription {
    let next = Number(after)
    let isStopped = false
    let running: Promise<void> | undefined
    const deliver = async () => {
      while (next < this.#events.length && !isStopped) {
        const event = this.#events[next]
        next += 1
        if (event !== undefined && matches(event, filter)) await subscriber.event(event)
      }
      if (!isStopped) await subscriber.caughtUp?.(this.#head())
    }
    const wake = () => {
      running ??= deliver().finally(() => {
        running = undefined
        if (next < this.#events.length && !isStopped) wake()
      })
      running.catch(error => subscriber.ended?.(error))
    }
    this.#wake.add(wake)
    wake()
    return {
      stop: async () => {
        isStopped = true
        this.#wake.delete(wake)
        await running?.catch(() => undefined)
        subscriber.ended?.()
      },
    }
  }

  async delete(): Promise<void> {
    throw new Error('nothing is deleted in the past')
  }

  async tombstone(): Promise<void> {
    throw new Error('nothing is deleted in the past')
  }

  async setMetadata(): Promise<void> {}

  async metadata() {
    return {}
  }

  async probe(): Promise<void> {}

  async close(): Promise<void> {}

  #head(): string {
    return this.#events.at(-1)?.position ?? START
  }
}
