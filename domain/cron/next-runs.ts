import { CronExpressionParser } from 'cron-parser'

/** `cron.invalid`: it cannot be read; `cron.never`: its fields fit no day of any year. */
export type CronResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: 'cron.invalid' | 'cron.never' }

const LONGEST = 500

const NAMED_DAYS: readonly string[] = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** A day of the week as a number, 0 for Sunday; what is none, or more than a day, stays. */
const dayNumber = (text: string): string => {
  const index = NAMED_DAYS.indexOf(text.toUpperCase())
  return index === -1 ? text : String(index)
}

/**
 * A range of days of the week that cron-parser refuses: one that ends with Sunday (`MON-SUN`), or that holds all days and
 * stands in a list (`0-6,1`).
 */
const weekdayRange = (part: string): string => {
  const [, from = '', to = '', step = ''] = /^([a-z]{3}|\d)-([a-z]{3}|\d)(\/\d+)?$/iu.exec(part) ?? []
  if (from === '') return part
  const [first, last] = [dayNumber(from), dayNumber(to)]
  if (last === '0' && first !== '0') return `${first}-7${step}`
  return `${first}-${last}${step}`
}

const isEveryDay = (part: string): boolean => /^(?:\*|0-6|0-7|1-7)$/u.test(part)

const weekdays = (field: string): string => {
  const parts = field.split(',').map(weekdayRange)
  if (parts.length === 1 || !parts.some(isEveryDay)) return parts.join(',')
  return parts.includes('*') ? '*' : '0-6'
}

/** Spellings that other programs take and that mean the same: names in capitals, `@midnight`, `l`, any year. */
const normalized = (expression: string): string | undefined => {
  const trimmed = expression.trim()
  if (trimmed.startsWith('@')) return trimmed.toLowerCase().replace(/^@midnight$/u, '@daily')
  const fields = trimmed.split(/\s+/u)
  if (fields.length === 7 && /^[*?]$/u.test(fields[6] ?? '')) fields.pop()
  // cron-parser takes any number of fields and puts defaults in the place of those that are missing.
  if (fields.length !== 5 && fields.length !== 6) return undefined
  const [day = '', month = '', weekday = ''] = fields.slice(-3)
  const last = day.replaceAll(/(?<=^|,)l(?=,|$)/gu, 'L')
  return [...fields.slice(0, -3), last, month, weekdays(weekday.replaceAll(/(?<=\d)l\b/gu, 'L'))].join(' ')
}

/**
 * The next times after a moment (ms) that a cron expression says, its fields being those of a clock in `timeZone`
 * (IANA): five fields, or six with seconds first, `@daily` and the like, `L`, `#`, `?`, and `H`, which is the same each
 * time.
 */
export const nextRuns = (
  expression: string,
  after: number,
  timeZone: string,
  count: number,
): CronResult<readonly Date[]> => {
  if (expression.trim() === '' || expression.length > LONGEST) return { ok: false, code: 'cron.invalid' }
  try {
    const options = { currentDate: new Date(after), tz: timeZone, hashSeed: expression }
    const spelling = normalized(expression)
    if (spelling === undefined) return { ok: false, code: 'cron.invalid' }
    const runs = CronExpressionParser.parse(spelling, options)
    try {
      return { ok: true, value: Array.from({ length: count }, () => runs.next().toDate()) }
    } catch {
      return { ok: false, code: 'cron.never' }
    }
  } catch {
    return { ok: false, code: 'cron.invalid' }
  }
}

/** Whether a cron expression may be kept: it can be read, and there is a day it runs on. */
export const isCron = (expression: string): boolean => nextRuns(expression, 0, 'UTC', 1).ok
