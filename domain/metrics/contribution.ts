import type { RatingScale } from '#schemas/rating.ts'
import { isGoodRating } from '../desk/figures/contribution.ts'
import { bucketOf } from '../desk/figures/histogram.ts'
import type { ConversationFact } from './conversation-fact.ts'

/** Version of the definitions: conversations keep the one with which they began. */
export const METRICS_VERSION = 1

/** Outcomes of a closed conversation: the first that holds is its outcome, so they add up to the closed ones. */
const OUTCOMES = ['agent', 'unserved', 'completed', 'gaveup', 'failed', 'left'] as const
type Outcome = (typeof OUTCOMES)[number]

const LEFT_BY: ReadonlySet<string> = new Set(['timeout', 'person'])

const isClosed = ({ received, ended }: ConversationFact): boolean => received > 0 && ended !== undefined

export const outcomeOf = (fact: ConversationFact): Outcome => {
  if (fact.connected) return 'agent'
  if (fact.handoff !== undefined) return 'unserved'
  if (fact.retained || fact.reachedGoal || fact.reason === 'flow') return 'completed'
  if (fact.leftQuestion && LEFT_BY.has(fact.reason)) return 'gaveup'
  return fact.hasFailed ? 'failed' : 'left'
}

/** Names of the counts that a conversation is part of: each count lists its conversations. Keys follow a colon. */
export const measuresOf = (fact: ConversationFact): readonly string[] => {
  const { received, ended, handoff, ratings, entered, completed, reopened, costs } = fact
  const names = ['started', `hour:${String(fact.hour).padStart(2, '0')}`, received > 0 ? 'engaged' : 'unengaged']
  const add = (isOf: boolean, ...more: readonly string[]) => void (isOf && names.push(...more))
  add(received > 0 && ended === undefined, 'open')
  add(fact.moved, 'moved')
  add(fact.unrecognized > 0, 'misunderstood')
  add(Object.keys(costs).length > 0, 'priced')
  const asked = Object.values(ratings)
  add(asked.length > 0, asked.some(({ score }) => score !== undefined) ? 'rated' : 'unrated')
  names.push(...entered.map(dialog => `dialog.entered:${dialog}`))
  names.push(...completed.map(dialog => `dialog.completed:${dialog}`))
  if (!isClosed(fact)) return names
  const outcome = outcomeOf(fact)
  names.push('closed', outcome)
  if (handoff === undefined) names.push('contained')
  else names.push('handoff', `handoff.${handoff}`)
  if (outcome === 'completed') names.push(reopened ? 'reopened' : 'durable')
  return names
}

/** A counter of a bot. `key` and `bucket` are empty and 0 where a counter has none. */
export interface MetricKey {
  readonly day: string
  readonly what: string
  readonly key: string
  readonly bucket: number
}

const SEPARATOR = '\n'
export const metricKey = ({ day, what, key, bucket }: MetricKey): string => [day, what, key, bucket].join(SEPARATOR)
export const metricKeyOf = (text: string): MetricKey => {
  const [day = '', what = '', key = '', bucket = '0'] = text.split(SEPARATOR)
  return { day, what, key, bucket: Number(bucket) }
}

const ratingOf = (scale: RatingScale, score: number | undefined): readonly string[] => {
  if (scale !== 'nps')
    return [
      'csat.asked',
      ...(score === undefined ? [] : ['csat.rated', ...(isGoodRating(scale, score) ? ['csat.good'] : [])]),
    ]
  if (score === undefined) return ['nps.asked']
  const group = score >= 9 ? ['nps.promoters'] : score <= 6 ? ['nps.detractors'] : []
  return ['nps.asked', 'nps.rated', ...group]
}

/** Days on which a conversation, or a person, was active, each with the active day before: a range counts it once. */
const activeDays = (days: readonly string[]): readonly { readonly day: string; readonly before: string }[] =>
  days.map((day, at) => ({ day, before: days[at - 1] ?? '' }))

/**
 * Integers that a conversation adds to the counters of its bot, release, channel type and origin. The counters are the
 * sums of these, so they can be computed in any order.
 */
export const contribution = (fact: ConversationFact): ReadonlyMap<string, number> => {
  const made = new Map<string, number>()
  const count = (what: string, n = 1, { key = '', bucket = 0, day = fact.day }: Partial<MetricKey> = {}) => {
    const name = metricKey({ day, what, key, bucket })
    if (n !== 0) made.set(name, (made.get(name) ?? 0) + n)
  }
  for (const measure of measuresOf(fact)) {
    const [what = '', key = ''] = measure.split(':')
    count(what, 1, { key })
  }
  for (const { day, before } of activeDays(fact.days)) count('active', 1, { day, key: before })
  count('turns.text', fact.texts)
  count('turns.unrecognized', fact.unrecognized)
  count('turns.unclear', fact.unclear)
  for (const [bucket, n] of Object.entries(fact.answers)) count('answer', n, { bucket: Number(bucket) })
  count('answer.sum', fact.answerMs)
  for (const { scale, score } of Object.values(fact.ratings)) {
    for (const what of ratingOf(scale, score)) count(what)
    if (score !== undefined) count('score', 1, { key: scale, bucket: score })
  }
  for (const [key, { count: n, micros }] of Object.entries(fact.costs)) {
    count('cost', n, { key })
    count('cost.sum', micros, { key })
  }
  if (!isClosed(fact)) return made
  for (const [what, n] of [
    ['turns', fact.turns],
    ['in', fact.received],
    ['out', fact.said],
  ] as const) {
    count(what, 1, { bucket: bucketOf(n) })
    count(`${what}.sum`, n)
  }
  return made
}
