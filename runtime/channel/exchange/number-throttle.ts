import type { ProviderChannel } from '../open-channels.ts'

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
/** Time without a message whose share may leave at once afterwards. */
const BURST_MS = 500
/** Looks of waiting conversations per message that may leave. */
const LOOKS = 2
/** A waiting conversation looks this often at least: the rate rises meanwhile. */
const MAX_SPREAD_MS = 20_000
/** A conversation that is this late has nothing to send any more. */
const LATE_MS = 1_000

type Sender = Pick<ProviderChannel, 'id' | 'fields'>

interface Slowed {
  /** Of the channel that was refused: another token or number is not slowed. */
  readonly fields: string
  /** Messages per second after the last refusal. */
  readonly base: number
  /** ms since 1970 of the last refusal that changed the rate. */
  readonly at: number
  /** Nothing leaves before this moment, ms since 1970. Only a message that leaves moves it. */
  notBefore: number
  /** Conversations that wait, and when each looks again. */
  readonly waiting: Map<string, number>
}

/** Messages per second at a moment. */
const rateAt = ({ base, at }: Slowed, time: number): number => base + (RISE * Math.max(0, time - at)) / 1000

/**
 * Send rates of numbers that their provider throttles: half of what was sent before, rising again while nothing is
 * refused. A number has one moment before which nothing leaves. No moment is reserved for a conversation: the first that
 * looks at it sends. Each node slows what it sends itself.
 */
export class NumberThrottles {
  readonly #now: () => number
  readonly #random: () => number
  readonly #slowed = new Map<string, Slowed>()
  /** Moments of the last messages, oldest first. */
  readonly #sent = new Map<string, number[]>()

  constructor(now: () => number, random: () => number = Math.random) {
    this.#now = now
    this.#random = random
  }

  /** Whole ms until a conversation looks again; 0: its message may leave now. Changes nothing for the others. */
  wait({ id, fields }: Sender, conversation: string): number {
    const slowed = this.#slowed.get(id)
    const now = this.#now()
    // A changed channel stays in the list until `changed` resumes all its conversations.
    if (slowed === undefined || slowed.fields !== JSON.stringify(fields)) return 0
    if (now >= slowed.notBefore) return 0
    slowed.waiting.delete(conversation)
    for (const [waiting, at] of slowed.waiting) if (at < now - LATE_MS) slowed.waiting.delete(waiting)
    // The waiting ones look at different moments.
    const spread = (slowed.waiting.size * 1000) / (LOOKS * rateAt(slowed, slowed.notBefore))
    const left = Math.ceil(slowed.notBefore - now) + Math.round(Math.min(spread, MAX_SPREAD_MS) * this.#random())
    slowed.waiting.set(conversation, now + left)
    return left
  }

  /** Counts a message that leaves now, and moves the moment of the next one. */
  leaves(id: string, conversation: string): void {
    const now = this.#now()
    const sent = this.#recent(id)
    sent.push(now)
    this.#sent.set(id, sent)
    const slowed = this.#slowed.get(id)
    if (slowed === undefined) return
    slowed.waiting.delete(conversation)
    if (now - slowed.at >= STABLE_MS && slowed.notBefore <= now) this.#slowed.delete(id)
    else slowed.notBefore = Math.max(now - BURST_MS, slowed.notBefore) + 1000 / rateAt(slowed, now)
  }

  /** Halves the rate of a number after a refusal; `after`: ms that the provider asks for. */
  slow({ id, fields }: Sender, after: number): void {
    const now = this.#now()
    const text = JSON.stringify(fields)
    const before = this.#slowed.get(id)
    const known = before?.fields === text ? before : undefined
    const isSameBurst = known !== undefined && now - known.at < PAUSE_MS
    const rate = known === undefined ? this.#recent(id).length / (MEASURED_MS / 1000) : rateAt(known, now)
    this.#slowed.set(id, {
      fields: text,
      base: isSameBurst ? known.base : Math.max(MIN_RATE, rate / 2),
      at: isSameBurst ? known.at : now,
      notBefore: Math.max(isSameBurst ? known.notBefore : 0, now + Math.max(after, PAUSE_MS)),
      waiting: known?.waiting ?? new Map(),
    })
  }

  /** Messages per second; undefined: the number is not slowed. */
  rate(id: string): number | undefined {
    const slowed = this.#slowed.get(id)
    return slowed && rateAt(slowed, this.#now())
  }

  /** Ends and returns the throttles of channels whose fields changed since. */
  async changed(fieldsOf: (id: string) => Promise<ProviderChannel['fields'] | undefined>): Promise<readonly string[]> {
    const found: string[] = []
    for (const [id, { fields }] of this.#slowed)
      if (JSON.stringify(await fieldsOf(id)) !== fields && this.#slowed.get(id)?.fields === fields) {
        this.#slowed.delete(id)
        found.push(id)
      }
    return found
  }

  #recent(id: string): number[] {
    const sent = this.#sent.get(id) ?? []
    while (sent[0] !== undefined && sent[0] <= this.#now() - MEASURED_MS) sent.shift()
    return sent
  }
}
