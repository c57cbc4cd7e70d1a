import { failureCause } from '#domain/channel-health.ts'

/** Messages per second that a refused number keeps at least. */
const MIN_RATE = 0.5
/** Added each second without another refusal. */
const RISE = 1
/** Time over which the rate of a number is measured. */
const MEASURED_MS = 10_000
/** Shortest pause after a refusal. Refusals within it belong to one burst, and halve the rate once. */
const PAUSE_MS = 1_000
/** A number without a refusal in this time is not slowed any more. */
const STABLE_MS = 60_000
/** Meta's limit of messages to one person: the others need not wait. */
const PAIR_LIMIT = '131056'

/** Whether a refusal says that the whole number sends too fast. */
export const isThrottle = (code: string): boolean => code !== PAIR_LIMIT && failureCause(code) === 'limit'

interface Slowed {
  /** Messages per second after the last refusal. */
  base: number
  /** ms since 1970 of the last refusal that changed the rate. */
  at: number
  /** First moment without a reservation. */
  nextAt: number
  /** Reserved moments of conversations. */
  readonly slots: Map<string, number>
}

/** Messages per second at a moment. */
const rateAt = ({ base, at }: Slowed, time: number): number => base + (RISE * Math.max(0, time - at)) / 1000

/**
 * Send rates of numbers that their provider throttles (R24): half of what was sent before, rising again while nothing is
 * refused. Numbers that are not throttled have no rate. Each node slows what it sends itself.
 */
export class NumberThrottles {
  readonly #now: () => number
  readonly #slowed = new Map<string, Slowed>()
  /** Moments of the last messages, oldest first. */
  readonly #sent = new Map<string, number[]>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** ms until the next message of a conversation may leave; 0: now. A later moment is reserved for it. */
  wait(channel: string, conversation: string): number {
    const now = this.#now()
    const slowed = this.#slowed.get(channel)
    if (slowed === undefined) return 0
    if (now - slowed.at >= STABLE_MS && slowed.nextAt <= now) {
      this.#slowed.delete(channel)
      return 0
    }
    const reserved = slowed.slots.get(conversation)
    if (reserved === undefined) {
      const at = Math.max(now, slowed.nextAt)
      slowed.nextAt = at + 1000 / rateAt(slowed, at)
      if (at > now) slowed.slots.set(conversation, at)
      return at - now
    }
    if (reserved <= now) slowed.slots.delete(conversation)
    return Math.max(0, reserved - now)
  }

  /** Counts a message that goes out now. */
  count(channel: string): void {
    const sent = this.#recent(channel)
    sent.push(this.#now())
    this.#sent.set(channel, sent)
  }

  /** Halves the rate of a number after a refusal; `after`: ms that the provider asks for. */
  slow(channel: string, after: number): void {
    const now = this.#now()
    const known = this.#slowed.get(channel)
    const isSameBurst = known !== undefined && now - known.at < PAUSE_MS
    const rate = known === undefined ? this.#measured(channel) : rateAt(known, now)
    const base = isSameBurst ? known.base : Math.max(MIN_RATE, rate / 2)
    // After the pause, conversations reserve again.
    const nextAt = Math.max(isSameBurst ? known.nextAt : 0, now + Math.max(after, PAUSE_MS))
    this.#slowed.set(channel, { base, at: isSameBurst ? known.at : now, nextAt, slots: new Map() })
  }

  /** Messages per second; undefined: the number is not slowed. */
  rate(channel: string): number | undefined {
    const slowed = this.#slowed.get(channel)
    return slowed && rateAt(slowed, this.#now())
  }

  #measured(channel: string): number {
    return this.#recent(channel).length / (MEASURED_MS / 1000)
  }

  #recent(channel: string): number[] {
    const sent = this.#sent.get(channel) ?? []
    while (sent[0] !== undefined && sent[0] <= this.#now() - MEASURED_MS) sent.shift()
    return sent
  }
}
