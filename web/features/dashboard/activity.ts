import type { ChartTable } from './chart-table.ts'
import type { Series } from './day-bars.tsx'

export const sum = (counts: readonly number[]): number => counts.reduce((total, n) => total + n, 0)

/** Names as they are; a name that several have is numbered from its second on. */
export const uniqueNames = (names: readonly string[]): readonly string[] =>
  names.map((name, at) => {
    const before = names.slice(0, at).filter(other => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })

/** One row per day, newest first. */
export const dailyTable = (day: string, days: readonly string[], series: readonly Series[]): ChartTable => ({
  columns: [day, ...series.map(({ name }) => name)],
  rows: days.map((date, at) => [date, ...series.map(({ counts }) => counts[at] ?? 0)] as const).toReversed(),
})

/** The day with the greatest sum of all series; undefined where every count is zero. */
export const busiestDay = (
  days: readonly string[],
  series: readonly Series[],
): { readonly day: string; readonly count: number } | undefined => {
  const ranked = days
    .map((day, at) => ({ day, count: sum(series.map(({ counts }) => counts[at] ?? 0)) }))
    .toSorted((one, other) => other.count - one.count)
  const [best] = ranked
  return best !== undefined && best.count > 0 ? best : undefined
}
