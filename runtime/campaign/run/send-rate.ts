import { appendAtEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { messagingLimit } from '#domain/meta/account.ts'
import type { JsonObject } from '#schemas/event.ts'
import { paceStream, senderStream } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import { LeaseTerm, StreamLease } from '../../log/lease.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import type { RunQueries, RunRow } from './run-queries.ts'

const DAY_MS = 86_400_000
/** Only the newest events of a pace are kept. */
const MAX_EVENTS = 10
/** A smaller change of the rate is not stored. */
const MIN_CHANGE = 0.1

/** Send rates of numbers. The last stable one of 24 hours is stored, for the next run and for a restart. */
export class NumberPaces {
  readonly #store: EventStore
  readonly #now: () => number
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #kept = new Map<string, number>()

  constructor(store: EventStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  bucketOf(number: string): TokenBucket {
    const known = this.#buckets.get(number) ?? new TokenBucket(this.#now())
    this.#buckets.set(number, known)
    return known
  }

  rate(number: string): number | undefined {
    return this.#buckets.get(number)?.rate
  }

  /** Takes tokens for a message of a conversation, if campaigns use the number. */
  spend(number: string): void {
    this.#buckets.get(number)?.spend(1, this.#now())
  }

  /** Halves the rate of campaigns, if they use the number. */
  slow(number: string): void {
    this.#buckets.get(number)?.slow()
  }

  /** Messages of conversations per second. */
  otherRate(number: string): number {
    return this.#buckets.get(number)?.otherRate(this.#now()) ?? 0
  }

  /** Continues with the rate of the node that sent from the number before. */
  resume(number: string, rate: number): void {
    this.#buckets.set(number, new TokenBucket(this.#now(), rate))
  }

  /** Rate that a run begins with now, messages per second: the last stable one of 24 hours. */
  async startRate(number: string): Promise<number> {
    if (!this.#buckets.has(number)) {
      const rate = await this.#stored(number)
      if (rate !== undefined && !this.#buckets.has(number)) this.resume(number, rate)
    }
    return this.bucketOf(number).rateAt(this.#now())
  }

  /** Stores the stable rate of a number, unless it is about the one stored last. */
  async keep(number: string): Promise<void> {
    const rate = this.#buckets.get(number)?.stableRate
    const before = this.#kept.get(number)
    if (rate === undefined || (before !== undefined && Math.abs(rate - before) < before * MIN_CHANGE)) return
    this.#kept.set(number, rate)
    const stream = paceStream(number)
    const data = { number, rate: Math.round(rate * 10) / 10, at: this.#now() }
    const { revision } = await appendAtEnd(
      this.#store,
      stream,
      exclusiveDrafts(stream, [{ type: 'PaceMeasured', data }]),
    )
    if (revision === 1) await this.#store.setMetadata(stream, { maxCount: MAX_EVENTS })
  }

  async #stored(number: string): Promise<number | undefined> {
    for await (const { data } of this.#store.read(paceStream(number), { direction: 'backwards', limit: 1 }))
      return this.#now() - Number(data.at) < DAY_MS ? Number(data.rate) : undefined
    return undefined
  }
}

/** A node that sends from a number renews its lease this often, ms. */
export const RENEW_MS = 10_000
const TERM = new LeaseTerm(30_000, RENEW_MS / 2)

/** Send rate of a number, messages per second. The lease passes it from node to node. */
interface Pace {
  rate(): number | undefined
  /** Called with the rate of the node that had the number before. */
  resume(rate: number): void
}

const rateIn = (data: JsonObject | undefined): number | undefined =>
  typeof data?.rate === 'number' ? data.rate : undefined

/**
 * Lease of a number: only one node sends from it, so that the number's rate is not shared. Duplicate sends are
 * prevented by the run's log, whose revision each claim names.
 */
export class NumberLease extends StreamLease {
  constructor(store: EventStore, number: string, node: string, pace?: Pace) {
    super({
      ...{ store, stream: senderStream(number), type: 'SenderTaken', node, term: TERM },
      data(before) {
        const rate = rateIn(before) ?? pace?.rate()
        return { number, ...(rate === undefined ? {} : { rate: Math.round(rate * 10) / 10 }) }
      },
      takenOver(before) {
        const rate = rateIn(before)
        if (rate !== undefined) pace?.resume(rate)
      },
    })
  }
}

/** Maximum messages per claim: a killed node loses one claim, and what it has not written down. */
export const MAX_BATCH = 100
/** Interval of claims, and after a claim of the maximum, which is twice what the fastest number sends. */
export const BATCH_MS = 250
export const FULL_BATCH_MS = 60
/** Number of first messages of a larger run, after which it waits for failures. */
export const WARMUP = 20
export const WARMUP_FROM = 200
export const WARMUP_MS = 60_000
/** Initial rate of a number, messages per second. */
export const START_RATE = 10
const MIN_RATE = 0.5
/** Added each second without a rate refusal. */
const RISE = 1
/** Burst size, in seconds of the rate. */
const BURST_S = 0.5

/** A pause in which a number does not send does not make it faster: the rate rises for this long at most, seconds. */
const MAX_RISE_S = 2
/** A refused rate is stable again after this time without another refusal. */
const STABLE_MS = 60_000

/** Send rate of a number: rises while nothing is refused, halved on a refusal (AIMD). */
export class TokenBucket {
  #rate: number
  #tokens = 1
  #at: number
  /** The rate at the last take: a campaign may set less than the number can do. */
  #used: number
  #slowedAt = Number.NEGATIVE_INFINITY
  #slowedTo = Number.POSITIVE_INFINITY
  readonly #others: { readonly at: number; readonly count: number }[] = []

  /** @param rate the last stable rate of the number */
  constructor(now: number, rate = START_RATE) {
    this.#at = now
    this.#rate = Math.max(MIN_RATE, rate)
    this.#used = this.#rate
  }

  /** Messages per second. */
  get rate(): number {
    return this.#rate
  }

  /** Rate of the next message: the initial one after a day without any. */
  rateAt(now: number): number {
    return now - this.#at >= DAY_MS ? START_RATE : this.#rate
  }

  /** Rate to begin with the next time, messages per second. */
  get stableRate(): number {
    return this.#at - this.#slowedAt < STABLE_MS ? Math.min(this.#rate, this.#slowedTo) : this.#rate
  }

  /** Takes up to `wanted` tokens at a moment (ms), at most `most` per second. */
  take(wanted: number, most: number, now: number): number {
    const passed = Math.max(0, now - this.#at) / 1000
    this.#rate = this.rateAt(now)
    this.#at = now
    if (this.#rate < most) this.#rate = Math.min(most, this.#rate + RISE * Math.min(passed, MAX_RISE_S))
    this.#used = Math.min(most, this.#rate)
    this.#tokens = Math.min(Math.max(1, this.#used * BURST_S), this.#tokens + this.#used * passed)
    const taken = Math.max(0, Math.min(wanted, Math.floor(this.#tokens)))
    this.#tokens -= taken
    return taken
  }

  /**
   * Takes tokens for messages of conversations: they have gone out, and campaigns wait for their share. At most one second's
   * share, so that a burst does not stop a campaign for longer.
   */
  spend(count: number, now: number): void {
    this.#forgetOthers(now)
    this.#others.push({ at: now, count })
    this.#tokens = Math.max(-Math.max(1, this.#used), this.#tokens - count)
  }

  /** Messages of conversations per second, over the last minute. */
  otherRate(now: number): number {
    this.#forgetOthers(now)
    return (this.#others.reduce((sum, { count }) => sum + count, 0) * 1000) / STABLE_MS
  }

  #forgetOthers(now: number): void {
    while ((this.#others[0]?.at ?? now) < now - STABLE_MS) this.#others.shift()
  }

  slow(): void {
    this.#rate = Math.max(MIN_RATE, this.#used / 2)
    this.#slowedAt = this.#at
    this.#slowedTo = this.#rate
  }
}

/** Messages per second that Meta takes from a number, in and out together, by its throughput level. */
const THROUGHPUT: Readonly<Record<string, number>> = { STANDARD: 80, HIGH: 1000 }
/** A number that is also used in the WhatsApp Business app. */
const COEXISTENCE = 20
/** Share of the throughput that campaigns use; the rest is for conversations. */
const THROUGHPUT_SHARE = 0.8
const DEFAULT_RATE = 60

/** Maximum rate of a campaign, messages per second: its setting, at most that of the account, and 80 % of the throughput of its number. */
export const campaignRate = (setting: unknown, account: JsonObject | undefined): number => {
  const most =
    account?.coexistence === true
      ? COEXISTENCE
      : (THROUGHPUT[fieldText(account ?? {}, 'throughput')] ?? Number(THROUGHPUT.STANDARD))
  const own = account?.rate
  return Math.min(
    typeof setting === 'number' ? setting : DEFAULT_RATE,
    ...(typeof own === 'number' ? [own] : []),
    most * THROUGHPUT_SHARE,
  )
}

/** Share of the limit at which a run stops: other senders of the portfolio use the limit too. */
const SHARE = 0.95

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

/** Recipients whose sending hours are the same. */
interface SendingGroup {
  readonly count: number
  /** When they may get a message, from a moment on (ms). */
  readonly opens: (time: number) => number
}

interface Sending {
  /** ms since 1970 */
  readonly now: number
  /** Rate that the number begins with, and its maximum, messages per second. */
  readonly rate: number
  readonly most: number
  /** Messages of conversations, per second: they go first. */
  readonly others?: number
  readonly groups: readonly SendingGroup[]
  readonly isWarmedUp: boolean
  /** People that the portfolio may reach now, and how many more at which moments (ms), in order. */
  readonly room: number
  readonly leaving: readonly { readonly at: number; readonly count: number }[]
}

/** Sending hours are looked at this often. */
const LOOK_MS = 60_000
const SECOND_MS = 1000
/** No message is postponed further. */
const HORIZON_MS = 400 * DAY_MS

/** Groups with what is left of them, and when that may be sent. */
class OpenGroups {
  readonly #groups: { left: number; readonly opens: SendingGroup['opens']; lookedAt: number; openAt: number }[]
  left: number

  constructor(groups: readonly SendingGroup[]) {
    this.#groups = groups.map(({ count, opens }) => ({
      left: count,
      opens,
      lookedAt: Number.NEGATIVE_INFINITY,
      openAt: 0,
    }))
    this.left = groups.reduce((sum, { count }) => sum + count, 0)
  }

  /** Number of those who may get a message now; 0: when the next ones may. */
  openAt(time: number): { readonly count: number; readonly next: number } {
    let [count, next] = [0, Number.POSITIVE_INFINITY]
    for (const group of this.#groups) {
      if (group.left === 0) continue
      if (group.openAt <= time && time - group.lookedAt >= LOOK_MS) {
        group.openAt = group.opens(time)
        group.lookedAt = time
      }
      if (group.openAt <= time) count += group.left
      else next = Math.min(next, group.openAt)
    }
    return { count, next }
  }

  /** Takes from the groups that are open. */
  take(count: number, time: number): void {
    this.left -= count
    for (const group of this.#groups) {
      if (group.openAt > time) continue
      const taken = Math.min(count, group.left)
      group.left -= taken
      count -= taken
    }
  }
}

/** When the last message of a run is sent that begins now (ms): the pace of its number, its hours and its limit, simulated. */
export const simulateSending = ({ now, rate, most, groups, isWarmedUp, others = 0, ...limit }: Sending): number => {
  const bucket = new TokenBucket(now, rate)
  const open = new OpenGroups(groups)
  const leaving = [...limit.leaving]
  let { room } = limit
  let [time, last, sent, left] = [now, now, 0, 0]
  let spentAt = now
  let warmedAt = isWarmedUp ? now : Number.POSITIVE_INFINITY
  while (open.left > 0 && time < now + HORIZON_MS) {
    for (; (leaving[left]?.at ?? Number.POSITIVE_INFINITY) <= time; left += 1) room += leaving[left]?.count ?? 0
    if (sent >= WARMUP && warmedAt === Number.POSITIVE_INFINITY) warmedAt = time + WARMUP_MS
    const { count, next } = open.openAt(time)
    if (sent >= WARMUP && time < warmedAt) time = warmedAt
    else if (room <= 0) time = leaving[left]?.at ?? now + HORIZON_MS
    else if (count === 0) time = next
    else {
      if (others > 0) bucket.spend((others * Math.min(time - spentAt, SECOND_MS)) / SECOND_MS, time)
      spentAt = time
      const wanted = Math.min(MAX_BATCH, room, count, warmedAt > time ? WARMUP - sent : MAX_BATCH)
      const taken = bucket.take(wanted, most, time)
      if (taken > 0) {
        open.take(taken, time)
        sent += taken
        last = time
        room -= taken
        const end = leaving.at(-1)
        // One entry a minute: the limit counts people of 24 hours.
        if (end !== undefined && left < leaving.length && end.at > time + DAY_MS - LOOK_MS)
          leaving[leaving.length - 1] = { at: end.at, count: end.count + taken }
        else leaving.push({ at: time + DAY_MS, count: taken })
      }
      time += taken === wanted ? FULL_BATCH_MS : BATCH_MS
    }
  }
  return last
}
