import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import type { RunQueries, RunRow } from './run-queries.ts'

/** Initial rate of a number, messages per second. */
const START_RATE = 10
const MIN_RATE = 0.5
/** Added each second without a rate refusal. */
const RISE = 1
/** Burst size, in seconds of the rate. */
const BURST_S = 0.5

/** Seconds until a number without refusals has sent `count` messages, at most `most` per second, from its first one. */
export const secondsToSend = (count: number, most: number): number => {
  let [left, rate, seconds] = [count, Math.min(most, START_RATE), 0]
  while (left > 0 && rate < most) {
    if (left <= rate) return seconds + 1
    left -= rate
    rate = Math.min(most, rate + RISE)
    seconds += 1
  }
  return seconds + Math.ceil(left / most)
}

/** Send rate of a number: rises while nothing is refused, halved on a refusal (AIMD). */
export class TokenBucket {
  #rate: number
  #tokens = 1
  #at: number

  /** @param rate of the node that sent from the number before */
  constructor(now: number, rate = START_RATE) {
    this.#at = now
    this.#rate = Math.max(MIN_RATE, rate)
  }

  /** Messages per second. */
  get rate(): number {
    return this.#rate
  }

  /** Takes up to `wanted` tokens at a moment (ms), at most `most` per second. */
  take(wanted: number, most: number, now: number): number {
    const passed = Math.max(0, now - this.#at) / 1000
    this.#at = now
    this.#rate = Math.min(most, this.#rate + RISE * passed)
    this.#tokens = Math.min(Math.max(1, this.#rate * BURST_S), this.#tokens + this.#rate * passed)
    const taken = Math.min(wanted, Math.floor(this.#tokens))
    this.#tokens -= taken
    return taken
  }

  slow(): void {
    this.#rate = Math.max(MIN_RATE, this.#rate / 2)
  }
}

const DAY_MS = 86_400_000
/** Share of the limit at which a run stops: other senders of the portfolio use the limit too. */
const SHARE = 0.95
const TIER = /^TIER_(\d{1,6})(K?)$/u

/** People in 24 hours; infinite for an unlimited or unknown tier. */
export const messagingLimit = (tier: string): number => {
  const [, count, thousands] = TIER.exec(tier) ?? []
  return count === undefined ? Number.POSITIVE_INFINITY : Number(count) * (thousands === 'K' ? 1000 : 1)
}

/** Number of further people that a portfolio may reach now, and when more is free (ms). */
export const portfolioRoom = (
  { index, now }: { readonly index: { readonly queries: Pick<RunQueries, 'reached'> }; now(): number },
  { plan }: Pick<RunRow, 'plan'>,
  account: JsonObject | undefined,
): { readonly room: number; readonly until: number } => {
  const time = now()
  const limit = messagingLimit(fieldText(account ?? {}, 'messaging_limit'))
  if (limit === Number.POSITIVE_INFINITY) return { room: limit, until: time }
  const { numbers, oldest } = index.queries.reached(plan.portfolio, time - DAY_MS)
  return { room: Math.max(0, Math.floor(limit * SHARE) - numbers), until: oldest + DAY_MS }
}
