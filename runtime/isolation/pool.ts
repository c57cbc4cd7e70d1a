import { availableParallelism } from 'node:os'
import { WARM_JOBS } from './jobs.ts'
import type {
  AnswerOfRun,
  InputOf,
  JobKind,
  LaneName,
  Run,
  RunOptions,
  WorkCaller,
  WorkPool,
  WorkResult,
} from './work.ts'
import { type JobEnd, type ProcessOptions, WorkProcess } from './work-process.ts'

interface Queued {
  readonly from: WorkCaller
}

const botKey = ({ level, bot = '' }: WorkCaller): string => `${level} ${bot}`

const add = (counts: Map<string, number>, key: string, by: number): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** The entry with the fewest running jobs; among equals the one that was served longest ago. */
const fewest = <T>(
  waiting: ReadonlyMap<string, T>,
  runningOf: (key: string) => number,
  may: (key: string) => boolean,
): string | undefined => {
  let best: string | undefined
  for (const key of waiting.keys()) if ((best === undefined || runningOf(key) < runningOf(best)) && may(key)) best = key
  return best
}

/** Waiting jobs by level and bot. Serves levels in turn and, inside a level, bots in turn. */
export class FairQueue<J extends Queued> {
  readonly #levels = new Map<string, Map<string, Set<J>>>()
  readonly #sizes = new Map<string, number>()
  readonly #runningLevels = new Map<string, number>()
  readonly #runningBots = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Number of waiting jobs of a level. */
  waitingOf(level: string): number {
    return this.#sizes.get(level) ?? 0
  }

  runningOf(level: string): number {
    return this.#runningLevels.get(level) ?? 0
  }

  runningOfBot(from: WorkCaller): number {
    return this.#runningBots.get(botKey(from)) ?? 0
  }

  add(job: J): void {
    const { level, bot = '' } = job.from
    const bots = this.#levels.get(level) ?? new Map<string, Set<J>>()
    const jobs = bots.get(bot) ?? new Set()
    jobs.add(job)
    bots.set(bot, jobs)
    this.#levels.set(level, bots)
    this.#size += 1
    add(this.#sizes, level, 1)
  }

  remove(job: J): boolean {
    const { level, bot = '' } = job.from
    const bots = this.#levels.get(level)
    const jobs = bots?.get(bot)
    if (bots === undefined || jobs === undefined || !jobs.delete(job)) return false
    if (jobs.size === 0) bots.delete(bot)
    if (bots.size === 0) this.#levels.delete(level)
    this.#size -= 1
    add(this.#sizes, level, -1)
    return true
  }

  /** Takes the next job of a caller that may start one, and counts it as running. */
  take(may: (from: WorkCaller) => boolean): J | undefined {
    const botOf = (level: string) =>
      fewest(
        this.#levels.get(level) ?? new Map(),
        bot => this.runningOfBot({ level, bot }),
        bot => may({ level, bot }),
      )
    const level = fewest(
      this.#levels,
      key => this.runningOf(key),
      key => botOf(key) !== undefined,
    )
    const bot = level === undefined ? undefined : botOf(level)
    const bots = level === undefined ? undefined : this.#levels.get(level)
    const jobs = bot === undefined ? undefined : bots?.get(bot)
    const [job] = jobs ?? []
    if (level === undefined || bot === undefined || bots === undefined || jobs === undefined || job === undefined)
      return undefined
    this.remove(job)
    // To the end of the line.
    if (bots.delete(bot)) bots.set(bot, jobs)
    if (this.#levels.delete(level)) this.#levels.set(level, bots)
    add(this.#runningLevels, level, 1)
    add(this.#runningBots, botKey(job.from), 1)
    return job
  }

  /** Ends the count of a job that `take` returned. */
  done(from: WorkCaller): void {
    add(this.#runningLevels, from.level, -1)
    add(this.#runningBots, botKey(from), -1)
  }

  *[Symbol.iterator](): Iterator<J> {
    for (const bots of this.#levels.values()) for (const jobs of bots.values()) yield* jobs
  }
}

interface LaneLimits extends ProcessOptions {
  /** Processes that the callers of one lane share. */
  readonly processes: number
  /** Processes with those for callers that have no running job. */
  readonly most: number
  /** Running jobs of one level. */
  readonly ofLevel: number
  readonly idleMs: number
  /** Keeps the last free process for levels that have no running job and killed no process lately. */
  readonly reserve: boolean
  /** ms in the queue. */
  readonly waitMs: number
}

/** Waiting jobs of one level, and of a lane. */
const MAX_WAITING_OF_LEVEL = 200
const MAX_WAITING = 2000
/** Interval of the memory check while jobs run. */
const WATCH_MS = 50
/** A job that runs this long makes the lane start a spare process. */
const LONG_MS = 100
/** Time after a kill during which a level leaves the last free process to others, and levels remembered for it. */
const COSTLY_MS = 10_000
const MAX_COSTLY = 1_000
/** An idle process with more resident memory than this is replaced, MiB. */
const IDLE_MEMORY = 300
/** Failures of processes before they were ready, after which jobs fail instead of waiting for another start. */
const MAX_FAILED_STARTS = 3

/** Processes beyond the usual ones, for levels and bots that have no running job. */
const EXTRA = 3

const limitsOf = (processes: number, warm: readonly JobKind[]): Readonly<Record<LaneName, LaneLimits>> => ({
  turn: {
    ...{ reserve: true, heap: 128, nice: 0, warm, idleMs: 10 * 60_000, waitMs: 10_000 },
    ...{ processes, most: processes + EXTRA, ofLevel: Math.max(2, processes - 1) },
  },
  file: {
    ...{ reserve: false, heap: 512, nice: 5, warm: [], idleMs: 20_000, waitMs: 60_000 },
    ...{ processes, most: processes + 1, ofLevel: Math.max(1, processes - 1) },
  },
  // A file of 60 MB needs 1 GB once it is parsed: one at a time, two for different levels.
  version: {
    ...{ reserve: false, heap: 1536, nice: 5, warm: [], idleMs: 10_000, waitMs: 60_000 },
    ...{ processes: 1, most: 2, ofLevel: 1 },
  },
  // The caller bounds the number of trainings.
  training: {
    ...{ reserve: false, heap: 1024, nice: 10, warm: [], idleMs: 0, waitMs: 20 * 60_000 },
    ...{ processes: 2, most: 3, ofLevel: 3 },
  },
})

interface PoolJob {
  readonly from: WorkCaller
  readonly kind: JobKind
  readonly input: unknown
  readonly options: RunOptions<Run>
  readonly since: number
  settle(end: JobEnd, waited: number): void
}

/** Queue and processes of one kind of urgency. */
class Lane {
  readonly #limits: LaneLimits
  readonly #queue = new FairQueue<PoolJob>()
  readonly #processes = new Set<WorkProcess>()
  readonly #idle = new Map<WorkProcess, NodeJS.Timeout>()
  #watching: NodeJS.Timeout | undefined
  /** When a job of a level last cost a process, by level. */
  readonly #killed = new Map<string, number>()
  #failedStarts = 0
  #isClosed = false

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  get processes(): number {
    return this.#processes.size
  }

  run(kind: JobKind, input: unknown, options: RunOptions<Run>): Promise<WorkResult<unknown>> {
    return new Promise(resolve => {
      const { from, signal, waitMs = this.#limits.waitMs } = options
      const since = performance.now()
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', drop)
      }
      const job: PoolJob = {
        ...{ from, kind, input, options, since },
        settle(result, waited) {
          end()
          resolve('value' in result ? { ok: true, ...result, waited } : { ok: false, ...result, waited })
        },
      }
      const leave = (code: 'work.busy' | 'work.dropped') => {
        if (this.#queue.remove(job)) job.settle({ code, ms: 0 }, performance.now() - since)
      }
      const drop = () => leave('work.dropped')
      const timer = setTimeout(() => leave('work.busy'), waitMs).unref()
      if (signal?.aborted === true || this.#isClosed) return job.settle({ code: 'work.dropped', ms: 0 }, 0)
      if (this.#isFull(from)) return job.settle({ code: 'work.busy', ms: 0 }, waitMs)
      signal?.addEventListener('abort', drop)
      this.#queue.add(job)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watching)
    for (const timer of this.#idle.values()) clearTimeout(timer)
    for (const job of [...this.#queue]) {
      this.#queue.remove(job)
      job.settle({ code: 'work.dropped', ms: 0 }, performance.now() - job.since)
    }
    await Promise.all([...this.#processes].map(process => process.leave()))
  }

  #isFull({ level }: WorkCaller): boolean {
    return this.#queue.size >= MAX_WAITING || this.#queue.waitingOf(level) >= MAX_WAITING_OF_LEVEL
  }

  get #running(): number {
    let running = 0
    for (const process of this.#processes) if (process.busySince !== undefined) running += 1
    return running
  }

  /**
   * Whether a caller may start a job now. A level without a running job may use processes beyond the usual number, so
   * that it does not wait for the jobs of others; so may a bot without one, except for the last process.
   */
  #may(from: WorkCaller): boolean {
    const { processes, most, ofLevel } = this.#limits
    const [running, ofThisLevel] = [this.#running, this.#queue.runningOf(from.level)]
    if (running >= most) return false
    const isCostly = this.#isCostly(from)
    if (ofThisLevel === 0 && !isCostly) return true
    if (ofThisLevel >= (isCostly ? Math.max(1, processes - 1) : ofLevel) || (most > 1 && running + 1 >= most))
      return false
    return running < processes || ofThisLevel === 0 || this.#queue.runningOfBot(from) === 0
  }

  /** Gives waiting jobs to free processes, and starts processes for the others. */
  #next(): void {
    if (this.#isClosed) return
    for (const process of this.#processes) {
      if (!process.isFree) continue
      const job = this.#queue.take(from => this.#may(from) && !this.#isReserved(from))
      if (job === undefined) break
      this.#begin(process, job)
    }
    if (this.#isWanted()) this.#start()
  }

  /** Whether a level cost a process lately: it takes longer to start one than to kill it. */
  #isCostly({ level }: WorkCaller): boolean {
    const killed = this.#killed.get(level)
    return killed !== undefined && performance.now() - killed < COSTLY_MS
  }

  #isReserved(from: WorkCaller): boolean {
    if (!this.#limits.reserve || (this.#queue.runningOf(from.level) === 0 && !this.#isCostly(from))) return false
    let free = 0
    for (const process of this.#processes) if (process.isFree) free += 1
    return free < 2
  }

  /** Whether a waiting job could start if there were a process that does not start already. */
  #isWanted(): boolean {
    if (this.#processes.size >= this.#limits.most) return false
    for (const process of this.#processes) if (process.isStarting) return false
    for (const { from } of this.#queue) if (this.#may(from)) return true
    return false
  }

  #begin(process: WorkProcess, job: PoolJob): void {
    clearTimeout(this.#idle.get(process))
    this.#idle.delete(process)
    const { kind, input, options, from, since } = job
    const waited = performance.now() - since
    const abort = () => process.end('work.dropped')
    options.signal?.addEventListener('abort', abort)
    process.run({
      ...{ kind, input, bytes: options.bytes ?? [], ms: options.ms ?? kind.ms, partMs: options.partMs ?? [] },
      onPart: part => options.onPart?.(part as never),
      settle: end => {
        options.signal?.removeEventListener('abort', abort)
        if (process.hasEnded && this.#limits.reserve) this.#noteKill(from.level)
        this.#queue.done(from)
        job.settle(end, waited)
        queueMicrotask(() => this.#released(process))
      },
    })
    this.#watching ??= setInterval(() => this.#watch(), WATCH_MS).unref()
  }

  #noteKill(level: string): void {
    this.#killed.delete(level)
    this.#killed.set(level, performance.now())
    const [oldest] = this.#killed.keys()
    if (this.#killed.size > MAX_COSTLY && oldest !== undefined) this.#killed.delete(oldest)
  }

  #released(process: WorkProcess): void {
    if (this.#isClosed || !this.#processes.has(process)) return
    if (this.#queue.size > 0) this.#next()
    if (!process.isFree || this.#idle.has(process)) return
    const timer = setTimeout(() => process.end(), this.#limits.idleMs).unref()
    this.#idle.set(process, timer)
  }

  #start(): void {
    let isReady = false
    let process: WorkProcess
    const events = {
      onReady: () => {
        isReady = true
        this.#failedStarts = 0
        this.#next()
        this.#released(process)
      },
      onEnd: () => {
        this.#processes.delete(process)
        clearTimeout(this.#idle.get(process))
        this.#idle.delete(process)
        this.#ended(isReady)
      },
    }
    try {
      process = new WorkProcess(this.#limits, events)
    } catch {
      // The system has no memory for another process: `fork` throws.
      this.#ended(false)
      return
    }
    this.#processes.add(process)
  }

  #ended(wasReady: boolean): void {
    if (!wasReady) this.#failedStarts += 1
    if (this.#failedStarts < MAX_FAILED_STARTS) {
      this.#next()
      return
    }
    this.#failedStarts = 0
    for (const job of [...this.#queue]) {
      this.#queue.remove(job)
      job.settle({ code: 'work.failed', message: 'no process could be started', ms: 0 }, performance.now() - job.since)
    }
  }

  #watch(): void {
    let isLong = false
    let isSpare = false
    for (const process of this.#processes) {
      process.checkMemory()
      const { busySince } = process
      if (busySince === undefined) isSpare = true
      else isLong ||= performance.now() - busySince > LONG_MS
    }
    if (isLong && !isSpare && this.#processes.size < this.#limits.most && this.#limits.warm.length > 0) this.#start()
    if (this.#running > 0) return
    clearInterval(this.#watching)
    this.#watching = undefined
    for (const process of this.#idle.keys()) if (process.holdsMoreThan(IDLE_MEMORY)) process.end()
  }
}

/**
 * `processes`: usual number of processes that answer people; default: processor cores − 1, at least 1. `warm`: kinds
 * that those processes load before their first job.
 */
export const openPool = (
  processes: number = Math.max(1, availableParallelism() - 1),
  warm: readonly JobKind[] = WARM_JOBS,
): WorkPool => {
  const limits = limitsOf(processes, warm)
  const lanes: Readonly<Record<LaneName, Lane>> = {
    turn: new Lane(limits.turn),
    file: new Lane(limits.file),
    version: new Lane(limits.version),
    training: new Lane(limits.training),
  }
  const all = Object.values(lanes)
  return {
    run: <R extends Run>(kind: JobKind<R>, input: InputOf<R>, options: RunOptions<R>) =>
      lanes[kind.lane].run(kind as JobKind, input, options as RunOptions<Run>) as Promise<WorkResult<AnswerOfRun<R>>>,
    processes: () => all.reduce((sum, lane) => sum + lane.processes, 0),
    async close() {
      await Promise.all(all.map(lane => lane.close()))
    },
  }
}
