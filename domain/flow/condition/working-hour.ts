import { WEEKDAYS } from '#schemas/blocks/common-fields.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, own, textOf } from '#schemas/json.ts'
import { localTime, momentOf } from './condition-date.ts'

/** A time of opening, in milliseconds since 1970, and of closing. */
interface Opening {
  readonly from: number
  readonly to: number
}

const MINUTE = 60_000
const DAY = 86_400_000
/** No opening within this many days counts as closed. */
const FURTHEST = 400

/** Minutes since midnight of HH:mm; undefined for anything else. */
export const minutesOf = (clock: string): number | undefined => {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/u.exec(clock) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}

/** Opening and closing of a weekday (0 is Sunday) in minutes since midnight, closing after midnight above 1440. */
const hoursOf = (properties: JsonObject, weekday: number): readonly [from: number, to: number] | undefined => {
  const day = WEEKDAYS[weekday] ?? 'sunday'
  const days = own(properties, 'hours')
  const held = isObject(days) ? own(days, day) : undefined
  const mine = isObject(held) ? held : {}
  const closed = own(mine, 'closed') ?? (day === 'saturday' || day === 'sunday')
  if (closed === true) return undefined
  const from = minutesOf(textOf(own(mine, 'startTime')) || textOf(own(properties, 'startTime')))
  const to = minutesOf(textOf(own(mine, 'endTime')) || textOf(own(properties, 'endTime')))
  if (from === undefined || to === undefined || from === to) return undefined
  return [from, to > from ? to : to + 24 * 60]
}

/** Days, as YYYY-MM-DD, that a person put down as holidays. */
const specificOf = (properties: JsonObject): ReadonlySet<string> => {
  const days = own(properties, 'specificHolidaysMenu') === true ? own(properties, 'specificHolidays') : undefined
  return new Set((Array.isArray(days) ? days : []).flatMap(item => (isObject(item) ? textOf(own(item, 'date')) : [])))
}

/** Opening times in local days. */
interface LocalHours {
  readonly timezone: string
  /** Periods of a weekday (0 is Sunday), in minutes since its midnight; one over midnight ends above 1440. */
  readonly periodsOf: (weekday: number) => readonly (readonly [from: number, to: number])[]
  /** Gets a day as YYYY-MM-DD. */
  readonly isClosed: (day: string) => boolean
}

/**
 * At least `count` openings where there are as many, day by day, the present one first.
 * @throws RangeError for an unknown time zone
 */
export const openingsFrom = (
  { timezone, periodsOf, isClosed }: LocalHours,
  now: number,
  count: number,
): readonly Opening[] => {
  const today = Math.floor(localTime(now, timezone) / DAY) * DAY
  const openings: Opening[] = []
  // Yesterday's may last beyond midnight.
  for (let day = today - DAY; openings.length < count && day < today + FURTHEST * DAY; day += DAY) {
    if (isClosed(new Date(day).toISOString().slice(0, 10))) continue
    for (const period of periodsOf(new Date(day).getUTCDay())) {
      const [from, to] = period.map(minutes => momentOf(day + minutes * MINUTE, timezone))
      if (from !== undefined && to !== undefined && to > now) openings.push({ from, to })
    }
  }
  return openings
}

/** The next openings of a working-hour block. `isHoliday` gets a day as YYYY-MM-DD. */
export const nextOpenings = (
  properties: JsonObject,
  isHoliday: (day: string) => boolean,
  now: number,
  count: number,
): readonly Opening[] => {
  const specific = specificOf(properties)
  const hours = {
    timezone: textOf(own(properties, 'timezone')) || 'America/Sao_Paulo',
    periodsOf: (weekday: number) => [hoursOf(properties, weekday)].filter(period => period !== undefined),
    isClosed: (day: string) => specific.has(day) || isHoliday(day),
  }
  return openingsFrom(hours, now, count)
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
])
/** The last moment that a date can name. */
const LAST = 8_640_000_000_000_000

/** When what is scheduled at a moment runs, both in milliseconds since 1970; undefined where it never does. */
export const runAfter = (moment: number, unit: string, quantity: number): number | undefined => {
  const run = moment + (UNITS.get(unit) ?? Number.NaN) * quantity
  return quantity >= 1 && run <= LAST ? run : undefined
}
