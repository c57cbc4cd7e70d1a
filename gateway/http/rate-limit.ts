import { hash } from 'node:crypto'
import type { Hints } from '#realtime/cluster/hints.ts'

const TOPIC = 'counts'
const MINUTE_MS = 60_000
/** Keys of one limit that are kept, of this node and of the others. */
const MAX_KEYS = 100_000
/** Calls within this time are sent to the other nodes in one message. */
const BATCH_MS = 150
/** Keys of one message. */
const MAX_BATCH = 1_000
const KEY_LENGTH = 22

/** Parts of a window. Calls of one part count until one window after the first of them. */
const STEPS = 12

interface LimitOptions {
  readonly most: number
  readonly windowMs: number
  readonly now: () => number
  readonly counted: (key: string, amount: number) => void
}

interface Step {
  /** Time of its first call. */
  readonly start: number
  amount: number
}

/** Amounts of a window by key. The keys that were not used for the longest time are evicted. */
class WindowCounts {
  readonly #steps = new Map<string, readonly Step[]>()
  readonly #windowMs: number

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  get size(): number {
    return this.#steps.size
  }

  /** Steps within the window, oldest first. */
  recent(key: string, now: number): readonly Step[] {
    const steps = this.#steps.get(key)
    if (steps === undefined) return []
    const recent = steps.filter(({ start }) => start > now - this.#windowMs)
    if (recent.length === 0) this.#steps.delete(key)
    else if (recent.length < steps.length) this.#steps.set(key, recent)
    return recent
  }

  add(key: string, amount: number, now: number): void {
    const recent = this.recent(key, now)
    const last = recent.at(-1)
    const isNew = last === undefined || now - last.start >= this.#windowMs / STEPS
    if (!isNew) last.amount += amount
    // The newest keys come last.
    this.#steps.delete(key)
    this.#steps.set(key, isNew ? [...recent, { start: now, amount }] : recent)
    const [first] = this.#steps.keys()
    if (this.#steps.size > MAX_KEYS && first !== undefined) this.#steps.delete(first)
  }
}

/** Bounds the calls, failures or other amounts of each key within a window, those on other nodes included. */
export class RateLimit {
  readonly #options: LimitOptions
  readonly #own: WindowCounts
  /** Apart from those of this node, so that messages of other nodes evict none of them. */
  readonly #others: WindowCounts

  constructor(options: LimitOptions) {
    this.#options = options
    this.#own = new WindowCounts(options.windowMs)
    this.#others = new WindowCounts(options.windowMs)
  }

  /** Seconds until this key may use the amount; undefined when it may now. */
  wait(key: string, amount = 1): number | undefined {
    return this.#wait(hashOf(key), amount)
  }

  count(key: string, amount = 1): void {
    this.#count(hashOf(key), amount)
  }

  /** Counts an amount, or returns the seconds to wait. Refused amounts do not count. */
  take(key: string, amount = 1): number | undefined {
    const hashed = hashOf(key)
    const wait = this.#wait(hashed, amount)
    if (wait === undefined) this.#count(hashed, amount)
    return wait
  }

  /** Adds an amount of another node. */
  hear(hashed: string, amount: number): void {
    this.#others.add(hashed, Math.min(amount, this.#options.most), this.#options.now())
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#own.size + this.#others.size
  }

  #wait(hashed: string, amount: number): number | undefined {
    const { most, windowMs, now } = this.#options
    const time = now()
    const steps = [...this.#own.recent(hashed, time), ...this.#others.recent(hashed, time)]
    let above = steps.reduce((sum, step) => sum + step.amount, amount) - most
    if (above <= 0) return undefined
    for (const step of steps.sort((one, other) => one.start - other.start)) {
      above -= step.amount
      if (above <= 0) return Math.max(1, Math.ceil((step.start + windowMs - time) / 1000))
    }
    return Math.ceil(windowMs / 1000)
  }

  #count(hashed: string, amount: number): void {
    this.#own.add(hashed, amount, this.#options.now())
    this.#options.counted(hashed, amount)
  }
}

const hashOf = (key: string): string => hash('sha256', key, 'base64url').slice(0, KEY_LENGTH)

interface RateLimitsOptions {
  /** Undefined: no other node is heard. */
  readonly hints?: Pick<Hints, 'connected' | 'listen' | 'send'>
  readonly now?: () => number
}

/**
 * The limits of a node by name. Each node sends what it counts to the others over the bus, which add it to the limit of
 * the same name. A message that is lost is not sent again: without the bus each node counts alone.
 */
export class RateLimits {
  readonly #hints: RateLimitsOptions['hints']
  readonly #now: () => number
  readonly #limits = new Map<string, RateLimit>()
  readonly #stop: (() => void) | undefined
  #waiting = new Map<string, { readonly limit: string; readonly key: string; calls: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor({ hints, now = () => performance.now() }: RateLimitsOptions = {}) {
    this.#hints = hints
    this.#now = now
    this.#stop = hints?.listen(TOPIC, (_sender, hint) => {
      if (hint.kind !== 'counts') return
      for (const { limit, key, calls } of hint.counts) this.#limits.get(limit)?.hear(key, calls)
    })
  }

  /** @param name unique within a node, and equal on all nodes */
  add(name: string, most: number, windowMs = MINUTE_MS): RateLimit {
    if (this.#limits.has(name)) throw new Error(`there is a limit ${name} already`)
    const counted = (key: string, amount: number) => this.#counted(name, key, amount)
    const limit = new RateLimit({ most, windowMs, now: this.#now, counted })
    this.#limits.set(name, limit)
    return limit
  }

  /** A limit of this node alone. */
  addOwn(most: number, windowMs = MINUTE_MS): RateLimit {
    return new RateLimit({ most, windowMs, now: this.#now, counted: () => undefined })
  }

  close(): void {
    this.#send()
    this.#stop?.()
  }

  #counted(limit: string, key: string, amount: number): void {
    if (this.#hints?.connected !== true) return
    const id = `${limit} ${key}`
    const known = this.#waiting.get(id)
    if (known === undefined) this.#waiting.set(id, { limit, key, calls: amount })
    else known.calls += amount
    if (this.#waiting.size >= MAX_BATCH) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), BATCH_MS).unref()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    this.#hints?.send(TOPIC, { kind: 'counts', counts: [...this.#waiting.values()] })
    this.#waiting = new Map()
  }
}
