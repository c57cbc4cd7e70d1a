import { type ChoosableDays, isChoosable } from '#domain/conversation/message.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** A day of the local calendar as `YYYY-MM-DD`. */
export const isoOf = (day: Date): string => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`

/** Days that are looked at for one that can be chosen. */
const MAX_AHEAD = 800

/** The day itself, else the next one that can be chosen; the day itself again where there is none. */
export const firstSelectableDay = (today: Date, days: ChoosableDays | undefined): Date => {
  const begins = days?.from ?? days?.only?.find(day => day >= isoOf(today)) ?? ''
  const from = begins > isoOf(today) ? new Date(`${begins}T00:00`) : today
  for (let ahead = 0; ahead < MAX_AHEAD; ahead += 1) {
    const day = new Date(from.getFullYear(), from.getMonth(), from.getDate() + ahead)
    if (isChoosable(isoOf(day), days)) return day
  }
  return from
}

/** The weeks of a month, Sunday first; null outside of it. */
export const weeksOf = (year: number, month: number): readonly (readonly (Date | null)[])[] => {
  const before = new Date(year, month, 1).getDay()
  const days = new Date(year, month + 1, 0).getDate()
  const cells = Array.from({ length: Math.ceil((before + days) / 7) * 7 }, (_, at) => {
    const day = at - before + 1
    return day < 1 || day > days ? null : new Date(year, month, day)
  })
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Another day by a key; undefined for a key that moves nothing. */
export const dayByKey = (day: Date, key: string): Date | undefined => {
  const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate()]
  const by = KEYS[key]
  if (by !== undefined) return new Date(year, month, date + by)
  // Not into the month after next: January 31st goes to the last of February.
  const inMonth = (other: number) => new Date(year, other, Math.min(date, new Date(year, other + 1, 0).getDate()))
  if (key === 'PageUp') return inMonth(month - 1)
  if (key === 'PageDown') return inMonth(month + 1)
  if (key === 'Home') return new Date(year, month, date - day.getDay())
  if (key === 'End') return new Date(year, month, date + 6 - day.getDay())
  return undefined
}
