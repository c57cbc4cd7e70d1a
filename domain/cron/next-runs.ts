import { CronExpressionParser } from 'cron-parser'

/** A field of an expression: its bounds, and names of its values beginning with the first. */
interface CronField {
  readonly from: number
  readonly to: number
  readonly names: readonly string[]
}

const SECOND: CronField = { from: 0, to: 59, names: [] }
const HOUR: CronField = { from: 0, to: 23, names: [] }
const DAY: CronField = { from: 1, to: 31, names: [] }
const MONTH: CronField = {
  from: 1,
  to: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
}
/** 7 is Sunday as well as 0. */
const WEEKDAY: CronField = { from: 0, to: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] }
/** Fields from the last to the first; of six the first is the second. */
const FIELDS_FROM_LAST = [WEEKDAY, MONTH, DAY, HOUR, SECOND, SECOND] as const

const numberOf = (text: string, { from, names }: CronField): number => {
  const index = names.indexOf(text.toUpperCase())
  return index === -1 ? Number(text) : from + index
}

/** A range whose end is Sunday, which counts as the week's last day there: cron-parser refuses `MON-SUN` and `6-0`. */
const endingOnSunday = (part: string): string => {
  const [, first = '', last = '', step = ''] = /^(\w+)-(\w+)(\/\d+)?$/u.exec(part) ?? []
  const [from, to] = [numberOf(first, WEEKDAY), numberOf(last, WEEKDAY)]
  return to === 0 && from > 0 && from < 7 ? `${from}-7${step}` : part
}

/** The values of `*`, `a`, `a-b`, each with a step; undefined for everything else, which cron-parser judges. */
const valuesOf = (part: string, field: CronField): readonly number[] | undefined => {
  const match = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/u.exec(part)
  if (match === null) return undefined
  const [, all, first = '', last, step] = match
  const max = field === WEEKDAY ? 6 : field.to
  const from = all === undefined ? numberOf(first, field) : field.from
  const to = last !== undefined ? numberOf(last, field) : all !== undefined || step !== undefined ? max : from
  const by = step === undefined ? 1 : Number(step)
  const isInside = from >= field.from && to <= field.to && from <= to && by > 0
  if (!isInside) return undefined
  const values = Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by)
  return field === WEEKDAY ? values.map(value => value % 7) : values
}

const isSingle = (part: string): boolean => /^\w+$/u.test(part)

/**
 * Expands a list with overlapping ranges (`0-6,1`, `1-5,3`, `*` beside anything) to its values: cron-parser rejects
 * duplicates. A single value written twice (`0,0`) is a mistake and stays rejected.
 */
const withoutOverlap = (text: string, field: CronField): string => {
  const parts = text.split(',')
  if (parts.length === 1) return text
  const values = parts.map(part => valuesOf(part, field))
  if (values.includes(undefined)) return text
  const singles = values.filter((_, index) => isSingle(parts[index] ?? '')).flatMap(value => value ?? [])
  if (new Set(singles).size < singles.length) return text
  const all = values.flatMap(value => value ?? [])
  const once = new Set(all)
  if (once.size === all.length) return text
  // Beside a day of the month, `*` as day of the week says nothing, but a list of all seven says every day.
  return parts.includes('*') ? '*' : [...once].sort((a, b) => a - b).join(',')
}

/** A small `l`, the last of something, as `L`: in the day of the month alone, behind a day of the week. */
const lastOfMonth = (day: string): string => day.replaceAll(/(?<=^|,)l(?=,|$)/gu, 'L')
const lastWeekday = (weekday: string): string => weekday.replaceAll(/(?<=\d|[a-z]{3})l(?=,|$)/giu, 'L')

/** Fields as all programs write them: one space between them, `L`, macros in small letters, no year that says nothing. */
export const spelled = (expression: string): string => {
  const trimmed = expression.trim()
  if (trimmed.startsWith('@')) return trimmed.toLowerCase()
  const fields = trimmed.split(/\s+/u)
  if (fields.length === 7 && /^[*?]$/u.test(fields[6] ?? '')) fields.pop()
  if (fields.length !== 5 && fields.length !== 6) return fields.join(' ')
  const [day = '', month = '', weekday = ''] = fields.slice(-3)
  return [...fields.slice(0, -3), lastOfMonth(day), month, lastWeekday(weekday)].join(' ')
}

/** An expression in the spelling that cron-parser reads; undefined where it has neither five fields nor six. */
const parserSpelling = (expression: string): string | undefined => {
  const spelling = spelled(expression)
  if (spelling.startsWith('@')) return spelling.replace(/^@midnight$/u, '@daily')
  const fields = spelling.split(' ')
  // cron-parser takes any number of fields and puts defaults in the place of those that are missing.
  if (fields.length !== 5 && fields.length !== 6) return undefined
  const weekday = fields.pop() ?? ''
  return [...fields, weekday.split(',').map(endingOnSunday).join(',')]
    .map((text, index, { length }) => withoutOverlap(text, FIELDS_FROM_LAST[length - 1 - index] ?? SECOND))
    .join(' ')
}

/** `cron.invalid`: it cannot be read; `cron.never`: its fields fit no day of any year. */
type CronResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: 'cron.invalid' | 'cron.never' }

const MAX_LENGTH = 500

/**
 * The next times of a cron expression after a moment (ms), its fields in the local time of `timeZone` (IANA): five
 * fields, or six with seconds first, `@daily` and other names, `L`, `#`, `?`, and `H`, which is the same each time.
 */
export const nextRuns = (
  expression: string,
  after: number,
  timeZone: string,
  count: number,
): CronResult<readonly Date[]> => {
  if (expression.trim() === '' || expression.length > MAX_LENGTH) return { ok: false, code: 'cron.invalid' }
  try {
    const options = { currentDate: new Date(after), tz: timeZone, hashSeed: expression }
    const spelling = parserSpelling(expression)
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
