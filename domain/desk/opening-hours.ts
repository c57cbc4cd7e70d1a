import { minutesOf, openingsFrom } from '../flow/condition/working-hour.ts'

/** Openings that are read ahead: those that touch the present one are part of it. */
const DISTINCT = 4
/** Periods in which the time of a goal is looked for. */
const MAX_PERIODS = 400

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

/**
 * Opening hours of a queue at a moment. `isHoliday` gets a local day as YYYY-MM-DD.
 * @throws RangeError for an unknown time zone
 */
export const openingOf = (hours: Hours, isHoliday: (day: string) => boolean, now: number): OpeningState => {
  if (hours.week.length === 0) return { isOpen: true }
  const closed = new Set(hours.specific_dates.map(({ date }) => date))
  const periodsOf = (weekday: number) =>
    hours.week.flatMap(({ day, from, to }) => {
      const [start, end] = [minutesOf(from), minutesOf(to)]
      if (day !== weekday || start === undefined || end === undefined) return []
      return [[start, end > start ? end : end + 24 * 60] as const]
    })
  const isClosed = (day: string) => closed.has(day) || isHoliday(day)
  const openings = openingsFrom({ timezone: hours.timezone, periodsOf, isClosed }, now, DISTINCT).toSorted(
    (one, other) => one.from - other.from,
  )
  const [first] = openings
  if (first === undefined) return { isOpen: false }
  if (first.from > now) return { isOpen: false, opens: first.from }
  // Periods that touch are one.
  let closes = first.to
  for (const { from, to } of openings) if (from <= closes && to > closes) closes = to
  return { isOpen: true, closes }
}

/**
 * Moment after `ms` of open time from a moment on; undefined: it does not come.
 * @throws RangeError for an unknown time zone
 */
export const afterOpenTime = (
  hours: Hours,
  isHoliday: (day: string) => boolean,
  from: number,
  ms: number,
): number | undefined => {
  let [at, rest] = [from, ms]
  for (let period = 0; period < MAX_PERIODS; period += 1) {
    const { isOpen, closes, opens } = openingOf(hours, isHoliday, at)
    if (!isOpen && opens === undefined) return undefined
    if (isOpen && (closes === undefined || closes - at >= rest)) return at + rest
    if (isOpen && closes !== undefined) rest -= closes - at
    at = closes ?? opens ?? at
  }
  return undefined
}
