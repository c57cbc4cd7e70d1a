import type { DateUnit } from '#schemas/blocks/comparison.ts'
import type { Json } from '#schemas/event.ts'

/**
 * A moment as its clock shows it in a time zone: milliseconds as if that clock were UTC. So days, weeks and months are
 * those of the people there, and comparing needs no zone any more.
 */
type LocalTime = number

const DAY = 86_400_000
/** As far from 1970 as a date can be, in ms. */
const MAX_MOMENT = 8.64e15

const clocks = new Map<string, Intl.DateTimeFormat>()
const clockOf = (timezone: string): Intl.DateTimeFormat => {
  const held = clocks.get(timezone)
  if (held !== undefined) return held
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(timezone, made)
  return made
}

/** One text may name hundreds of dates, each of them read from the same moment on. */
let last = { moment: Number.NaN, timezone: '', local: 0 }

/** Local time of a time zone at a moment, in milliseconds since 1970. */
export const localTime = (moment: number, timezone: string): LocalTime => {
  if (moment !== last.moment || timezone !== last.timezone)
    last = { moment, timezone, local: readClock(moment, timezone) }
  return last.local
}

const readClock = (moment: number, timezone: string): LocalTime => {
  const parts = new Map(
    clockOf(timezone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const at = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'))
}

/** The first moment at which the clock of a time zone shows this, or the next that it does show where it is put forward. */
export const momentOf = (local: LocalTime, timezone: string): number => {
  const offset = (moment: number) => localTime(moment, timezone) - Math.floor(moment / 1000) * 1000
  const first = local - offset(local)
  const second = local - offset(first)
  const fits = [second, first].filter(moment => localTime(moment, timezone) === local)
  return fits.length > 0 ? Math.min(...fits) : Math.max(first, second)
}

const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/u
const PLAIN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/u

const assembled = (year: number, month: number, day: number, rest: readonly (string | undefined)[]) => {
  const [hour = 0, minute = 0, second = 0] = rest.map(part => Number(part ?? 0))
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(local)
  return back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
    ? local
    : undefined
}

/** A date as people and programs write it: with a zone a moment, without one what the clock shows; undefined for none. */
export const readDate = (value: Json | undefined, timezone: string): LocalTime | undefined => {
  if (typeof value === 'number') return Math.abs(value) <= MAX_MOMENT - DAY ? localTime(value, timezone) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  const [, day, month, year, ...clock] = BRAZILIAN.exec(text) ?? []
  if (year !== undefined) return assembled(Number(year), Number(month), Number(day), clock)
  const [, y, m, d, ...time] = PLAIN.exec(text) ?? []
  if (y !== undefined) return assembled(Number(y), Number(m), Number(d), time)
  if (!/^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:?\d{2})$/u.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : localTime(moment, timezone)
}

const startOfDay = (local: LocalTime): LocalTime => Math.floor(local / DAY) * DAY

/** Beginning of the unit that contains a time. A week begins on Sunday, an ISO week on Monday. */
export const startOf = (local: LocalTime, unit: DateUnit): LocalTime => {
  const date = new Date(local)
  switch (unit) {
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0, 1)
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
    case 'day':
      return startOfDay(local)
    case 'week':
      return startOfDay(local) - date.getUTCDay() * DAY
    case 'isoWeek':
      return startOfDay(local) - ((date.getUTCDay() + 6) % 7) * DAY
    case 'hour':
      return Math.floor(local / 3_600_000) * 3_600_000
    case 'minute':
      return Math.floor(local / 60_000) * 60_000
    case 'second':
      return Math.floor(local / 1000) * 1000
    default:
      return unit satisfies never
  }
}

/** Distance in units from `now` to `local`: 0 the same, -1 the one before. */
export const unitsFrom = (local: LocalTime, now: LocalTime, unit: 'day' | 'week' | 'month' | 'year'): number => {
  const [a, b] = [new Date(local), new Date(now)]
  const years = a.getUTCFullYear() - b.getUTCFullYear()
  if (unit === 'year') return years
  if (unit === 'month') return years * 12 + a.getUTCMonth() - b.getUTCMonth()
  return Math.round((startOf(local, unit) - startOf(now, unit)) / (unit === 'week' ? 7 * DAY : DAY))
}
