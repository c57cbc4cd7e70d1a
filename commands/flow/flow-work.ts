import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { TooCostly } from '#domain/flow/document/integration-cost.ts'
import { isolatedEnv } from '../isolated-env.ts'
import { createContentCache } from './flow-content.ts'
import { type FlowJob, type FlowJobResults, type FlowState, performFlowJob } from './flow-job.ts'
import type { FlowAnswer, FlowQuestion } from './flow-worker.ts'

/** A job as it goes to another thread: its file as JSON, since copying an object of so many parts takes twice the time. */
interface PackedJob {
  readonly job: FlowJob
  /** Bytes and characters of all that it works on. */
  readonly size: number
  readonly states: readonly FlowState[]
}

const packed = (job: FlowJob): PackedJob => {
  const states = statesOf(job)
  const size = states.reduce(plusBytes, 0)
  if ('text' in job) return { job, size: job.text.length, states }
  if (job.do !== 'change') return { job, size, states }
  const { change } = job
  if (change.kind === 'drawing') return { job, size: plusBytes(size, change.drawing), states }
  if (change.kind !== 'file') return { job, size, states }
  const file = typeof change.file === 'string' ? change.file : JSON.stringify(change.file)
  const length = file.length + (change.script?.length ?? 0)
  return { job: { ...job, change: { ...change, file } }, size: size + length, states }
}

const plusBytes = (sum: number, state: FlowState) => state.reduce((bytes, { length }) => bytes + length, sum)

const statesOf = (job: FlowJob): readonly FlowState[] => {
  switch (job.do) {
    case 'change':
      return job.change.kind === 'restore' ? [job.state, job.change.past] : [job.state]
    case 'file':
    case 'merge':
    case 'references':
    case 'review':
      return [job.state]
    case 'members':
      return [job.state, ...(job.released && job.released !== job.state ? [job.released] : [])]
    case 'difference':
      return [job.before, job.after]
    case 'missing':
      return [job.state, job.past]
    case 'look':
      return [job.state ?? []]
    case 'parse':
      return []
    default:
      return job satisfies never
  }
}

/** Bytes and characters up to which a job runs without a worker thread: some 100 blocks, up to 15 ms. */
const SMALL = 50_000
/** An idle thread ends after this long, ms. */
const IDLE_MS = 60_000
/** For one job, ms: the largest flows take a few seconds. */
const DEADLINE_MS = 60_000
const MAX_COSTLY = 1_000

/** Does the work on whole flows. Rejects with what the work threw, or when its thread ended. */
export interface FlowWork {
  perform<J extends FlowJob>(job: J): Promise<FlowJobResults[J['do']]>
}

interface Waiting {
  resolve(result: FlowJobResults[keyof FlowJobResults]): void
  reject(error: Error): void
}

/** Small jobs at once, large ones one behind the other in a thread that is started when there is one. */
export const openFlowWork = (options: { readonly small?: number; readonly idleMs?: number } = {}): FlowWork =>
  new ApartWork(options.small ?? SMALL, options.idleMs ?? IDLE_MS)

class ApartWork implements FlowWork {
  readonly #small: number
  readonly #idleMs: number
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  readonly #contents = createContentCache()
  /** Revisions of flows whose contents the thread was given. */
  readonly #looked = new Map<string, number>()
  #count = 0
  #deadline: NodeJS.Timeout | undefined
  /** Digests of small states that could not be integrated in time. */
  readonly #costly = new Set<string>()

  constructor(small: number, idleMs: number) {
    this.#small = small
    this.#idleMs = idleMs
  }

  async perform<J extends FlowJob>(job: J): Promise<FlowJobResults[J['do']]> {
    const ready = packed(job)
    if (this.#isSmall(ready) && !this.#isCostly(ready.states)) {
      try {
        return await performFlowJob(job, this.#contents)
      } catch (error) {
        if (error instanceof TooCostly) this.#remember(ready.states)
        throw error
      }
    }
    const result = await new Promise<FlowJobResults[keyof FlowJobResults]>((resolve, reject) => {
      clearTimeout(this.#idle)
      this.#thread ??= this.#start()
      // Keeps the process alive while a job waits.
      this.#thread.ref()
      const number = ++this.#count
      this.#waiting.set(number, { resolve, reject })
      if (job.do === 'look') this.#looked.set(job.flow, job.revision)
      this.#thread.postMessage({ number, job: ready.job } satisfies FlowQuestion)
      if (this.#waiting.size === 1) this.#watch()
    })
    return result as FlowJobResults[J['do']]
  }

  /** A look without a state is small where the other thread has not seen that content. */
  #isSmall({ job, size }: PackedJob): boolean {
    if (job.do !== 'look' || job.state !== undefined) return size <= this.#small
    return this.#contents.get(job.flow, job.revision) !== undefined || this.#looked.get(job.flow) !== job.revision
  }

  /** Such a flow keeps a thread busy until it is refused: from the second time on another than the main one. */
  #isCostly(states: readonly FlowState[]): boolean {
    return this.#costly.size > 0 && this.#costly.has(digestOf(states))
  }

  #remember(states: readonly FlowState[]): void {
    if (this.#costly.size >= MAX_COSTLY) this.#costly.clear()
    this.#costly.add(digestOf(states))
  }

  /** A job that does not end is ended with its thread, and so are those behind it. */
  #watch(): void {
    clearTimeout(this.#deadline)
    if (this.#waiting.size === 0) return
    this.#deadline = setTimeout(() => {
      const thread = this.#thread
      if (thread === undefined) return
      const [head] = this.#waiting.values()
      head?.reject(new TooCostly())
      this.#lose(thread, new Error('the work on another flow did not end'))
      void thread.terminate()
    }, DEADLINE_MS).unref()
  }

  #start(): Worker {
    this.#looked.clear()
    const thread = new Worker(new URL('./flow-worker.ts', import.meta.url), { env: isolatedEnv() })
    thread.on('message', (answer: FlowAnswer) => this.#answered(answer))
    thread.on('error', error => this.#lose(thread, error))
    thread.on('exit', () => this.#lose(thread, new Error('the thread that works on flows ended')))
    return thread
  }

  #answered(answer: FlowAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    if ('failed' in answer) waiting?.reject(answer.isTooCostly ? new TooCostly() : answer.failed)
    else waiting?.resolve(answer.result)
    this.#watch()
    if (this.#waiting.size > 0) return
    this.#thread?.unref()
    this.#idle = setTimeout(() => this.#rest(), this.#idleMs).unref()
  }

  #rest(): void {
    const thread = this.#thread
    this.#thread = undefined
    void thread?.terminate()
  }

  /** Rejects the thread's jobs; the next job starts another thread. */
  #lose(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}

const digestOf = (states: readonly FlowState[]): string => {
  const hash = createHash('sha256')
  for (const state of states) for (const update of state) hash.update(update)
  return hash.digest('base64')
}
