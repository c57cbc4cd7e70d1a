import { accepted, type Result } from '#schemas/refusal.ts'

/** ms before its expiry at which a value is no longer returned. */
const MARGIN_MS = 30_000

interface HeldValue {
  readonly value: string
  /** ms since 1970 */
  readonly until: number
}

/** Tokens and sessions of outside systems, in memory: one fetch at a time, cached until shortly before their expiry. */
export class ExpiringValues {
  readonly #held = new Map<string, HeldValue>()
  readonly #underWay = new Map<string, Promise<Result<string>>>()
  readonly #max: number
  readonly #now: () => number

  constructor(max: number, now: () => number = Date.now) {
    this.#max = max
    this.#now = now
  }

  /** `stale`: a refused value, which is fetched again. */
  async get(
    key: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
    stale?: string,
  ): Promise<Result<string>> {
    const known = this.#held.get(key)
    if (known !== undefined && known.until > this.#now() && known.value !== stale) return accepted(known.value)
    const fetching = this.#underWay.get(key) ?? this.#fetch(key, fetch).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, fetching)
    return fetching
  }

  async #fetch(
    key: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
  ): Promise<Result<string>> {
    const began = this.#now()
    const fetched = await fetch()
    this.#held.delete(key)
    if (!fetched.ok) return fetched
    const { value, seconds } = fetched.value
    this.#held.set(key, { value, until: began + seconds * 1000 - MARGIN_MS })
    const [oldest] = this.#held.keys()
    if (this.#held.size > this.#max && oldest !== undefined) this.#held.delete(oldest)
    return accepted(value)
  }
}
