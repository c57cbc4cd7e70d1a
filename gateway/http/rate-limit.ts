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

interface LimitOptions {
  readonly most: number
  readonly windowMs: number
  readonly now: () => number
  readonly counted: (key: string) => void
}

/** Times of calls by key. The keys that were not used for the longest time are evicted. */
class CallTimes {
  readonly #times = new Map<string, readonly number[]>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#times.size
  }

  since(key: string, oldest: number): readonly number[] {
    const times = this.#times.get(key)
    if (times === undefined) return []
    const recent = times.filter(time => time > oldest)
    if (recent.length === 0) this.#times.delete(key)
    else if (recent.length < times.length) this.#times.set(key, recent)
    return recent
  }

  add(key: string, times: readonly number[], oldest: number): void {
    const all = [...this.since(key, oldest), ...times].slice(-this.#most)
    // The newest keys come last.
    this.#times.delete(key)
    this.#times.set(key, all)
    const [first] = this.#times.keys()
    if (this.#times.size > MAX_KEYS && first !== undefined) this.#times.delete(first)
  }
}

/** Bounds the calls, or failures, of each key within a window, those on other nodes included. */
export class RateLimit {
  readonly #options: LimitOptions
  readonly #own: CallTimes
  /** Apart from those of this node, so that messages of other nodes evict none of them. */
  readonly #others: CallTimes

  constructor(options: LimitOptions) {
    this.#options = options
    this.#own = new CallTimes(options.most)
    this.#others = new CallTimes(options.most)
  }

  /** Seconds until this key may call again; undefined when it may now. */
  wait(key: string): number | undefined {
    return this.#wait(hashOf(key))
  }

  count(key: string): void {
    this.#count(hashOf(key))
  }

  /** Counts a call, or returns the seconds to wait. A refused call does not count. */
  take(key: string): number | undefined {
    const hashed = hashOf(key)
    const wait = this.#wait(hashed)
    if (wait === undefined) this.#count(hashed)
    return wait
  }

  /** Adds calls on another node. */
  hear(hashed: string, calls: number): void {
    const now = this.#options.now()
    const times = Array<number>(Math.min(calls, this.#options.most)).fill(now)
    this.#others.add(hashed, times, now - this.#options.windowMs)
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#own.size + this.#others.size
  }

  #wait(hashed: string): number | undefined {
    const { most, windowMs, now } = this.#options
    const time = now()
    const own = this.#own.since(hashed, time - windowMs)
    const others = this.#others.since(hashed, time - windowMs)
    if (own.length + others.length < most) return undefined
    const freeing = [...own, ...others].sort((a, b) => a - b).at(-most) ?? time
    return Math.max(1, Math.ceil((freeing + windowMs - time) / 1000))
  }

  #count(hashed: string): void {
    const { windowMs, now, counted } = this.#options
    const time = now()
    this.#own.add(hashed, [time], time - windowMs)
    counted(hashed)
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
    const counted = (key: string) => this.#counted(name, key)
    const limit = new RateLimit({ most, windowMs, now: this.#now, counted })
    this.#limits.set(name, limit)
    return limit
  }

  close(): void {
    this.#send()
    this.#stop?.()
  }

  #counted(limit: string, key: string): void {
    if (this.#hints?.connected !== true) return
    const id = `${limit} ${key}`
    const known = this.#waiting.get(id)
    if (known === undefined) this.#waiting.set(id, { limit, key, calls: 1 })
    else known.calls += 1
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
