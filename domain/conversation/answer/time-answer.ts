import { localTime } from '#domain/flow/condition/condition-date.ts'
import { folded } from '#domain/fold-text.ts'
import type { Json } from '#schemas/event.ts'
import { type AnswerPlace, type Read, read, UNREAD } from './answer-place.ts'

const DAY_MS = 86_400_000
const MAX_LENGTH = 100

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}
interface Clock {
  readonly hour: number
  readonly minute: number
}

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'janeiro', 'enero', 'ene'],
  ['february', 'feb', 'fevereiro', 'fev', 'febrero'],
  ['march', 'mar', 'marco', 'marzo'],
  ['april', 'apr', 'abril', 'abr'],
  ['may', 'maio', 'mai', 'mayo'],
  ['june', 'jun', 'junho', 'junio'],
  ['july', 'jul', 'julho', 'julio'],
  ['august', 'aug', 'agosto', 'ago'],
  ['september', 'sep', 'sept', 'setembro', 'set', 'septiembre', 'setiembre'],
  ['october', 'oct', 'outubro', 'out', 'octubre'],
  ['november', 'nov', 'novembro', 'noviembre'],
  ['december', 'dec', 'dezembro', 'dez', 'diciembre', 'dic'],
]

/** Sunday first, as `Date` counts them. */
const WEEKDAYS: readonly (readonly string[])[] = [
  ['sunday', 'sun', 'domingo', 'dom'],
  ['monday', 'mon', 'segunda', 'segunda-feira', 'seg', 'lunes'],
  ['tuesday', 'tue', 'terca', 'terca-feira', 'ter', 'martes'],
  ['wednesday', 'wed', 'quarta', 'quarta-feira', 'qua', 'miercoles'],
  ['thursday', 'thu', 'quinta', 'quinta-feira', 'qui', 'jueves'],
  ['friday', 'fri', 'sexta', 'sexta-feira', 'sex', 'viernes'],
  ['saturday', 'sat', 'sabado', 'sab'],
]

const DAYS_AWAY: Readonly<Record<string, number>> = {
  today: 0,
  hoje: 0,
  hoy: 0,
  tomorrow: 1,
  amanha: 1,
  manana: 1,
  yesterday: -1,
  ontem: -1,
  ayer: -1,
  'day after tomorrow': 2,
  'depois de amanha': 2,
  'pasado manana': 2,
}

const dayOf = (local: number): Day => {
  const date = new Date(local)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const existing = (year: number, month: number, day: number): Day | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  date.setUTCFullYear(year)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000 && year <= 9999
    ? { year, month, day }
    : undefined
}

const fullYear = (written: string): number => (written.length === 2 ? 2000 + Number(written) : Number(written))

/** The next day of this month and day, today included; the 29th of February waits for its year. */
const nextDay = (today: Day, month: number, day: number): Day | undefined => {
  const isLater = month > today.month || (month === today.month && day >= today.day)
  const first = isLater ? today.year : today.year + 1
  for (let year = first; year < first + 8; year++) {
    const found = existing(year, month, day)
    if (found !== undefined) return found
  }
  return undefined
}

const monthNamed = (word: string): number => MONTHS.findIndex(names => names.includes(word)) + 1

const dayInFigures = (text: string, today: Day, locale: string): Day | undefined => {
  const [, y, m, d] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/u.exec(text) ?? []
  if (y !== undefined) return existing(Number(y), Number(m), Number(d))
  const [, first, second, year] = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$/u.exec(text) ?? []
  if (first === undefined || second === undefined) return undefined
  const [day, month] = /^en-us$/iu.test(locale) ? [Number(second), Number(first)] : [Number(first), Number(second)]
  return year === undefined ? nextDay(today, month, day) : existing(fullYear(year), month, day)
}

const dayInWords = (text: string, today: Day): Day | undefined => {
  const dayFirst =
    /^(\d{1,2})(?:º|o|st|nd|rd|th)?\s+(?:de\s+|of\s+)?([a-z]+)\.?(?:,?\s+(?:de\s+|del\s+)?(\d{4}))?$/u.exec(text)
  const monthFirst = /^([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?$/u.exec(text)
  const [day, name, year] =
    dayFirst !== null ? dayFirst.slice(1) : monthFirst !== null ? [monthFirst[2], monthFirst[1], monthFirst[3]] : []
  const month = monthNamed(name ?? '')
  if (month === 0 || day === undefined) return undefined
  return year === undefined ? nextDay(today, month, Number(day)) : existing(Number(year), month, Number(day))
}

const dayByName = (text: string, local: number): Day | undefined => {
  if (Object.hasOwn(DAYS_AWAY, text)) return dayOf(local + (DAYS_AWAY[text] ?? 0) * DAY_MS)
  const word = text.replace(/^(?:next|on|na|no|el|proxima|proximo)\s+/u, '')
  const weekday = WEEKDAYS.findIndex(names => names.includes(word))
  if (weekday === -1) return undefined
  const away = (weekday - new Date(local).getUTCDay() + 7) % 7
  return dayOf(local + (away === 0 ? 7 : away) * DAY_MS)
}

const readDay = (text: string, local: number, locale: string): Day | undefined => {
  const today = dayOf(local)
  return dayInFigures(text, today, locale) ?? dayInWords(text, today) ?? dayByName(text, local)
}

const clock = (hour: number, minute: number, half?: string): Clock | undefined => {
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const of24 = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  return of24 < 24 && minute < 60 ? { hour: of24, minute } : undefined
}

const readClock = (text: string): Clock | undefined => {
  if (/^(?:noon|meio-dia|meio dia|mediodia)$/u.test(text)) return { hour: 12, minute: 0 }
  if (/^(?:midnight|meia-noite|meia noite|medianoche)$/u.test(text)) return { hour: 0, minute: 0 }
  const [, hour, minute, half] =
    /^(\d{1,2})[:h](\d{2})?(?::\d{2}(?:\.\d+)?)?(?:min|m|hrs?|hs?)?\s*([ap]m)?$/u.exec(text) ?? []
  if (hour !== undefined) return clock(Number(hour), Number(minute ?? 0), half)
  const [, bare, mark] = /^(\d{1,2})\s*(am|pm|h|hrs?|hs|horas?|hours?)$/u.exec(text) ?? []
  if (bare === undefined) return undefined
  return clock(Number(bare), 0, mark === 'am' || mark === 'pm' ? mark : undefined)
}

const two = (value: number): string => String(value).padStart(2, '0')
const dayText = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`
const clockText = ({ hour, minute }: Clock): string => `${two(hour)}:${two(minute)}`

/** A day and a clock, in either order, or one of them. */
const bothIn = (text: string, local: number, locale: string): { readonly day?: Day; readonly clock?: Clock } => {
  const day = readDay(text, local, locale)
  if (day !== undefined) return { day }
  const alone = readClock(text)
  if (alone !== undefined) return { clock: alone }
  // White space is single by now.
  const words = text.replaceAll(/ (?:as|at|a las|a la|,) |, ?|t(?=\d{2}:)/gu, ' ').split(' ')
  for (let at = 1; at < words.length; at++) {
    const [before, after] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
    const [dayBefore, clockAfter] = [readDay(before, local, locale), readClock(after)]
    if (dayBefore !== undefined && clockAfter !== undefined) return { day: dayBefore, clock: clockAfter }
    const [clockBefore, dayAfter] = [readClock(before), readDay(after, local, locale)]
    if (clockBefore !== undefined && dayAfter !== undefined) return { day: dayAfter, clock: clockBefore }
  }
  return {}
}

const monthIn = (text: string): number | undefined => {
  const named = monthNamed(text)
  if (named > 0) return named
  const number = /^\d{1,2}$/u.test(text) ? Number(text) : 0
  return number >= 1 && number <= 12 ? number : undefined
}

const partOf = (part: string, text: string, local: number, locale: string): number | undefined => {
  const day = readDay(text, local, locale)
  const number = /^\d{1,4}$/u.test(text) ? Number(text) : undefined
  if (part === 'year') return text.length === 4 && number !== undefined && number >= 1000 ? number : day?.year
  if (part === 'month') return monthIn(text) ?? day?.month
  return number !== undefined && text.length <= 2 && number >= 1 && number <= 31 ? number : day?.day
}

/**
 * A date, a time or a part of one, as people write it in English, Portuguese and Spanish (RUNTIME 39). A day without a
 * year and a weekday are the next one; 3/4 is the third of April, but for en-US. Dates are kept as YYYY-MM-DD, times as
 * HH:mm, both as local ISO 8601 without a zone, parts as numbers.
 */
export const readTime = (said: string, wanted: string, { locale, now, timezone }: AnswerPlace): Read<Json> => {
  const text = folded(said).trim().replaceAll(/\s+/gu, ' ')
  if (text === '' || text.length > MAX_LENGTH) return UNREAD
  const local = localTime(now, timezone)
  if (wanted === 'day' || wanted === 'month' || wanted === 'year') {
    const part = partOf(wanted, text, local, locale)
    return part === undefined ? UNREAD : read(part)
  }
  const { day, clock: at } = bothIn(text, local, locale)
  if (wanted === 'time') return at === undefined ? UNREAD : read(clockText(at))
  if (wanted !== 'datetime') return day === undefined ? UNREAD : read(dayText(day))
  if (at === undefined) return UNREAD
  return read(`${dayText(day ?? dayOf(local))}T${clockText(at)}:00`)
}
