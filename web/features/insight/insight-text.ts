import i18next from 'i18next'
import { numberText } from '#web/format/number.ts'
import { durationOf } from '#web/format/time.ts'
import type { InsightMetric } from './insight-query.ts'

/** Shown in place of a figure that nothing was counted for. */
export const NONE = '–'
/** Shown in place of a hidden count. */
const FEW = '< 5'
/** Fewer closed conversations have no rates. */
export const FEW_CLOSED = 30

/** Part of a whole; null where a count is hidden. */
export interface Share {
  readonly part: number | null
  readonly whole: number | null
}

const SHARES = ['contained', 'handoff', 'misunderstood', 'completed', 'gaveup', 'rating'] as const
export type ShareName = (typeof SHARES)[number]

/** The shares of an answer, and the measure that lists the conversations of their part. */
export const shareOf = (of: InsightMetric, name: ShareName): Share => {
  switch (name) {
    case 'contained':
      return { part: of.contained, whole: of.closed }
    case 'handoff':
      return { part: of.handoff.count, whole: of.closed }
    case 'completed':
      return { part: of.outcomes.completed, whole: of.closed }
    case 'gaveup':
      return { part: of.outcomes.gaveup, whole: of.closed }
    case 'misunderstood':
      return { part: of.understanding.unrecognized, whole: of.understanding.texts }
    case 'rating':
      return { part: of.csat.good, whole: of.csat.rated }
    default:
      return name satisfies never
  }
}

export const MEASURES: Readonly<Record<ShareName, string>> = {
  ...{ contained: 'contained', handoff: 'handoff', misunderstood: 'misunderstood', completed: 'completed' },
  ...{ gaveup: 'gaveup', rating: 'rated' },
}

export const countText = (count: number | null): string => (count === null ? FEW : numberText(count))

/** Name of a weekday, from 0 for Sunday. The first of January 2023 was a Sunday. */
export const weekdayText = (day: number, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(i18next.language, { weekday, timeZone: 'UTC' })
    .format(Date.UTC(2023, 0, 1 + day))
    .replace('.', '')

export const hourText = (hour: number): string => `${hour}h–${(hour + 1) % 24}h`

/** An hour, or an hour of a weekday, that the measure of a list names; undefined for other measures. */
export const hourOfMeasure = (measure: string): string | undefined => {
  const [, weekday, hour] = /^hour:(?:([0-6])-)?(\d\d)$/u.exec(measure) ?? []
  if (hour === undefined) return undefined
  const hours = hourText(Number(hour))
  return weekday === undefined ? hours : `${weekdayText(Number(weekday), 'long')}, ${hours}`
}

/** Sum of the counts that are not hidden; null if all others are 0. */
export const sumOf = (...counts: readonly (number | null)[]): number | null => {
  const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0)
  return sum === 0 && counts.includes(null) ? null : sum
}

/** From 0 to 1; undefined where a rate would say more than its counts. */
export const rateOf = ({ part, whole }: Share): number | undefined =>
  part === null || whole === null || whole < FEW_CLOSED ? undefined : part / whole

export const percentText = (rate: number): string =>
  numberText(rate, { style: 'percent', maximumFractionDigits: rate > 0 && rate < 0.1 ? 1 : 0 })

/** A share as a rate, or as its counts where these are few. */
export const shareText = (share: Share, few: (part: string, whole: string) => string): string => {
  const { part, whole } = share
  const rate = rateOf(share)
  if (rate !== undefined) return percentText(rate)
  if (whole === 0) return NONE
  return part === null && whole === null ? FEW : few(countText(part), countText(whole))
}

export const timeText = (ms: number | null): string => (ms === null ? NONE : durationOf(ms))

/** Difference of two rates in points; undefined where one of them has too few conversations. */
export const pointsOf = (now: Share, before: Share): number | undefined => {
  const [one, other] = [rateOf(now), rateOf(before)]
  return one === undefined || other === undefined ? undefined : (one - other) * 100
}

/** Change in percent; undefined where there is nothing to compare with. */
export const growthOf = (now: number | null, before: number | null): number | undefined =>
  now === null || before === null || before < FEW_CLOSED ? undefined : ((now - before) / before) * 100

/** Whether more of it is better; undefined: neither. */
export const IS_GOOD: Readonly<Record<ShareName, boolean>> = {
  ...{ contained: true, completed: true, rating: true, handoff: false, misunderstood: false, gaveup: false },
}
