import i18next from 'i18next'

const ZONE = 'America/Sao_Paulo'
const format = (options: Intl.DateTimeFormatOptions, language = 'pt-BR') =>
  new Intl.DateTimeFormat(language, { timeZone: ZONE, ...options })

/** Formats days and times for a language: day before month, 24 hours, in `ZONE` by default. */
export const timeIn = (language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  format(options, language === 'en' ? 'en-GB' : language)

const DAY = format({ day: '2-digit', month: '2-digit', year: 'numeric' })
const MINUTE = format({ hour: '2-digit', minute: '2-digit' })
const SECOND = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A moment, or a day (`2026-11-19`) at noon in `ZONE`. */
const dateOf = (time: string): Date => new Date(time.length === 'yyyy-mm-dd'.length ? `${time}T15:00:00Z` : time)

/** The day of a moment, or a day: 19/11/2026, in every language. */
export const dayOf = (time: string): string => DAY.format(dateOf(time))
export const minuteOf = (time: string): string => MINUTE.format(new Date(time))
export const secondOf = (time: string): string => SECOND.format(new Date(time))
/** 19/11/2026 16:42, in every language. */
export const momentOf = (time: string): string => `${dayOf(time)} ${minuteOf(time)}`

/** Friday 20/11/2026, the weekday in the reader's language. */
export const longDayOf = (time: string): string => {
  const weekday = format({ weekday: 'long' }, i18next.language).format(dateOf(time))
  return `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${dayOf(time)}`
}

const ISO_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE })

/** The day of a moment (ms since 1970) in `ZONE`, `2026-11-19`. */
export const isoDayOf = (time: number): string => ISO_DAY.format(time)

const startOfDay = (time: string) => DAY.format(new Date(time))

/** Relative under 24 hours, else the day and time; the exact time belongs in a tooltip. */
export const agoOf = (time: string, now = Date.now()): string => {
  const minutes = Math.round((now - Date.parse(time)) / 60_000)
  if (minutes < 1) return i18next.t('shell:time.now')
  if (minutes < 60) return i18next.t('shell:time.minutes', { count: minutes })
  if (minutes < 360) return i18next.t('shell:time.hours', { count: Math.round(minutes / 60) })
  const today = startOfDay(new Date(now).toISOString())
  if (startOfDay(time) === today) return i18next.t('shell:time.today', { time: minuteOf(time) })
  const yesterday = startOfDay(new Date(now - 86_400_000).toISOString())
  if (startOfDay(time) === yesterday) return i18next.t('shell:time.yesterday', { time: minuteOf(time) })
  return dayOf(time)
}

/** `120 ms`, `8.4 s`, `2 min 14 s`, `1 h 5 min`, with the decimal sign of the reader's language. */
export const durationOf = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toLocaleString(i18next.language, { maximumFractionDigits: 1 })} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const OFFSET = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, timeZoneName: 'longOffset' })

/** The offset of `ZONE` at a time: `-03:00`. */
const offsetAt = (time: Date): string =>
  OFFSET.formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.slice('GMT'.length) || '+00:00'

/** First and last millisecond of a day (`2026-11-19`) in `ZONE`, in UTC. */
export const dayBounds = (day: string): { readonly first: string; readonly last: string } => {
  const offset = offsetAt(new Date(`${day}T12:00:00Z`))
  const utc = (clock: string) => new Date(`${day}T${clock}${offset}`).toISOString()
  return { first: utc('00:00:00.000'), last: utc('23:59:59.999') }
}
