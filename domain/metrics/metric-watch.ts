import type { AlertMetric } from '#schemas/entities/metricalert.ts'
import { localTime } from '../flow/condition/condition-date.ts'
import { dayBefore, dayIn } from './conversation-fact.ts'

const HOUR_MS = 3_600_000
/** Hour of Monday, in the time zone of the bot, from which on the week before is reported. */
const REPORT_HOUR = 8

/** A limit of a figure, as its alert keeps it. */
export interface MetricRule {
  readonly metric: AlertMetric
  readonly direction: 'below' | 'above'
  readonly threshold: number
  readonly days: number
  readonly least: number
}

export interface DayRange {
  readonly from: string
  readonly to: string
}

const SHARES: Readonly<Record<Exclude<AlertMetric, 'started'>, readonly [part: string, whole: string]>> = {
  contained: ['contained', 'closed'],
  handoff: ['handoff', 'closed'],
  unserved: ['unserved', 'handoff'],
  completed: ['completed', 'closed'],
  gaveup: ['gaveup', 'closed'],
  failed: ['failed', 'closed'],
  misunderstood: ['turns.unrecognized', 'turns.text'],
  rating: ['csat.good', 'csat.rated'],
}

/** Counters that a rule reads. */
export const countersOf = ({ metric }: Pick<MetricRule, 'metric'>): readonly string[] =>
  metric === 'started' ? ['started'] : SHARES[metric]

export const isShare = ({ metric }: Pick<MetricRule, 'metric'>): boolean => metric !== 'started'

/** Days of a rule's window. A day that is not over would always have too few conversations. */
export const windowOf = ({ metric, direction, days }: MetricRule, today: string): DayRange => {
  const to = metric === 'started' && direction === 'below' ? dayBefore(today, 1) : today
  return { from: dayBefore(to, days - 1), to }
}

/** A number of conversations, or percent; undefined where too few were counted. */
export const figureOf = (rule: MetricRule, countOf: (what: string) => number): number | undefined => {
  if (rule.metric === 'started') return countOf('started')
  const [part, whole] = SHARES[rule.metric].map(countOf)
  return whole === undefined || part === undefined || whole < Math.max(1, rule.least) ? undefined : (part / whole) * 100
}

export const isCrossed = ({ direction, threshold }: MetricRule, value: number): boolean =>
  direction === 'below' ? value < threshold : value > threshold

/** The last week whose report is due: from Monday to Sunday, in the time zone of the bot. */
export const reportedWeek = (now: number, zone: string): DayRange => {
  const local = new Date(localTime(now - REPORT_HOUR * HOUR_MS, zone))
  const today = dayIn(now - REPORT_HOUR * HOUR_MS, zone)
  const monday = dayBefore(today, (local.getUTCDay() + 6) % 7)
  return { from: dayBefore(monday, 7), to: dayBefore(monday, 1) }
}
