/** Parts of a window: what is counted is forgotten in steps of this part of it. */
const STEPS = 12
/** Keys of one limit that are kept in memory. */
const MAX_KEYS = 100_000

/** Bounds the sum of amounts of each key within a sliding window. The counters of several nodes can be put behind it. */
export interface CallLimit {
  /** Seconds until this key may use the amount; undefined when it may now. */
  wait(key: string, amount?: number): number | undefined
  count(key: string, amount?: number): void
}

export interface CallLimits {
  /** @param name unique within a node, and equal on all nodes */
  add(name: string, most: number, windowMs?: number): CallLimit
}

interface Step {
  readonly start: number
  amount: number
}

class WindowLimit implements CallLimit {
  readonly #most: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #steps = new Map<string, Step[]>()

  constructor(most: number, windowMs: number, now: () => number) {
    this.#most = most
    this.#windowMs = windowMs
    this.#now = now
  }

  wait(key: string, amount = 1): number | undefined {
    const steps = this.#recent(key)
    let above = steps.reduce((sum, step) => sum + step.amount, amount) - this.#most
    if (above <= 0) return undefined
    for (const step of steps) {
      above -= step.amount
      if (above <= 0) return Math.max(1, Math.ceil((step.start + this.#windowMs - this.#now()) / 1000))
    }
    return Math.ceil(this.#windowMs / 1000)
  }

  count(key: string, amount = 1): void {
    const steps = this.#recent(key)
    const length = this.#windowMs / STEPS
    const last = steps.at(-1)
    if (last !== undefined && this.#now() - last.start < length) last.amount += amount
    else steps.push({ start: this.#now(), amount })
    // The newest keys come last, so that the oldest is evicted.
    this.#steps.delete(key)
    this.#steps.set(key, steps)
    const [oldest] = this.#steps.keys()
    if (this.#steps.size > MAX_KEYS && oldest !== undefined) this.#steps.delete(oldest)
  }

  #recent(key: string): Step[] {
    const since = this.#now() - this.#windowMs
    return (this.#steps.get(key) ?? []).filter(({ start }) => start > since)
  }
}

const MINUTE_MS = 60_000

/** Limits that this node counts alone. */
export const createCallLimits = (now: () => number = () => performance.now()): CallLimits => ({
  add: (_name, most, windowMs = MINUTE_MS) => new WindowLimit(most, windowMs, now),
})
