import { numberText } from '#web/format/number.ts'
import { durationOf } from '#web/format/time.ts'
import type { Metric } from './desk-query.ts'

/** Shown in place of a figure that nothing was counted for. */
const NONE = '–'

const METRICS = [
  'requested',
  'givenup',
  'waiting',
  'first',
  'answer',
  'handle',
  'goal',
  'csat',
  'nps',
  'occupancy',
] as const
export type MetricName = (typeof METRICS)[number]

const shareText = (part: number, whole: number): string =>
  whole === 0 ? NONE : numberText(part / whole, { style: 'percent', maximumFractionDigits: 0 })

const timeText = (ms: number | null): string => (ms === null ? NONE : durationOf(ms))

/** Net Promoter Score, from −100 to 100. */
const npsText = ({ rated, promoters, detractors }: Metric['nps']): string =>
  rated === 0 ? NONE : numberText(Math.round((100 * (promoters - detractors)) / rated), { signDisplay: 'exceptZero' })

/** A figure in words; `inside`: of the time inside the opening hours. */
export const metricText = (metric: Metric, name: MetricName, inside: boolean): string => {
  switch (name) {
    case 'requested':
      return numberText(metric.requested)
    case 'givenup':
      return shareText(metric.givenup, metric.requested)
    case 'goal':
      return shareText(inside ? metric.goal.inside : metric.goal.met, metric.goal.count)
    case 'csat':
      return shareText(metric.csat.good, metric.csat.rated)
    case 'nps':
      return npsText(metric.nps)
    case 'occupancy':
      return metric.occupancy === null ? NONE : shareText(metric.occupancy.busy, metric.occupancy.available)
    default: {
      const time = inside ? metric[name].inside : metric[name]
      return timeText(name === 'handle' ? time.mean : time.p50)
    }
  }
}

/** Detail of a figure: its count, or the time that a tenth exceeds. */
export const metricDetail = (
  metric: Metric,
  name: MetricName,
  inside: boolean,
): { readonly key: string; readonly values: Readonly<Record<string, string | number>> } | undefined => {
  switch (name) {
    case 'givenup':
      return metric.givenup === 0
        ? undefined
        : { key: 'givenup', values: { count: metric.givenup, shown: numberText(metric.givenup) } }
    case 'goal':
      return metric.goal.count === 0 ? undefined : { key: 'goal', values: { of: numberText(metric.goal.count) } }
    case 'csat':
    case 'nps': {
      const { rated, asked } = metric[name]
      return asked === 0 ? undefined : { key: 'rated', values: { rated: numberText(rated), asked: numberText(asked) } }
    }
    case 'waiting':
    case 'first':
    case 'answer': {
      const { p90 } = inside ? metric[name].inside : metric[name]
      return p90 === null ? undefined : { key: 'p90', values: { time: timeText(p90) } }
    }
    default:
      return undefined
  }
}

/** Figures that a table of a grouping has: chats of nobody are no agent's, and available time belongs to no queue. */
export const metricsBy = (by: string, hasNps: boolean): readonly MetricName[] =>
  METRICS.filter(
    name =>
      (name !== 'givenup' || by !== 'agent') &&
      (name !== 'occupancy' || by === 'agent' || by === 'day') &&
      (name !== 'nps' || hasNps),
  )
