import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import { senderStream } from '#schemas/events/campaign-run.ts'
import { soleDrafts } from '../../log/sole-append.ts'

const LEASE_MS = 30_000
/** A node that sends from a number renews its lease this often. */
export const RENEW_MS = 10_000
/** Only the newest events of a lease are kept. */
const MAX_EVENTS = 10

/**
 * Lease of a number: only one node sends from it, so that the number's rate is not shared. Duplicate sends are
 * prevented by the run's log, whose revision each claim names.
 */
export class NumberLease {
  readonly #store: EventStore
  readonly #number: string
  readonly #node: string
  #renewed = 0
  #isTakenOver = false

  constructor(store: EventStore, number: string, node: string) {
    this.#store = store
    this.#number = number
    this.#node = node
  }

  /** Whether the last `hold` took the lease from another node. */
  get isTakenOver(): boolean {
    return this.#isTakenOver
  }

  /** Takes or renews the lease; false while another node has it. */
  async hold(now: number): Promise<boolean> {
    this.#isTakenOver = false
    if (now - this.#renewed < RENEW_MS / 2) return true
    // An interleaved renewal may be this node's own, written after its request was given up.
    for (;;) {
      const isHeld = await this.#renew(now)
      if (isHeld !== undefined) return isHeld
    }
  }

  /** Undefined: another event was written meanwhile. */
  async #renew(now: number): Promise<boolean | undefined> {
    const stream = senderStream(this.#number)
    let tail: Tail = NO_STREAM
    let epoch = 0
    let isOther = false
    for await (const event of this.#store.read(stream, { direction: 'backwards', limit: 1 })) {
      tail = { revision: event.revision, hash: event.hash }
      epoch = Number(event.data.epoch)
      if (event.data.node !== this.#node && Number(event.data.until) > now) return false
      isOther = event.data.node !== this.#node
      if (isOther) epoch += 1
    }
    const data = { number: this.#number, node: this.#node, epoch, until: now + LEASE_MS }
    try {
      await append(this.#store, stream, tail, soleDrafts(stream, [{ type: 'SenderTaken', data }], null, now))
    } catch (error) {
      if (error instanceof WrongRevision) return undefined
      throw error
    }
    if (tail === NO_STREAM) await this.#store.setMetadata(stream, { maxCount: MAX_EVENTS })
    this.#renewed = now
    this.#isTakenOver = isOther
    return true
  }
}
