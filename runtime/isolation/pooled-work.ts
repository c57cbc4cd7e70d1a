import type { Holiday, Place } from '#domain/calendar/holiday.ts'
import type { Outcome } from '#domain/expression/fault.ts'
import { type Evaluator, endedOutcome, type TimedJob, type TimedOutcomes } from '#domain/expression/interruptible.ts'
import type { FeedInput } from './feed/feed-job.ts'
import type { Feed } from './feed/read-feed.ts'
import { EXPRESSIONS, FEED, HOLIDAYS, RECORDS, SCRIPT } from './jobs.ts'
import { SCRIPT_LIMITS, type ScriptJob, type TimedRun } from './script/script-run.ts'
import { FileNotRead, isNotRead, throwIfDropped, type WorkCaller, type WorkCode, type WorkPool } from './work.ts'

/** ms in the queue for all jobs of one question. */
const WAIT_MS = 10_000
const TIME_LIMIT_MS = 1000

const faultOf = (code: WorkCode): 'time' | 'limit' =>
  code === 'work.memory' || code === 'work.size' ? 'limit' : 'time'

/** Whether the present job caused the failure, so that those behind it can run. */
const isOfJob = (code: WorkCode): boolean => code === 'work.time' || code === 'work.memory' || code === 'work.size'

/**
 * Evaluates expressions of a caller in the pool. A job beyond a limit fails alone. Rejects with `FileNotRead` when no
 * process was free for the records of a file, with `WorkDropped` when the pool was closed: no job has failed.
 */
export const openEvaluator = (pool: WorkPool, from: WorkCaller, signal?: AbortSignal): Evaluator => {
  const evaluateAll = async (jobs: readonly TimedJob[], total: number): Promise<TimedOutcomes> => {
    const outcomes: Outcome<unknown>[] = []
    let [ms, waited] = [0, 0]
    while (outcomes.length < jobs.length && ms < total && waited < WAIT_MS) {
      const left = jobs.slice(outcomes.length)
      const isOfFile = left.some(({ job }) => job.kind === 'records')
      const result = await pool.run(
        isOfFile ? RECORDS : EXPRESSIONS,
        left.map(({ job }) => job),
        {
          ...{ from, ms: total - ms, partMs: left.map(each => each.ms), onPart: outcome => outcomes.push(outcome) },
          ...(isOfFile ? {} : { waitMs: WAIT_MS - waited }),
          ...(signal === undefined ? {} : { signal }),
        },
      )
      ms += result.ms
      if (!isOfFile) waited += result.waited
      throwIfDropped(result, signal)
      if (isOfFile && !result.ok && isNotRead(result.code)) throw new FileNotRead(result.code)
      const present = jobs[outcomes.length]?.job
      if (present === undefined) break
      if (result.ok) outcomes.push(result.value ?? endedOutcome('time', present))
      else {
        outcomes.push(endedOutcome(faultOf(result.code), present))
        if (!isOfJob(result.code)) break
      }
    }
    for (const { job } of jobs.slice(outcomes.length)) outcomes.push(endedOutcome('time', job))
    return { outcomes, ms, waited }
  }
  return {
    evaluateAll,
    evaluate: async (job, ms = TIME_LIMIT_MS) => {
      const { outcomes } = await evaluateAll([{ job, ms }], ms)
      return outcomes[0] ?? endedOutcome('time', job)
    },
  }
}

/** ms after its time at which a script is ended that its engine could not stop. */
const GRACE_MS = 250

interface SandboxRun extends TimedRun {
  /** ms in the queue. */
  readonly waited: number
}

/** Runs scripts of one caller. */
export interface Sandbox {
  /** Rejects only with `WorkDropped`. */
  run(job: Omit<ScriptJob, 'time'>, isSlow?: boolean): Promise<SandboxRun>
}

const ENDED = {
  'work.time': 'time',
  'work.memory': 'memory',
  'work.size': 'memory',
  'work.failed': 'memory',
  'work.busy': 'busy',
  'work.dropped': 'busy',
} as const

/** Scripts run for at most `time` ms each, slow ones for ten seconds. */
export const openSandbox = (
  pool: WorkPool,
  from: WorkCaller,
  { time = SCRIPT_LIMITS.time, signal }: { readonly time?: number; readonly signal?: AbortSignal } = {},
): Sandbox => ({
  async run(job, isSlow = false) {
    const limit = isSlow ? SCRIPT_LIMITS.slowTime : time
    const options = { from, ms: limit + GRACE_MS, ...(signal === undefined ? {} : { signal }) }
    const result = throwIfDropped(await pool.run(SCRIPT, { ...job, time: limit }, options), signal)
    const { waited } = result
    if (result.ok) return { ...result.value, waited }
    return { console: [], ended: ENDED[result.code], time: Math.round(result.ms), waited }
  },
})

/** Holidays of a year in a place. */
export type HolidaysOf = (place: Place, year: number) => Promise<readonly Holiday[]>

/** Years of places that are remembered. */
const MAX_YEARS = 1000

/** Loads the calendars of all countries, 2.4 MB of code, on the thread of the caller. */
export const INLINE_HOLIDAYS: HolidaysOf = async (place, year) => {
  const { holidaysOf } = await import('#domain/calendar/holiday.ts')
  return holidaysOf(place, year)
}

/** Reads holidays in the pool: loading the calendars takes some 300 ms. Rejects when no process can do it. */
export const openHolidays = (pool: WorkPool): HolidaysOf => {
  const known = new Map<string, Promise<readonly Holiday[]>>()
  const read = async (place: Place, year: number): Promise<readonly Holiday[]> => {
    const result = throwIfDropped(await pool.run(HOLIDAYS, { place, year }, { from: { level: '' } }))
    if (result.ok) return result.value
    throw new Error(`holidays were not read: ${result.code}`)
  }
  return (place, year) => {
    const key = JSON.stringify([place.country, place.state, year])
    const held = known.get(key) ?? read(place, year)
    held.catch(() => known.delete(key))
    if (known.size >= MAX_YEARS) known.clear()
    known.set(key, held)
    return held
  }
}

/** As `readFeed`, in the pool; undefined beyond its limits as well. Rejects only with `WorkDropped`. */
export const readFeedInPool = async (
  { pool, from }: { readonly pool: WorkPool; readonly from: WorkCaller },
  input: FeedInput,
): Promise<Feed | undefined> => {
  const result = throwIfDropped(await pool.run(FEED, input, { from }))
  return result.ok ? result.value : undefined
}
