import i18next from 'i18next'
import { dayOf, minuteOf } from '#web/format/time.ts'

const ZONE = 'America/Sao_Paulo'
const HOUR = 3_600_000

const named = (style: 'long' | 'short', language: string) =>
  new Intl.DateTimeFormat(language, { timeZone: ZONE, weekday: style })

const days = new Map<number, string>()

/** The day of a moment, as `dd/mm/yyyy`; remembered by the hour, since thousands of moments ask. */
export const dayKey = (time: number): string => {
  const hour = Math.floor(time / HOUR)
  const known = days.get(hour)
  if (known !== undefined) return known
  const day = dayOf(new Date(hour * HOUR).toISOString())
  days.set(hour, day)
  return day
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1).replace(/\.$/u, '')}`
const shortDay = (time: string) => dayKey(Date.parse(time)).slice(0, 5)

/** `Thursday 19/11`, `Quinta-feira 19/11`. */
export const weekdayOf = (time: string, style: 'long' | 'short' = 'long'): string =>
  `${capital(named(style, i18next.language).format(new Date(time)))} ${shortDay(time)}`

/** `Thursday 19/11 at 16:42`, to stand inside a sentence. */
export const momentOf = (time: string): string => {
  const day = `${named('long', i18next.language).format(new Date(time))} ${shortDay(time)}`
  return i18next.t('history:flow.moment', { day, time: minuteOf(time) })
}

export const isToday = (time: string, now = Date.now()): boolean => dayKey(Date.parse(time)) === dayKey(now)

export { minuteOf }
