import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { paceStream, senderStream } from '#schemas/events/campaign.ts'
import { LeaseTerm, StreamLease } from '../../log/lease.ts'
import { appendAtEnd, exclusiveDrafts } from '../../log/stream-aggregate.ts'
import { TokenBucket } from './send-rate.ts'

const DAY_MS = 86_400_000
/** Only the newest events of a pace are kept. */
const MAX_EVENTS = 10
/** A smaller change of the rate is not stored. */
const MIN_CHANGE = 0.1

/** Send rates of numbers. The last stable one of 24 hours is stored, for the next run and for a restart. */
export class NumberPaces {
  readonly #store: EventStore
  readonly #now: () => number
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #kept = new Map<string, number>()

  constructor(store: EventStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  bucketOf(number: string): TokenBucket {
    const known = this.#buckets.get(number) ?? new TokenBucket(this.#now())
    this.#buckets.set(number, known)
    return known
  }

  rate(number: string): number | undefined {
    return this.#buckets.get(number)?.rate
  }

  /** Takes tokens for a message of a conversation, if campaigns use the number. */
  spend(number: string): void {
    this.#buckets.get(number)?.spend(1, this.#now())
  }

  /** Halves the rate of campaigns, if they use the number. */
  slow(number: string): void {
    this.#buckets.get(number)?.slow()
  }

  /** Messages of conversations per second. */
  otherRate(number: string): number {
    return this.#buckets.get(number)?.otherRate(this.#now()) ?? 0
  }

  /** Continues with the rate of the node that sent from the number before. */
  resume(number: string, rate: number): void {
    this.#buckets.set(number, new TokenBucket(this.#now(), rate))
  }

  /** Rate that a run begins with now, messages per second: the last stable one of 24 hours. */
  async startRate(number: string): Promise<number> {
    if (!this.#buckets.has(number)) {
      const rate = await this.#stored(number)
      if (rate !== undefined && !this.#buckets.has(number)) this.resume(number, rate)
    }
    return this.bucketOf(number).rateAt(this.#now())
  }

  /** Stores the stable rate of a number, unless it is about the one stored last. */
  async keep(number: string): Promise<void> {
    const rate = this.#buckets.get(number)?.stableRate
    const before = this.#kept.get(number)
    if (rate === undefined || (before !== undefined && Math.abs(rate - before) < before * MIN_CHANGE)) return
    this.#kept.set(number, rate)
    const stream = paceStream(number)
    const data = { number, rate: Math.round(rate * 10) / 10, at: this.#now() }
    const { revision } = await appendAtEnd(
      this.#store,
      stream,
      exclusiveDrafts(stream, [{ type: 'PaceMeasured', data }]),
    )
    if (revision === 1) await this.#store.setMetadata(stream, { maxCount: MAX_EVENTS })
  }

  async #stored(number: string): Promise<number | undefined> {
    for await (const { data } of this.#store.read(paceStream(number), { direction: 'backwards', limit: 1 }))
      return this.#now() - Number(data.at) < DAY_MS ? Number(data.rate) : undefined
    return undefined
  }
}

/** A node that sends from a number renews its lease this often, ms. */
export const RENEW_MS = 10_000
const TERM = new LeaseTerm(30_000, RENEW_MS / 2)

/** Send rate of a number, messages per second. The lease passes it from node to node. */
interface Pace {
  rate(): number | undefined
  /** Called with the rate of the node that had the number before. */
  resume(rate: number): void
}

const rateIn = (data: JsonObject | undefined): number | undefined =>
  typeof data?.rate === 'number' ? data.rate : undefined

/**
 * Lease of a number: only one node sends from it, so that the number's rate is not shared. Duplicate sends are
 * prevented by the run's log, whose revision each claim names.
 */
export class NumberLease extends StreamLease {
  constructor(store: EventStore, number: string, node: string, pace?: Pace) {
    super({
      ...{ store, stream: senderStream(number), type: 'SenderTaken', node, term: TERM },
      data(before) {
        const rate = rateIn(before) ?? pace?.rate()
        return { number, ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }) }
      },
      takenOver(before) {
        const rate = rateIn(before)
        if (rate !== undefined) pace?.resume(rate)
      },
    })
  }
}
