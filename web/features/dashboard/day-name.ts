import { timeIn } from '#web/format/time.ts'

/** Noon of São Paulo: the same day in the zone in which days are written. */
const noon = (day: string): Date => new Date(`${day}T15:00:00Z`)

/** Saturday or Sunday. */
export const isWeekend = (day: string): boolean => [0, 6].includes(noon(day).getUTCDay())

/** `19/11`. */
export const shortDay = (day: string): string => `${day.slice(8)}/${day.slice(5, 7)}`

/** Thursday, 19/11/2026, the weekday in the reader's language. */
export const dayName = (day: string, language: string): string =>
  timeIn(language, { weekday: 'long', day: '2-digit', month: '2-digit', year: 'numeric' }).format(noon(day))
