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
