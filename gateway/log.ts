import pino, { type Logger } from 'pino'
import type { Settings } from '#schemas/settings.ts'

/** Equal errors are one line in this time, ms. */
const REPEATED_MS = 60_000
/** Causes that are counted; the oldest go first. */
const MAX_CAUSES = 1000

/** Ids, positions and numbers tell errors apart that have one cause. */
const causeOf = ({ name, message }: Error): string => `${name} ${message.replace(/[\da-f-]{8,}|\d+/gu, '0')}`

/**
 * Counts errors by cause. Returns how many equal ones were left out before this one, or undefined where this one is to be
 * left out as well: an outage would fill the disk with one line for each conversation and try.
 */
export const countErrors = (now: () => number = Date.now): ((error: Error) => number | undefined) => {
  const causes = new Map<string, { readonly since: number; left: number }>()
  return error => {
    const cause = causeOf(error)
    const known = causes.get(cause)
    if (known !== undefined && now() - known.since < REPEATED_MS) {
      known.left += 1
      return undefined
    }
    causes.delete(cause)
    causes.set(cause, { since: now(), left: 0 })
    const [oldest] = causes.keys()
    if (causes.size > MAX_CAUSES && oldest !== undefined) causes.delete(oldest)
    return known?.left ?? 0
  }
}

/** Logs go to standard error, so that standard output holds what a person reads. Nothing secret gets into them. */
export const openLog = (level: Settings['LOG_LEVEL']): Logger => {
  const leftOut = countErrors()
  return pino(
    {
      level,
      base: null,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(given, method) {
          const [first]: readonly unknown[] = given
          if (!(first instanceof Error)) return method.apply(this, given)
          const repeated = leftOut(first)
          if (repeated === undefined) return
          if (repeated === 0) return method.apply(this, given)
          method.apply(this, [{ err: first, repeated }, first.message])
        },
      },
    },
    pino.destination({ fd: 2, sync: true }),
  )
}
