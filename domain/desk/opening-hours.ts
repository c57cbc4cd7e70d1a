import { localTime, momentOf } from '../flow/condition/condition-date.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** No opening within this many days counts as closed. */
const FURTHEST = 60

interface Hours {
  readonly timezone: string
  /** Day 0 is Sunday. Empty: always open. */
  readonly week: readonly { readonly day: number | null; readonly from: string; readonly to: string }[]
  readonly specific_dates: readonly { readonly date: string }[]
}

/** Whether a queue is open. Times are ms since 1970. */
export interface OpeningState {
  readonly isOpen: boolean
  /** When it closes; undefined: never, or it is closed. */
  readonly closes?: number
  /** When it opens next; undefined: it is open, or never opens. */
  readonly opens?: number
}

export const minutesOf = (clock: string): number => {
  const [hour = '0', minute = '0'] = clock.split(':')
  return Number(hour) * 60 + Number(minute)
}

/** Periods of a local day, in minutes since its midnight; a period over midnight ends above 1440. */
const periodsOf = ({ week }: Hours, weekday: number) =>
  week
    .filter(({ day }) => day === weekday)
    .map(({ from, to }) => {
      const [start, end] = [minutesOf(from), minutesOf(to)]
      return { start, end: end > start ? end : end + 24 * 60 }
    })

/**
 * Opening hours of a queue at a moment. `isHoliday` gets a local day as YYYY-MM-DD.
 * @throws RangeError for an unknown time zone
 */
export const openingOf = (hours: Hours, isHoliday: (day: string) => boolean, now: number): OpeningState => {
  if (hours.week.length === 0) return { isOpen: true }
  const closed = new Set(hours.specific_dates.map(({ date }) => date))
  const today = Math.floor(localTime(now, hours.timezone) / DAY) * DAY
  const openings: { from: number; to: number }[] = []
  // Yesterday's may last beyond midnight.
  for (let day = today - DAY; day < today + FURTHEST * DAY && openings.length < 4; day += DAY) {
    const name = new Date(day).toISOString().slice(0, 10)
    if (closed.has(name) || isHoliday(name)) continue
    for (const { start, end } of periodsOf(hours, new Date(day).getUTCDay())) {
      const from = momentOf(day + start * MINUTE, hours.timezone)
      const to = momentOf(day + end * MINUTE, hours.timezone)
      if (from !== undefined && to !== undefined && to > now) openings.push({ from, to })
    }
  }
  openings.sort((one, other) => one.from - other.from)
  const [first] = openings
  if (first === undefined) return { isOpen: false }
  if (first.from > now) return { isOpen: false, opens: first.from }
  // Periods that touch are one.
  let closes = first.to
  for (const { from, to } of openings) if (from <= closes && to > closes) closes = to
  return { isOpen: true, closes }
}
