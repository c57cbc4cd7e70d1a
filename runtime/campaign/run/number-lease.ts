import type { Draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { senderStream } from '#schemas/events/campaign.ts'
import { isFree, type Lease, LeaseTerm } from '../../log/lease.ts'
import {
  exclusiveDrafts,
  NO_EVENTS,
  type StreamAggregate,
  type StreamEnd,
  streamAggregate,
} from '../../log/stream-aggregate.ts'

/** A node that sends from a number renews its lease this often, ms. */
export const RENEW_MS = 10_000
const TERM = new LeaseTerm(30_000, RENEW_MS / 2)
/** Only the newest events of a lease are kept. */
const MAX_EVENTS = 10

interface TakenNumber {
  readonly end: StreamEnd
  readonly lease: Lease | undefined
  /** Number of moves of the lease to another node. */
  readonly epoch: number
  /** Send rate at the last renewal, messages per second. */
  readonly rate: number | undefined
}

/** Send rate of a number, messages per second. The lease passes it from node to node. */
interface Pace {
  rate(): number | undefined
  /** Called with the rate of the node that had the number before. */
  resume(rate: number): void
}

/**
 * Lease of a number: only one node sends from it, so that the number's rate is not shared. Duplicate sends are
 * prevented by the run's log, whose revision each claim names.
 */
export class NumberLease {
  readonly #store: EventStore
  readonly #number: string
  readonly #node: string
  readonly #pace: Pace | undefined
  readonly #taken: StreamAggregate<TakenNumber, Draft>
  #lease: Lease | undefined
  #isTakenOver = false

  constructor(store: EventStore, number: string, node: string, pace?: Pace) {
    this.#store = store
    this.#number = number
    this.#node = node
    this.#pace = pace
    this.#taken = streamAggregate<TakenNumber>(store, {
      initial: { end: NO_EVENTS, lease: undefined, epoch: 0, rate: undefined },
      isNewestOnly: true,
      fold: (taken, { data }) => ({
        ...taken,
        lease: { node: String(data.node), until: Number(data.until) },
        epoch: Number(data.epoch),
        rate: typeof data.rate === 'number' ? data.rate : undefined,
      }),
    })
  }

  /** Whether the last `hold` took the lease from another node. */
  get isTakenOver(): boolean {
    return this.#isTakenOver
  }

  /** Takes or renews the lease; false while another node has it. */
  async hold(now: number): Promise<boolean> {
    this.#isTakenOver = false
    if (this.#lease !== undefined && !TERM.isDue(this.#lease, now)) return true
    const stream = senderStream(this.#number)
    const node = this.#node
    let isOther = false
    let before: number | undefined
    const { lease, end } = await this.#taken.write(stream, taken => {
      if (!isFree(taken.lease, node, now)) return []
      isOther = taken.lease !== undefined && taken.lease.node !== node
      if (isOther) before = taken.rate
      const rate = before ?? this.#pace?.rate()
      const data = {
        ...{ number: this.#number, epoch: isOther ? taken.epoch + 1 : taken.epoch, ...TERM.grant(node, now) },
        ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }),
      }
      return exclusiveDrafts(stream, [{ type: 'SenderTaken', data }])
    })
    if (end.revision === 1) await this.#store.setMetadata(stream, { maxCount: MAX_EVENTS })
    this.#lease = lease?.node === node ? lease : undefined
    this.#isTakenOver = this.#lease !== undefined && isOther
    if (this.#lease !== undefined && before !== undefined) this.#pace?.resume(before)
    return this.#lease !== undefined
  }
}
