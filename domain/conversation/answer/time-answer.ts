import { localTime } from '#domain/flow/condition/condition-date.ts'
import { folded } from '#schemas/fold-text.ts'
import { type AnswerPlace, type AnswerResult, INVALID, lineOf, validUnless } from './answer-result.ts'
import { type Day, dayOf, existingDay, midnightOf, monthNamed, monthOfYear, parseDay } from './day-answer.ts'

/** A time of day. */
interface Clock {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const NAMED: ReadonlyMap<string, number> = new Map([
  ...['noon', 'midday', 'meio-dia', 'meio dia', 'mediodia', 'medio dia'].map(word => [word, 12] as const),
  ...['midnight', 'meia-noite', 'meia noite', 'medianoche', 'media noche'].map(word => [word, 0] as const),
])

/** Which half of the day words mean; the evening of some is the night of others, all of it is after noon. */
const MORNING = /^(?:am|in the morning|da manha|da madrugada|de la manana|de la madrugada)$/u
const AFTERNOON =
  /^(?:pm|in the afternoon|in the evening|at night|da tarde|da noite|de la tarde|de la noche|por la tarde|por la noche)$/u

const NIGHT = /noite|noche|night/u

const INTRODUCED = /^(?:at |as |a las |a la |ao |al |a |la |las |por volta das |around )/u
const WITH_MINUTES =
  /^(\d{1,2})(:| ?h ?|h:| horas e | hours and | horas y | horas con )(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?(h|hs|hrs?|horas?|hours?|min|mins|minutos|minutes|m))?(?: (.+))?$/u
const HOURS = /^(\d{1,2})(?: ?(h|hs|hrs?|horas?|hours?|o'clock|oclock|en punto|em ponto))?(?: (.+))?$/u
const DOTTED = /^(\d{1,2})\.(\d{2})(?: ([ap]m))?$/u

/** am and pm as one word with a space before it. */
const withHalf = (text: string): string => text.replace(/(?<=[\dh]) ?([ap])\.? ?m\.?$/u, ' $1m')

/** 12 at night is midnight, 12 pm and 12 in the afternoon are noon; 15h in the afternoon says it twice. */
const hourOf = (hour: number, half: string | undefined): number | undefined => {
  if (half === undefined) return hour
  if (MORNING.test(half)) return hour <= 12 ? hour % 12 : undefined
  if (!AFTERNOON.test(half) || hour === 0) return undefined
  if (hour === 12) return NIGHT.test(half) ? 0 : 12
  return hour < 12 ? hour + 12 : hour
}

const clockOf = (hour: number, minute: number, second: number, half: string | undefined): Clock | undefined => {
  const of24 = hourOf(hour, half)
  return of24 !== undefined && of24 < 24 && minute < 60 && second < 60 ? { hour: of24, minute, second } : undefined
}

/**
 * A bare number is an hour only after a word that says so, and of 24 hours: `às 8`, `a las 15`. English means two by
 * `at 8`, so that it takes `at 15` alone.
 */
const isHour = (hour: number, text: string): boolean =>
  /^(?:as|a las|a la) /u.test(text) || (INTRODUCED.test(text) && hour > 12)

/**
 * The time of day that a folded line names: `14:30`, `14h30`, `14h`, `2pm`, `2:30 p.m.`, `3 da tarde`, `noon`. Undefined
 * for none. `dotted` reads `14.30` too, which can be a date elsewhere.
 */
const clockIn = (text: string, dotted = false): Clock | undefined => {
  const bare = withHalf(text).replace(INTRODUCED, '')
  const named = NAMED.get(bare)
  if (named !== undefined) return { hour: named, minute: 0, second: 0 }
  const [, hour, mark = '', minute, second, unit = '', half] = WITH_MINUTES.exec(bare) ?? []
  // 10h 11h are two times.
  if (hour !== undefined && mark.includes('h') && unit.startsWith('h')) return undefined
  if (hour !== undefined) return clockOf(Number(hour), Number(minute), Number(second ?? 0), half)
  const [, dottedHour, dottedMinute, dottedHalf] = DOTTED.exec(bare) ?? []
  if (dottedHour !== undefined)
    return dotted || dottedHalf !== undefined
      ? clockOf(Number(dottedHour), Number(dottedMinute), 0, dottedHalf)
      : undefined
  const [, full, hours, part] = HOURS.exec(bare) ?? []
  if (full === undefined || (hours === undefined && part === undefined && !isHour(Number(full), text))) return undefined
  return clockOf(Number(full), 0, 0, part)
}

/** Of a place that names no time zone. */
const DEFAULT_TIMEZONE = 'America/Sao_Paulo'
const DAY_MS = 86_400_000

/** Local time of the place; undefined for an invalid moment. */
const localNow = ({ now, timezone }: AnswerPlace, moment = now): number | undefined => {
  for (const zone of [timezone, DEFAULT_TIMEZONE]) {
    try {
      return localTime(moment, zone)
    } catch {
      // An unknown zone: the default one.
    }
  }
  return undefined
}

const clockAt = (local: number): Clock => {
  const date = new Date(local)
  return { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }
}

/** Day and time named in a text. */
interface NamedTime {
  readonly day?: Day
  readonly clock?: Clock
}

const ZONED = /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(z|[+-]\d{2}:?\d{2})$/u

/** A moment with its zone, on the clock of the place. */
const zonedTime = (text: string, place: AnswerPlace): NamedTime | undefined => {
  const [, year, month, day, clock, zone = ''] = ZONED.exec(text) ?? []
  if (existingDay(Number(year), Number(month), Number(day)) === undefined) return undefined
  const offset = zone.replace(/^([+-]\d{2}):?(\d{2})$/u, '$1:$2').toUpperCase()
  const moment = Date.parse(`${year}-${month}-${day}T${clock}${offset}`)
  const local = Number.isNaN(moment) ? undefined : localNow(place, moment)
  return local === undefined ? undefined : { day: dayOf(local), clock: clockAt(local) }
}

const NOW = new Set(['now', 'right now', 'agora', 'agora mesmo', 'ahora', 'ahora mismo'])
const TRAILING = /(?:,| de| do| da| del| on| no| na)$/u
const LEADING = /^(?:, ?|de |do |da |del )/u

/** A day and a time, in either order, or one of them. */
const namedTime = (text: string, local: number, place: AnswerPlace, dotted: boolean): NamedTime => {
  const today = dayOf(local)
  if (NOW.has(text)) return { day: today, clock: clockAt(local) }
  const zoned = zonedTime(text, place)
  if (zoned !== undefined) return zoned
  const clock = clockIn(text, dotted)
  if (clock !== undefined) return { clock }
  const day = parseDay(text, today, place.locale)
  if (day !== undefined) return { day }
  const words = text.replace(/^(\d{4}-\d{2}-\d{2})t(?=\d)/u, '$1 ').split(' ')
  for (let at = 1; at < words.length; at++) {
    const before = words.slice(0, at).join(' ').replace(TRAILING, '')
    const after = words.slice(at).join(' ').replace(LEADING, '')
    const [dayBefore, clockAfter] = [parseDay(before, today, place.locale), clockIn(after)]
    if (dayBefore !== undefined && clockAfter !== undefined) return { day: dayBefore, clock: clockAfter }
    const [clockBefore, dayAfter] = [clockIn(before), parseDay(after, today, place.locale)]
    if (clockBefore !== undefined && dayAfter !== undefined) return { day: dayAfter, clock: clockBefore }
  }
  return {}
}

const two = (value: number): string => String(value).padStart(2, '0')
const dateText = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`
const timeText = ({ hour, minute }: Clock): string => `${two(hour)}:${two(minute)}`

const secondsOf = ({ hour, minute, second }: Clock): number => hour * 3600 + minute * 60 + second

/** A time without a day is the next such one, a day without a time begins at midnight. */
const datetimeText = ({ day, clock }: NamedTime, local: number): string | undefined => {
  if (day === undefined && clock === undefined) return undefined
  const at = clock ?? { hour: 0, minute: 0, second: 0 }
  // The minute that is running is not past.
  const isPast = secondsOf(at) < Math.floor(secondsOf(clockAt(local)) / 60) * 60
  const on = day ?? dayOf(midnightOf(dayOf(local)) + (isPast ? DAY_MS : 0))
  return `${dateText(on)}T${timeText(at)}:${two(at.second)}`
}

const inRange = (figures: string | undefined, least: number, most: number): number | undefined => {
  const value = Number(figures ?? Number.NaN)
  return value >= least && value <= most ? value : undefined
}

const dayPart = (text: string): number | undefined =>
  inRange(/^(?:dia |day |el |the )*(\d{1,2})(?:[ºo°]|st|nd|rd|th)?$/u.exec(text)?.[1], 1, 31)

const monthPart = (text: string): number | undefined => {
  const name = text.replace(/^(?:mes de |mes |month of |month |em |in |en )/u, '').replace(/\.$/u, '')
  return monthNamed(name) ?? inRange(/^(\d{1,2})$/u.exec(name)?.[1], 1, 12) ?? monthOfYear(name)?.month
}

const yearPart = (text: string): number | undefined =>
  inRange(/^(?:ano de |ano |year |em |in |en )?(\d{4})$/u.exec(text)?.[1], 1000, 9999) ?? monthOfYear(text)?.year

/**
 * A time as people write it in English, Portuguese and Spanish, in the local time of the place: ISO 8601, 12/05[/2026]
 * (the month first for en-US alone), 14:30, 14h30, 2pm, tomorrow, weekdays, 12 de maio. Without a year or day, the next
 * match. Stored by `dateExtractType`: date YYYY-MM-DD, time HH:mm, datetime YYYY-MM-DDTHH:mm:ss without a zone, day,
 * month and year as numbers; any other is a date.
 */
export const readTime = (said: string, dateExtractType: string, place: AnswerPlace): AnswerResult<string | number> => {
  const text = folded(lineOf(said)).replace(/[.!]$/u, '')
  const local = localNow(place)
  if (text === '' || local === undefined) return INVALID
  const named = (): NamedTime => namedTime(text, local, place, dateExtractType === 'time')
  switch (dateExtractType) {
    case 'time': {
      const { clock } = named()
      return validUnless(clock === undefined ? undefined : timeText(clock))
    }
    case 'datetime':
      return validUnless(datetimeText(named(), local))
    case 'day':
      return validUnless(dayPart(text) ?? named().day?.day)
    case 'month':
      return validUnless(monthPart(text) ?? named().day?.month)
    case 'year':
      return validUnless(yearPart(text) ?? named().day?.year)
    default: {
      const { day } = named()
      return validUnless(day === undefined ? undefined : dateText(day))
    }
  }
}
