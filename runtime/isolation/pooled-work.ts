import { type Checks, INLINE_CHECKS } from '#commands/port.ts'
import { BUSY, WorkBusy } from '#commands/time-slicer.ts'
import { INLINE_VERSION_WORK, VersionFileAssembler, type VersionWork } from '#commands/version/version-work.ts'
import type { Holiday, Place } from '#domain/calendar/holiday.ts'
import { COSTLY_TEST } from '#domain/conversation-test/behaviour.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import type { Outcome } from '#domain/expression/engine.ts'
import { type Evaluator, endedOutcome, type TimedJob, type TimedOutcomes } from '#domain/expression/interruptible.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import { KeyedMutex } from '../log/stream-aggregate.ts'
import {
  COMPOSE_FILE,
  EXPRESSIONS,
  FEED,
  HOLIDAYS,
  RECORDS,
  SCRIPT,
  TEST_FILE,
  VERSION_CHECK,
  VERSION_OPEN,
} from './jobs.ts'
import type { Feed, FeedInput } from './read-feed.ts'
import { SCRIPT_LIMITS, type ScriptJob, type TimedRun } from './script/script-run.ts'
import type { WorkCaller, WorkCode, WorkPool, WorkResult } from './work.ts'

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

/** Characters that are read at once: some 10 ms. */
const SMALL_TEXT = 4_000

const COSTLY_COMPOSE = {
  valid: false,
  errors: [{ line: 1, column: 1, path: '', code: 'syntax', text: 'The file takes too long to read' }],
}

export interface PooledChecks extends Checks {
  /** Start of a file's test; undefined for a file that cannot be read. */
  given(source: string, level: string): Promise<TestGiven | undefined>
}

/** Checks of larger files in the pool. They reject with `FileNotRead` when no process is free in time. */
export const openChecks = (pool: WorkPool): PooledChecks => {
  // The tests of a bot are read together: the queue of the pool has no room for all of them.
  const givens = new KeyedMutex()
  return {
    async testFile(source, names, level) {
      if (source.length <= SMALL_TEXT) return INLINE_CHECKS.testFile(source, names, level)
      const result = await pool.run(TEST_FILE, { source, names }, { from: { level } })
      return answerOf(result)?.errors ?? [COSTLY_TEST]
    },
    async compose(source, level) {
      if (source.length <= SMALL_TEXT) return INLINE_CHECKS.compose(source, level)
      const result = await pool.run(COMPOSE_FILE, source, { from: { level } })
      return answerOf(result) ?? COSTLY_COMPOSE
    },
    async given(source, level) {
      const result = await givens.run(level, () =>
        pool.run(TEST_FILE, { source, names: undefined }, { from: { level } }),
      )
      return answerOf(result)?.given
    },
  }
}

/** Bytes that are read on the main thread: some 5 ms. */
const SMALL_FILE = 20_000

const COSTLY = refused('version.format', { errors: [{ path: '', code: 'format' }] })

const resultOf = <T>(result: WorkResult<Result<T>>): Result<T> => {
  if (result.ok) return result.value
  if (isNotRead(result.code)) return BUSY
  if (result.code === 'work.failed') throw new Error(result.message)
  return COSTLY
}

/** Work on larger version files in the pool. */
export const openVersionWork = (pool: WorkPool): VersionWork => ({
  async check(file, from) {
    if (file.reduce((sum, { length }) => sum + length, 0) <= SMALL_FILE) return INLINE_VERSION_WORK.check(file, from)
    const packed: Uint8Array[] = []
    const checked = resultOf(
      await pool.run(VERSION_CHECK, null, { from, bytes: file, onPart: piece => packed.push(piece) }),
    )
    return checked.ok ? { ok: true, value: { ...checked.value, packed } } : checked
  },
  async open(stored, from) {
    if (stored.size <= SMALL_FILE) return INLINE_VERSION_WORK.open(stored, from)
    const parts = new VersionFileAssembler()
    const bytes = stored.packed
    const opened = resultOf(await pool.run(VERSION_OPEN, null, { from, bytes, onPart: part => parts.add(part) }))
    return opened.ok ? { ok: true, value: parts.end() } : opened
  },
})

/** Caller of jobs for an entity of a level. */
export const callerOf = ({ hierarchylevel }: { readonly hierarchylevel: string | null }, bot = ''): WorkCaller => ({
  level: hierarchylevel ?? '',
  bot,
})

/** A file for which no process was free in time, or whose work was aborted: it may be correct. */
export class FileNotRead extends WorkBusy {
  override readonly name = 'FileNotRead'
}

/** Whether a job ended without a fault of its input. */
export const isNotRead = (code: WorkCode): boolean => code === 'work.busy' || code === 'work.dropped'

/**
 * The answer of a job; undefined when the file exceeds its limits.
 * @throws FileNotRead
 */
export const answerOf = <T>(result: WorkResult<T>): T | undefined => {
  if (result.ok) return result.value
  if (isNotRead(result.code)) throw new FileNotRead(result.code)
  return undefined
}

/** The pool was closed: this process shuts down, and the next one does the work. */
export class WorkDropped extends WorkBusy {
  override readonly name = 'WorkDropped'
}

/**
 * Passes on the result of a job, unless the pool dropped it. A job that its caller aborted is not dropped by the pool.
 * @throws WorkDropped
 */
export const throwIfDropped = <T extends WorkResult<unknown>>(result: T, signal?: AbortSignal): T => {
  if (!result.ok && result.code === 'work.dropped' && signal?.aborted !== true) throw new WorkDropped(result.code)
  return result
}
