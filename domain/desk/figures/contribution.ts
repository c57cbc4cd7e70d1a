import type { RatingScale } from '#schemas/rating.ts'
import { insideMs } from '../opening-hours.ts'
import type { ChatFact } from './chat-fact.ts'
import { bucketOf } from './histogram.ts'

/** Version of the definitions: figures that were kept under another one are not mixed with these. */
export const FIGURES_VERSION = 1

/** Times of the desk. `held`: the part of each user; `handle`: of the whole chat. */
export const DESK_TIMES = ['waiting', 'first', 'answer', 'handle', 'held'] as const
export type DeskTime = (typeof DESK_TIMES)[number]

/**
 * A counter. `what` is a count, the name of a time (a histogram), that name with `.ms` (the sum), or either of them with
 * `.in` (inside the opening hours).
 */
interface FigureKey {
  /** User; empty: of nobody. */
  readonly agent: string
  readonly what: string
  /** Of a histogram; 0 for others. */
  readonly bucket: number
}

/** Endings by which a chat is given up while it waits. */
const GIVEN_UP: ReadonlySet<string> = new Set(['person', 'timeout'])

/** Scores that count as satisfied. */
export const isGoodRating = (scale: RatingScale, score: number): boolean =>
  scale === '5' ? score >= 4 : scale === '3' ? score >= 3 : score === 1

const keyOf = ({ agent, what, bucket }: FigureKey): string => `${what} ${bucket} ${agent}`
export const figureKeyOf = (key: string): FigureKey => {
  const [what = '', bucket = '0', agent = ''] = key.split(' ')
  return { what, bucket: Number(bucket), agent }
}

/** Counts of one chat: integers by key. The counters of the desk are the sums of these. */
class Contribution {
  readonly counts = new Map<string, number>()
  readonly #fact: ChatFact

  constructor(fact: ChatFact) {
    this.#fact = fact
  }

  count(what: string, agent: string, n = 1, bucket = 0): void {
    const key = keyOf({ what, agent, bucket })
    if (n !== 0) this.counts.set(key, (this.counts.get(key) ?? 0) + n)
  }

  time(what: DeskTime, agent: string, intervals: readonly { readonly from: number; readonly to: number }[]): void {
    const sum = intervals.reduce((ms, { from, to }) => ms + Math.max(0, to - from), 0)
    const inside = intervals.reduce((ms, { from, to }) => ms + insideMs(this.#fact.hours, from, to), 0)
    for (const [name, ms] of [
      [what, sum],
      [`${what}.in`, inside],
    ] as const) {
      this.count(name, agent, 1, bucketOf(ms))
      this.count(`${name}.ms`, agent, ms)
    }
  }
}

const ratingOf = (made: Contribution, { asked, score, lastSayer }: ChatFact): void => {
  if (asked === undefined) return
  const kind = asked === 'nps' ? 'nps' : 'csat'
  made.count(`${kind}.asked`, lastSayer)
  if (score === undefined) return
  made.count(`${kind}.rated`, lastSayer)
  if (asked !== 'nps') made.count('csat.good', lastSayer, isGoodRating(asked, score) ? 1 : 0)
  else if (score >= 9) made.count('nps.promoters', lastSayer)
  else if (score <= 6) made.count('nps.detractors', lastSayer)
}

/** Moment from which the first response counts. */
const responseFrom = ({ isTakeover, connected, requested }: ChatFact): number =>
  isTakeover ? (connected ?? requested) : requested

/** The request for an agent, and how soon it was answered. */
const requestOf = (made: Contribution, fact: ChatFact): void => {
  const { requested, connected, left, firstHolder, firstSaid, firstSayer, goal, hours } = fact
  made.count('requested', firstHolder)
  const waitedUntil = connected ?? left
  if (waitedUntil !== undefined) made.time('waiting', firstHolder, [{ from: requested, to: waitedUntil }])
  if (connected !== undefined) made.count('served', firstHolder)
  else if (left !== undefined && GIVEN_UP.has(fact.ending)) made.count('givenup', '')
  const since = responseFrom(fact)
  if (firstSaid !== undefined) made.time('first', firstSayer, [{ from: since, to: firstSaid }])
  if (goal !== undefined) {
    made.count('goal', firstHolder)
    if (firstSaid !== undefined && firstSaid - since <= goal * 1000) made.count('goal.met', firstHolder)
    if (firstSaid !== undefined && insideMs(hours, since, firstSaid) <= goal * 1000)
      made.count('goal.met.in', firstHolder)
  }
}

/** Counters of agent channels, with the channel in place of the agent. */
export const CHANNEL_COUNTS = { waited: 'channel.waited', ms: 'channel.ms', givenup: 'channel.givenup' } as const

/** The wait at the agent channel, once it has ended. */
const waitOf = (made: Contribution, fact: ChatFact): void => {
  const { channel, isTakeover, isBegun, requested, connected, left, ending } = fact
  const until = connected ?? left
  if (channel === undefined || isTakeover || isBegun === true || until === undefined) return
  made.count(CHANNEL_COUNTS.waited, channel)
  made.count(CHANNEL_COUNTS.ms, channel, until - requested)
  if (connected === undefined && GIVEN_UP.has(ending)) made.count(CHANNEL_COUNTS.givenup, channel)
}

/** Contribution of a chat to the figures; only its wait for one that was never at the desk. */
export const contributionOf = (fact: ChatFact): ReadonlyMap<string, number> => {
  const made = new Contribution(fact)
  const { isDesk, isBegun, left } = fact
  waitOf(made, fact)
  if (!isDesk) return made.counts
  if (isBegun !== true) requestOf(made, fact)
  for (const { user, from, to } of fact.answers) made.time('answer', user, [{ from, to }])
  if (left !== undefined && fact.held.length > 0) {
    made.time('handle', '', fact.held)
    for (const [user, intervals] of Map.groupBy(fact.held, each => each.user)) made.time('held', user, intervals)
  }
  ratingOf(made, fact)
  return made.counts
}

/** Difference of two contributions. */
export const contributionChange = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> => {
  const change = new Map<string, number>()
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const n = (after.get(key) ?? 0) - (before.get(key) ?? 0)
    if (n !== 0) change.set(key, n)
  }
  return change
}
