/** Origin of a job: the pool serves levels in turn and, inside a level, bots. */
export interface WorkCaller {
  readonly level: string
  readonly bot?: string
}

/**
 * Stable codes of jobs without a result. `work.time`, `work.memory`, `work.size`: beyond a limit. `work.busy`: no process
 * was free in time. `work.dropped`: aborted, or the pool was closed. `work.failed`: the job threw.
 */
export type WorkCode = 'work.time' | 'work.memory' | 'work.size' | 'work.busy' | 'work.dropped' | 'work.failed'

interface WorkTimes {
  /** ms of work, without waiting and start-up; a process that waits for a processor does not work. */
  readonly ms: number
  /** ms in the queue. */
  readonly waited: number
}

export type WorkResult<T> =
  | ({ readonly ok: true; readonly value: T } & WorkTimes)
  | ({ readonly ok: false; readonly code: WorkCode; readonly message?: string } & WorkTimes)

/** Messages of a running job to its caller. */
export interface JobSteps<P> {
  /** Pieces of the bytes that the caller passed apart from the input. */
  readonly bytes: readonly Uint8Array[]
  /** Sends a part of the answer; the next part has its own deadline. */
  next(part: P): void
  /** Sends progress. */
  tell(part: P): void
}

/** Function of a job, exported by its module. */
// biome-ignore lint/suspicious/noExplicitAny: a supertype of all such functions.
export type Run = (input: any, steps: JobSteps<any>) => unknown

export type InputOf<R extends Run> = Parameters<R>[0]
export type AnswerOfRun<R extends Run> = Awaited<ReturnType<R>>
type PartOf<R extends Run> = Parameters<R>[1] extends JobSteps<infer P> ? P : never

/** A kind of work on foreign input. */
export interface JobKind<R extends Run = Run> {
  readonly lane: LaneName
  /** Exports the function of the job, and `warm` where code is loaded on demand. */
  readonly module: URL
  /** Name of the function. Default: `run`. */
  readonly job?: string
  /** ms of work; callers may ask for less or more. */
  readonly ms: number
  /** MiB of resident memory of the process. */
  readonly memory: number
  /** Bytes of the serialized input and answer, and of each part of an answer. */
  readonly input: number
  readonly answer: number
  /** Type of `run`; has no value. */
  readonly of?: R
}

/** `turn`: a person waits for it. `file`: reads files. `version`: reads files of tens of MB. `training`: takes minutes. */
export type LaneName = 'turn' | 'file' | 'version' | 'training'

export interface RunOptions<R extends Run> {
  readonly from: WorkCaller
  /** ms for the whole job. Default: that of its kind. */
  readonly ms?: number
  /** ms for each part. Default: the rest of `ms`. */
  readonly partMs?: readonly number[]
  /** Longest time in the queue, ms. Default: that of the lane. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
  /** Bytes that are sent piece by piece, so that no size of them holds the thread of the caller. */
  readonly bytes?: readonly Uint8Array[]
  readonly onPart?: (part: PartOf<R>) => void
}

/** Child processes for work on foreign input. */
export interface WorkPool {
  /** Never rejects. */
  run<R extends Run>(kind: JobKind<R>, input: InputOf<R>, options: RunOptions<R>): Promise<WorkResult<AnswerOfRun<R>>>
  /** Number of processes, with those that start. */
  processes(): number
  /** Ends all processes; jobs get `work.dropped`. Resolves once the system has ended the processes. */
  close(): Promise<void>
}

/** Messages between the pool and its processes. Inputs and answers are serialized, so that their size is known. */
export interface JobMessage {
  readonly id: number
  /** Address of the kind's module. */
  readonly module: string
  /** Name of the function in it. */
  readonly job: string
  /** Bytes allowed for an answer. */
  readonly most: number
  readonly input: Uint8Array
  /** Number of messages with bytes that follow. */
  readonly pieces: number
}

/** The next piece of a job's bytes. */
export interface BytesMessage {
  readonly id: number
  readonly bytes: Uint8Array
}

export type ProcessReport =
  | { readonly ready: true }
  /** The module is loaded and the clock starts. */
  | { readonly id: number; readonly loaded: true }
  /** `ms`: working time of the part. `next`: the next part begins. */
  | { readonly id: number; readonly part: Uint8Array; readonly ms: number; readonly next: boolean }
  | { readonly id: number; readonly answer: Uint8Array; readonly ms: number }
  | { readonly id: number; readonly failed: 'work.size' | 'work.failed'; readonly message: string; readonly ms: number }

/** `cpu`: processor time of the process so far, ms. */
export type ProcessMessage = ProcessReport & { readonly cpu: number }

/** Processor time of this process, ms. */
export const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Measures working time from now on: ms without those in which this process waited for a processor. A busy machine must
 * not decide whether a job exceeds its limit. Threads that collect garbage beside the job count at most as the time that
 * passed.
 */
export const workingTime = (): (() => number) => {
  const [began, cpu] = [performance.now(), processorTime()]
  return () => Math.min(performance.now() - began, processorTime() - cpu)
}
