import { fault, type Outcome } from './engine.ts'
import { type ExpressionJob, type PreparedJob, prepareJob } from './run-job.ts'

/** Worker message for each job of a question: outcome of the previous one, and the start of this one. */
export interface WorkerAnswer {
  readonly id: number
  readonly outcome?: Outcome<unknown>
  readonly begun?: true
}
/** Jobs to run in order. Shared data, such as the context, is sent to the worker once. */
export interface WorkerQuestion {
  readonly id: number
  readonly jobs: readonly ExpressionJob[]
}

const lengthOf = (job: ExpressionJob) => (job.kind === 'template' ? job.text : job.source).length
/** Outcome of a job that was ended. */
export const endedOutcome = (code: 'time' | 'limit', job: ExpressionJob) =>
  fault(code, { offset: 0, length: lengthOf(job) })

/** Handles each question, in every kind of worker. */
export const answerQuestion = async (
  { id, jobs }: WorkerQuestion,
  say: (answer: WorkerAnswer) => void,
  prepare: (job: ExpressionJob) => Promise<PreparedJob> = prepareJob,
) => {
  let done: { readonly job: ExpressionJob; readonly outcome: Outcome<unknown> } | undefined
  const tell = (begun: Pick<WorkerAnswer, 'begun'>) => {
    if (done === undefined) return say({ id, ...begun })
    try {
      say({ id, ...begun, outcome: done.outcome })
    } catch {
      // A value that does not cross to the one who asked.
      say({ id, ...begun, outcome: endedOutcome('time', done.job) })
    }
  }
  for (const job of jobs) {
    // An engine that could not be fetched; the next question tries again.
    const run = await prepare(job).catch(() => undefined)
    tell({ begun: true })
    done = { job, outcome: await outcomeOf(run, job) }
  }
  tell({})
}

export const outcomeOf = async (run: PreparedJob | undefined, job: ExpressionJob): Promise<Outcome<unknown>> => {
  try {
    return (await run?.()) ?? endedOutcome('time', job)
  } catch {
    return endedOutcome('time', job)
  }
}

/** A worker that can be ended at any time. */
export interface EndableWorker {
  ask(question: WorkerQuestion): void
  end(): void
}

interface WorkerHost {
  /** `onDead`: it exited, out of memory or unable to load. */
  start(onAnswer: (answer: WorkerAnswer) => void, onDead: () => void): EndableWorker
  /** Calls once after so many ms; the answer calls it off. */
  after(ms: number, then: () => void): () => void
  /** A moment, in ms. */
  now(): number
}

/** ms that one job may take. */
const TIME_LIMIT = 1000
/** ms in which a worker must have loaded. */
const LOADING_LIMIT = 30_000
/** Questions that wait; more are refused. */
const MAX_WAITING = 1000

export interface TimedJob {
  readonly job: ExpressionJob
  /** Time limit. */
  readonly ms: number
}

export interface TimedOutcomes {
  readonly outcomes: readonly Outcome<unknown>[]
  /** Total time. */
  readonly ms: number
  /** ms in the queue; absent where there is none. */
  readonly waited?: number
}

export interface Evaluator {
  /** Never rejects: a job over `ms` is ended (`time`), with its worker. */
  evaluate(job: ExpressionJob, ms?: number): Promise<Outcome<unknown>>
  /**
   * Evaluates several jobs as one question. Jobs left after `total` ms are not run (`time`). Queueing and loading do
   * not count.
   */
  evaluateAll(jobs: readonly TimedJob[], total: number): Promise<TimedOutcomes>
}

interface ClosableEvaluator extends Evaluator {
  /** Ends the worker; waiting jobs get `time`. */
  close(): void
}

/** Jobs requested together, and the outcomes of the first of them so far. */
interface Question {
  readonly jobs: readonly TimedJob[]
  readonly total: number
  readonly outcomes: Outcome<unknown>[]
  spent: number
  readonly settle: (answer: TimedOutcomes) => void
}

const settleWith = (code: 'time' | 'limit', { jobs, outcomes, spent, settle }: Question) => {
  for (const { job } of jobs.slice(outcomes.length)) outcomes.push(endedOutcome(code, job))
  settle({ outcomes, ms: spent })
}

/** Answers one question after another in one warm worker, which is replaced when a job had to be ended. */
class WorkerEvaluator implements ClosableEvaluator {
  readonly #host: WorkerHost
  readonly #waiting: Question[] = []
  #worker: EndableWorker | undefined
  /** `begun`: moment at which its present job began. */
  #running: { readonly id: number; readonly question: Question; begun: number | undefined } | undefined
  #callOff: () => void = () => undefined
  #count = 0

  constructor(host: WorkerHost) {
    this.#host = host
  }

  async evaluate(job: ExpressionJob, ms = TIME_LIMIT): Promise<Outcome<unknown>> {
    const { outcomes } = await this.evaluateAll([{ job, ms }], ms)
    const [outcome] = outcomes
    return outcome ?? endedOutcome('time', job)
  }

  evaluateAll(jobs: readonly TimedJob[], total: number): Promise<TimedOutcomes> {
    return new Promise(resolve => {
      const question: Question = { jobs, total, outcomes: [], spent: 0, settle: resolve }
      if (jobs.length === 0) return resolve({ outcomes: [], ms: 0 })
      if (this.#waiting.length >= MAX_WAITING) return settleWith('limit', question)
      this.#waiting.push(question)
      this.#next()
    })
  }

  close(): void {
    for (const question of this.#waiting.splice(0)) settleWith('time', question)
    const question = this.#running?.question
    this.#running = undefined
    this.#endWorker()
    this.#callOff()
    if (question !== undefined) settleWith('time', question)
  }

  #next(): void {
    const question = this.#running === undefined ? this.#waiting.shift() : undefined
    if (question === undefined) return
    this.#count += 1
    const id = this.#count
    this.#running = { id, question, begun: undefined }
    this.#worker ??= this.#startWorker()
    this.#callOff = this.#host.after(LOADING_LIMIT, () => this.#endWith('time'))
    this.#worker.ask({ id, jobs: question.jobs.slice(question.outcomes.length).map(({ job }) => job) })
  }

  #startWorker(): EndableWorker {
    const started: EndableWorker = this.#host.start(
      answer => this.#hear(answer),
      () => {
        if (this.#worker === started) this.#endWith('limit')
      },
    )
    return started
  }

  #hear(answer: WorkerAnswer): void {
    const running = this.#running
    if (running?.id !== answer.id) return
    this.#callOff()
    if (answer.outcome !== undefined) {
      this.#take(answer.outcome)
      if (this.#isDone()) return
    }
    const { outcomes, jobs, total, spent } = running.question
    if (answer.begun) running.begun = this.#host.now()
    const limit = answer.begun ? Math.min(jobs[outcomes.length]?.ms ?? 0, total - spent) : LOADING_LIMIT
    this.#callOff = this.#host.after(limit, () => this.#endWith('time'))
  }

  #take(outcome: Outcome<unknown>): void {
    if (this.#running === undefined) return
    const { question, begun } = this.#running
    question.outcomes.push(outcome)
    question.spent += begun === undefined ? 0 : this.#host.now() - begun
    this.#running.begun = undefined
  }

  /** Whether the question that runs is answered, or over its time: then the next one is asked. */
  #isDone(): boolean {
    const question = this.#running?.question
    if (question === undefined) return true
    const isLeft = question.outcomes.length < question.jobs.length
    if (isLeft && question.spent < question.total) return false
    this.#callOff()
    this.#running = undefined
    // It is at work on what nobody waits for.
    if (isLeft) this.#endWorker()
    settleWith('time', question)
    this.#next()
    return true
  }

  #endWorker(): void {
    this.#worker?.end()
    this.#worker = undefined
  }

  /** The present job is ended with its worker; those behind it are done by another one. */
  #endWith(code: 'time' | 'limit'): void {
    this.#endWorker()
    const question = this.#running?.question
    const job = question?.jobs[question.outcomes.length]?.job
    if (question === undefined || job === undefined) return
    this.#take(endedOutcome(code, job))
    if (this.#isDone()) return
    this.#callOff()
    this.#running = undefined
    this.#waiting.unshift(question)
    this.#next()
  }
}

export const createEvaluator = (host: WorkerHost): ClosableEvaluator => new WorkerEvaluator(host)
