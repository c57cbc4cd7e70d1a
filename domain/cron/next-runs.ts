import { CronExpressionParser } from 'cron-parser'

/** `cron.invalid`: it cannot be read; `cron.never`: its fields fit no day of any year. */
export type CronResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: 'cron.invalid' | 'cron.never' }

const LONGEST = 500

/** Spellings that other programs take and that mean the same: names in capitals, `@midnight`, `5l`, any year. */
const normalized = (expression: string): string => {
  const trimmed = expression.trim()
  if (trimmed.startsWith('@')) return trimmed.toLowerCase().replace(/^@midnight$/u, '@daily')
  const fields = trimmed.replaceAll(/(?<=\d)l\b/gu, 'L').split(/\s+/u)
  return (fields.length === 7 && /^[*?]$/u.test(fields[6] ?? '') ? fields.slice(0, 6) : fields).join(' ')
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
    const runs = CronExpressionParser.parse(normalized(expression), options)
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
