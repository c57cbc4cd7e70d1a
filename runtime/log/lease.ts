import { type Draft, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { exclusiveDrafts, type StreamAggregate, streamAggregate } from './stream-aggregate.ts'

/** The right of one node to a piece of work. */
export interface Lease {
  /** Id of the process. */
  readonly node: string
  /** ms since 1970 of its expiry. */
  readonly until: number
}

export const isExpired = ({ until }: Pick<Lease, 'until'>, now: number): boolean => until <= now

/** Whether `node` may take it: it has it already, it expired, or its node is known to have stopped. */
export const isFree = (
  lease: Lease | undefined,
  node: string,
  now: number,
  isGone: (node: string) => boolean = () => false,
): boolean => lease === undefined || lease.node === node || isExpired(lease, now) || isGone(lease.node)

/** Times of one kind of lease: valid for `ms`, renewed after `renewAfterMs`. */
export class LeaseTerm {
  readonly #ms: number
  readonly #renewAfterMs: number

  constructor(ms: number, renewAfterMs = ms / 2) {
    this.#ms = ms
    this.#renewAfterMs = renewAfterMs
  }

  /** Expiry of a lease that is granted or renewed now, ms since 1970. */
  until(now: number): number {
    return now + this.#ms
  }

  /** A new or renewed lease. */
  grant(node: string, now: number): Lease {
    return { node, until: this.until(now) }
  }

  /** Whether the node that has it must renew it now. */
  isDue({ until }: Pick<Lease, 'until'>, now: number): boolean {
    return until - now <= this.#ms - this.#renewAfterMs
  }

  /** Renews a lease again and again while `work` runs. */
  async renewing<T>(
    renew: () => Promise<unknown>,
    failed: (error: unknown) => void,
    work: () => Promise<T>,
  ): Promise<T> {
    const timer = setInterval(() => void renew().catch(failed), this.#renewAfterMs)
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }
}

/** Only the newest events of a lease are kept. */
const MAX_EVENTS = 10

interface TakenLease {
  readonly end: StreamEnd
  readonly lease: Lease | undefined
  /** Number of moves of the lease to another node. */
  readonly epoch: number
  /** Data of the newest event. */
  readonly data: JsonObject
}

interface StreamLeaseOptions {
  readonly store: EventStore
  /** Stream of this lease alone. */
  readonly stream: string
  /** Type of its events. */
  readonly type: string
  /** Id of the process. */
  readonly node: string
  readonly term: LeaseTerm
  /** Members of an event beside those of the lease. `before`: the last event of the node that had it until now. */
  readonly data?: (before: JsonObject | undefined) => JsonObject
  /** Called when the lease was taken from another node, with the last event of that one. */
  readonly takenOver?: (before: JsonObject) => void
}

/** Lease that is kept in a stream: one node at a time does the work. */
export class StreamLease {
  readonly #options: StreamLeaseOptions
  readonly #taken: StreamAggregate<TakenLease, Draft>
  #lease: Lease | undefined
  #isTakenOver = false

  constructor(options: StreamLeaseOptions) {
    this.#options = options
    this.#taken = streamAggregate<TakenLease>(options.store, {
      initial: { end: NO_EVENTS, lease: undefined, epoch: 0, data: {} },
      isNewestOnly: true,
      fold: (taken, { data }) => ({
        ...taken,
        lease: { node: String(data.node), until: Number(data.until) },
        epoch: Number(data.epoch),
        data,
      }),
    })
  }

  /** Whether the last `hold` took the lease from another node. */
  get isTakenOver(): boolean {
    return this.#isTakenOver
  }

  /** Takes or renews the lease; false while another node has it. */
  async hold(now: number): Promise<boolean> {
    const { store, stream, type, node, term, data, takenOver } = this.#options
    this.#isTakenOver = false
    if (this.#lease !== undefined && !term.isDue(this.#lease, now)) return true
    let before: JsonObject | undefined
    const { lease, end } = await this.#taken.write(stream, taken => {
      if (!isFree(taken.lease, node, now)) return []
      before = taken.lease === undefined || taken.lease.node === node ? undefined : taken.data
      const epoch = before === undefined ? taken.epoch : taken.epoch + 1
      return exclusiveDrafts(stream, [{ type, data: { ...data?.(before), epoch, ...term.grant(node, now) } }])
    })
    if (end.revision === 1) await store.setMetadata(stream, { maxCount: MAX_EVENTS })
    this.#lease = lease?.node === node ? lease : undefined
    if (this.#lease === undefined || before === undefined) return this.#lease !== undefined
    this.#isTakenOver = true
    takenOver?.(before)
    return true
  }
}
