import { localTime, momentOf } from '../flow/condition/condition-date.ts'
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

const MINUTE = 60_000
const DAY = 86_400_000

/** Opening hours of a queue when a chat was added to it. An empty week is always open. */
export interface QueueHours {
  readonly timezone: string
  /** Day 0 is Sunday. */
  readonly week: readonly { readonly day: number; readonly from: string; readonly to: string }[]
  /** Holidays and other closed days of the next weeks, as YYYY-MM-DD. */
  readonly closed: readonly string[]
}

const periodsIn = ({ timezone, week, closed }: QueueHours, from: number, to: number) => {
  const first = Math.floor(localTime(from, timezone) / DAY) * DAY - DAY
  const last = localTime(to, timezone)
  const periods: { from: number; to: number }[] = []
  for (let day = first; day <= last; day += DAY) {
    const date = new Date(day)
    if (closed.includes(date.toISOString().slice(0, 10))) continue
    for (const period of week) {
      if (period.day !== date.getUTCDay()) continue
      const [start, end] = [minutesOf(period.from), minutesOf(period.to)]
      if (start === undefined || end === undefined) continue
      const opens = momentOf(day + start * MINUTE, timezone)
      const closes = momentOf(day + (end > start ? end : end + 24 * 60) * MINUTE, timezone)
      if (opens !== undefined && closes !== undefined) periods.push({ from: opens, to: closes })
    }
  }
  return periods.toSorted((one, other) => one.from - other.from)
}

/** Days before and after a moment whose holidays are kept with a chat. */
const DAYS_BEFORE = 1
const DAYS_AFTER = 30

interface QueueWeek {
  readonly timezone: string
  readonly week: readonly { readonly day: number | null; readonly from: string; readonly to: string }[]
  readonly specific_dates: readonly { readonly date: string }[]
}

/** Hours of a queue to keep with a chat; undefined for one that is always open, and for an unknown time zone. */
export const keptHours = (
  { timezone, week, specific_dates: dates }: QueueWeek,
  isHoliday: (day: string) => boolean,
  now: number,
): QueueHours | undefined => {
  if (week.length === 0 || !isTimezone(timezone)) return undefined
  const closed = new Set(dates.map(({ date }) => date))
  const today = Math.floor(localTime(now, timezone) / DAY) * DAY
  const days = Array.from({ length: DAYS_BEFORE + DAYS_AFTER + 1 }, (_, place) =>
    new Date(today + (place - DAYS_BEFORE) * DAY).toISOString().slice(0, 10),
  )
  return {
    timezone,
    week: week.map(({ day, from, to }) => ({ day: day ?? 0, from, to })),
    closed: days.filter(day => closed.has(day) || isHoliday(day)),
  }
}

const isTimezone = (timezone: string): boolean => {
  try {
    localTime(0, timezone)
    return true
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}

/** ms of an interval that lie inside the hours. Periods that overlap count once. */
export const insideMs = (hours: QueueHours | undefined, from: number, to: number): number => {
  if (to <= from) return 0
  if (hours === undefined || hours.week.length === 0 || !isTimezone(hours.timezone)) return to - from
  let inside = 0
  let counted = from
  for (const period of periodsIn(hours, from, to)) {
    const start = Math.max(counted, period.from)
    const end = Math.min(to, period.to)
    if (end <= start) continue
    inside += end - start
    counted = end
  }
  return inside
}
