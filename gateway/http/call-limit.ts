import type { Access } from '#projections/port.ts'
import type { Settings } from '#schemas/settings.ts'

const MINUTE_MS = 60_000
/** Buckets that are kept. */
const MAX_KEYS = 100_000
/** A sixth of a minute's requests may come at once. */
const BURST_PART = 6

interface Bucket {
  /** Requests that may be made at `at`. */
  readonly left: number
  /** ms. */
  readonly at: number
}

/** A bucket of requests for each key of this node: it fills evenly within a minute and holds a sixth of it. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Takes a request from each bucket, or from none: then the seconds until all of them have one. */
  take(wanted: readonly { readonly key: string; readonly perMinute: number }[]): number | undefined {
    const now = this.#now()
    const filled = wanted.map(({ key, perMinute }) => ({ key, perMinute, left: this.#left(key, perMinute, now) }))
    const waits = filled.map(({ left, perMinute }) => Math.ceil(((1 - left) * 60) / perMinute))
    const wait = Math.max(0, ...waits)
    if (wait > 0) return wait
    for (const { key, left } of filled) this.#put(key, { left: left - 1, at: now })
    return undefined
  }

  get size(): number {
    return this.#buckets.size
  }

  #left(key: string, perMinute: number, now: number): number {
    const most = Math.max(1, Math.ceil(perMinute / BURST_PART))
    const { left, at } = this.#buckets.get(key) ?? { left: most, at: now }
    return Math.min(most, left + ((now - at) * perMinute) / MINUTE_MS)
  }

  /** The key that was not used for the longest time is evicted first. */
  #put(key: string, bucket: Bucket): void {
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    const [first] = this.#buckets.keys()
    if (this.#buckets.size > MAX_KEYS && first !== undefined) this.#buckets.delete(first)
  }
}

type CallSettings = Pick<
  Settings,
  'LIMIT_CALLS_SESSION' | 'LIMIT_WRITES_SESSION' | 'LIMIT_CALLS_TOKEN' | 'LIMIT_WRITES_TOKEN' | 'LIMIT_CALLS_SCIM'
>

/** Bounds the requests of each session and each token on this node. */
export const createCallLimit = (settings: CallSettings) => {
  const buckets = new TokenBuckets()
  const mostOf = ({ token }: Access) =>
    token === undefined
      ? { calls: settings.LIMIT_CALLS_SESSION, writes: settings.LIMIT_WRITES_SESSION }
      : {
          calls: Math.min(token.rate ?? settings.LIMIT_CALLS_TOKEN, settings.LIMIT_CALLS_TOKEN),
          writes: settings.LIMIT_WRITES_TOKEN,
        }
  return {
    /** Seconds to wait; undefined for a request that may be made. */
    api(access: Access, writes: boolean): number | undefined {
      const { calls, writes: mostWrites } = mostOf(access)
      const { session } = access
      return buckets.take([
        { key: session, perMinute: calls },
        ...(writes ? [{ key: `${session} writes`, perMinute: mostWrites }] : []),
      ])
    },
    /** The same for a request of SCIM: a provider sends all people of a company one by one. */
    scim({ session, token }: Access): number | undefined {
      const most = settings.LIMIT_CALLS_SCIM
      return buckets.take([{ key: `${session} scim`, perMinute: Math.min(token?.rate ?? most, most) }])
    },
  }
}
