import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { senderStream } from '#schemas/events/campaign.ts'
import { LeaseTerm } from '../../log/lease.ts'
import { StreamLease } from '../../log/stream-lease.ts'

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
