import { CronExpressionParser } from 'cron-parser'
import { parserSpelling } from './spelling.ts'

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
