/** Words of calendars in English, Portuguese and Spanish, folded. */
const MONTHS: readonly string[] = [
  'january|jan|janeiro|enero|ene',
  'february|feb|fevereiro|fev|febrero',
  'march|mar|marco|marzo',
  'april|apr|abril|abr',
  'may|maio|mai|mayo',
  'june|jun|junho|junio',
  'july|jul|julho|julio',
  'august|aug|agosto|ago',
  'september|sept|sep|setembro|set|septiembre|setiembre',
  'october|oct|outubro|out|octubre',
  'november|nov|novembro|noviembre',
  'december|dec|dezembro|dez|diciembre|dic',
]

/** Sunday first, as `Date` counts them. Spanish `mar` is the month alone. */
const WEEKDAYS: readonly string[] = [
  'sunday|sun|domingo|dom',
  'monday|mon|segunda|segunda-feira|segunda feira|2a feira|2ª feira|seg|lunes|lun',
  'tuesday|tues|tue|terca|terca-feira|terca feira|3a feira|3ª feira|ter|martes',
  'wednesday|wed|quarta|quarta-feira|quarta feira|4a feira|4ª feira|qua|miercoles|mie',
  'thursday|thurs|thur|thu|quinta|quinta-feira|quinta feira|5a feira|5ª feira|qui|jueves|jue',
  'friday|fri|sexta|sexta-feira|sexta feira|6a feira|6ª feira|sex|viernes|vie',
  'saturday|sat|sabado|sab',
]

/** Days from today. */
const RELATIVE: readonly (readonly [days: number, words: string])[] = [
  [0, 'today|hoje|hoy'],
  [1, 'tomorrow|amanha|manana'],
  [2, 'day after tomorrow|the day after tomorrow|depois de amanha|pasado manana'],
  [-1, 'yesterday|ontem|ayer'],
  [-2, 'day before yesterday|the day before yesterday|anteontem|antes de ontem|anteayer|antier'],
]

const places = (lists: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((words, place) => words.split('|').map(word => [word, place] as const)))

const BY_MONTH = places(MONTHS)
const BY_WEEKDAY = places(WEEKDAYS)
const BY_RELATIVE = new Map(RELATIVE.flatMap(([days, words]) => words.split('|').map(word => [word, days] as const)))

/** 1 to 12. */
export const monthNamed = (word: string): number | undefined => {
  const place = BY_MONTH.get(word)
  return place === undefined ? undefined : place + 1
}

/** 0 for Sunday to 6. */
export const weekdayNamed = (word: string): number | undefined => BY_WEEKDAY.get(word)

/** Days from today: 1 for tomorrow. */
export const daysFromToday = (word: string): number | undefined => BY_RELATIVE.get(word)

/** A day of the calendar; `month` from 1. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const DAY_MS = 86_400_000
/** A two-digit year is at most this far ahead, else in the hundred years before: 46 is 2046 in 2026, 47 is 1947. */
const YEARS_AHEAD = 20
const FIRST_YEAR = 1000
const LAST_YEAR = 9999

export const dayOf = (local: number): Day => {
  const date = new Date(local)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** ms since 1970 of its midnight, as if its clock were UTC. */
export const midnightOf = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day)

/** The day, where the calendar has it. */
export const existingDay = (year: number, month: number, day: number): Day | undefined => {
  if (year < FIRST_YEAR || year > LAST_YEAR) return undefined
  const back = dayOf(Date.UTC(year, month - 1, day))
  return back.month === month && back.day === day ? back : undefined
}

/** The next such day, today included; 29 February may be years away. */
const nextDay = (today: Day, month: number, day: number): Day | undefined => {
  const isPast = month < today.month || (month === today.month && day < today.day)
  // Eight years without a leap day lie around 1900 and 2100.
  for (let year = today.year + (isPast ? 1 : 0); year <= today.year + 9; year++) {
    const found = existingDay(year, month, day)
    if (found !== undefined) return found
  }
  return undefined
}

const fullYear = (figures: string, today: Day): number => {
  if (figures.length !== 2) return Number(figures)
  const year = today.year - (today.year % 100) + Number(figures)
  if (year > today.year + YEARS_AHEAD) return year - 100
  return year <= today.year + YEARS_AHEAD - 100 ? year + 100 : year
}

const dated = (today: Day, month: number, day: number, year: string | undefined): Day | undefined =>
  year === undefined ? nextDay(today, month, day) : existingDay(fullYear(year, today), month, day)

const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/u
const FIGURES = /^(\d{1,2})(?:([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?)$/u
const SPACED_FIGURES = /^(\d{1,2}) (\d{1,2}) (\d{4})$/u

/** The month comes first in the United States alone. */
const isMonthFirst = (locale: string): boolean => /^en-us(?:-|$)/iu.test(locale)

const dayInFigures = (text: string, today: Day, locale: string): Day | undefined => {
  const [, isoYear, , isoMonth, isoDay] = ISO.exec(text) ?? []
  if (isoYear !== undefined) return existingDay(Number(isoYear), Number(isoMonth), Number(isoDay))
  const [, a, , b, year] = FIGURES.exec(text) ?? []
  const [first, second, inYear] = a === undefined ? (SPACED_FIGURES.exec(text)?.slice(1) ?? []) : [a, b, year]
  if (first === undefined || second === undefined) return undefined
  const [day, month] = isMonthFirst(locale) ? [second, first] : [first, second]
  return dated(today, Number(month), Number(day), inYear)
}

const DAY_FIRST =
  /^(\d{1,2}|primeiro|primero)(?: ?(?:[ºo°]|st|nd|rd|th|er|ero))?(?: of | de |[ /.-])([a-z]{3,10})\.?(?:(?:, ?| de | del |[ /.-])(\d{4}|\d{2}))?$/u
const MONTH_FIRST = /^([a-z]{3,10})\.?[ /.-](?:the )?(\d{1,2})(?:st|nd|rd|th)?(?:(?:, ?|[ /.-])(\d{4}))?$/u

const dayInWords = (text: string, today: Day): Day | undefined => {
  const [, dayFirst, monthAfter, yearAfter] = DAY_FIRST.exec(text) ?? []
  const [, monthFirst, dayAfter, yearLast] = dayFirst === undefined ? (MONTH_FIRST.exec(text) ?? []) : []
  const month = monthNamed(monthAfter ?? monthFirst ?? '')
  const day = dayFirst ?? dayAfter
  if (month === undefined || day === undefined) return undefined
  return dated(today, month, day.startsWith('prim') ? 1 : Number(day), yearAfter ?? yearLast)
}

const weekdayOf = (day: Day): number => new Date(midnightOf(day)).getUTCDay()

const NEXT =
  /^(?:on the |(?:on |na |no |a |o |el )?(?:next |this |proxim[ao] )|on |na |no |nest[ae] |ness[ae] |est[ae] |el |o |a )|(?: que vem| que viene| proxim[ao])$/gu
const LAST = /^(?:(?:na |no |a |o |el )?(?:last |ultim[ao] ))|(?: passad[ao]| pasado)$/gu

/** A weekday is the next one, never today; `last` and its like the one before. */
const dayByWeekday = (text: string, today: Day): Day | undefined => {
  const isLast = text.replace(LAST, '') !== text
  const weekday = weekdayNamed(text.replace(LAST, '').replace(NEXT, ''))
  if (weekday === undefined) return undefined
  const ahead = (weekday - weekdayOf(today) + 7) % 7 || 7
  const days = isLast ? (ahead === 7 ? -7 : ahead - 7) : ahead
  return dayOf(midnightOf(today) + days * DAY_MS)
}

const INTRODUCED = /^(?:on the |on |no dia |em |dia |el dia |el |the )/u
const AFTER_WEEKDAY = /^([a-z]{3,9}(?:[- ]feira)?)(?:, ?| )(.+)$/u

/** A day without its weekday. */
const plainDay = (text: string, today: Day, locale: string): Day | undefined => {
  const days = daysFromToday(text)
  if (days !== undefined) return dayOf(midnightOf(today) + days * DAY_MS)
  const bare = text.replace(INTRODUCED, '')
  return dayInFigures(bare, today, locale) ?? dayInWords(bare, today)
}

/** The parts of a day that need no year: `maio de 2026`, `05/2026`. */
export const monthOfYear = (text: string): { readonly month: number; readonly year: number } | undefined => {
  const [, name, ofName] = /^([a-z]{3,10})\.?(?: de | del |[ /-])(\d{4})$/u.exec(text) ?? []
  const [, figures, ofFigures] = /^(\d{1,2})[/.-](\d{4})$/u.exec(text) ?? []
  const month = name === undefined ? Number(figures ?? 0) : (monthNamed(name) ?? 0)
  const year = Number(ofName ?? ofFigures ?? 0)
  return month >= 1 && month <= 12 && year >= FIRST_YEAR ? { month, year } : undefined
}

/**
 * The day that a folded line names, as seen from `today`: `2026-05-12`, `12/05`, `May 12`, `amanhã`, `sexta`. Undefined
 * for none, for one the calendar lacks, and where a weekday before it is not its own.
 */
export const parseDay = (text: string, today: Day, locale: string): Day | undefined => {
  const found = plainDay(text, today, locale) ?? dayByWeekday(text, today)
  if (found !== undefined) return found
  const [, name = '', rest = ''] = AFTER_WEEKDAY.exec(text) ?? []
  const weekday = weekdayNamed(name)
  const day = weekday === undefined ? undefined : plainDay(rest, today, locale)
  return day !== undefined && weekdayOf(day) === weekday ? day : undefined
}
