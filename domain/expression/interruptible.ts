import { fault, type Outcome } from './fault.ts'
import { type ExpressionJob, prepareJob } from './run-job.ts'

/** What a worker says: that a job begins now, and what came of it. */
export type WorkerAnswer =
  | { readonly id: number; readonly begun: true }
  | { readonly id: number; readonly outcome: Outcome<unknown> }
export interface WorkerQuestion {
  readonly id: number
  readonly job: ExpressionJob
}

const lengthOf = (job: ExpressionJob) => (job.kind === 'template' ? job.text : job.source).length
const ended = (code: 'time' | 'limit', job: ExpressionJob) => fault(code, { offset: 0, length: lengthOf(job) })

/** What a worker does with each question: the same in every kind of worker. */
export const answerQuestion = async ({ id, job }: WorkerQuestion, say: (answer: WorkerAnswer) => void) => {
  try {
    const run = await prepareJob(job)
    say({ id, begun: true })
    say({ id, outcome: await run() })
  } catch {
    // An engine that could not be fetched; the next question tries again.
    say({ id, outcome: ended('time', job) })
  }
}

/** A worker that can be ended whatever it is doing. */
export interface EndableWorker {
  ask(question: WorkerQuestion): void
  end(): void
}

interface WorkerHost {
  /** `onDead`: it ended by itself, out of memory or unable to load. */
  start(onAnswer: (answer: WorkerAnswer) => void, onDead: () => void): EndableWorker
  /** Calls once after so many ms; the answer calls it off. */
  after(ms: number, then: () => void): () => void
}

/** ms that one job may take. */
const TIME_LIMIT = 1000
/** ms in which a worker must have loaded. */
const LOADING_LIMIT = 30_000
/** Jobs that wait; more are refused. */
const MAX_WAITING = 1000

export interface Evaluator {
  /** Never rejects: what takes longer than `ms` is ended (`time`), with its worker. */
  evaluate(job: ExpressionJob, ms?: number): Promise<Outcome<unknown>>
  /** Ends the worker; what waits is answered with `time`. */
  close(): void
}

interface Waiting {
  readonly job: ExpressionJob
  readonly ms: number
  readonly settle: (outcome: Outcome<unknown>) => void
}

/** Evaluates one job after another in one warm worker, which is replaced when a job had to be ended. */
export const createEvaluator = (host: WorkerHost): Evaluator => {
  const waiting: Waiting[] = []
  let worker: EndableWorker | undefined
  let running: (Waiting & { readonly id: number }) | undefined
  let callOff = () => {}
  let count = 0

  const settle = (outcome: Outcome<unknown>) => {
    const done = running
    callOff()
    running = undefined
    done?.settle(outcome)
    next()
  }
  const endWith = (code: 'time' | 'limit') => {
    worker?.end()
    worker = undefined
    if (running !== undefined) settle(ended(code, running.job))
  }
  const hear = (answer: WorkerAnswer) => {
    if (running?.id !== answer.id) return
    if ('outcome' in answer) return settle(answer.outcome)
    callOff()
    callOff = host.after(running.ms, () => endWith('time'))
  }
  const startWorker = (): EndableWorker => {
    const started: EndableWorker = host.start(hear, () => {
      if (worker === started) endWith('limit')
    })
    return started
  }
  function next() {
    const first = running === undefined ? waiting.shift() : undefined
    if (first === undefined) return
    count += 1
    running = { ...first, id: count }
    worker ??= startWorker()
    callOff = host.after(LOADING_LIMIT, () => endWith('time'))
    worker.ask({ id: count, job: first.job })
  }
  return {
    evaluate: (job, ms = TIME_LIMIT) =>
      new Promise(resolve => {
        if (waiting.length >= MAX_WAITING) return resolve(ended('limit', job))
        waiting.push({ job, ms, settle: resolve })
        next()
      }),
    close: () => {
      for (const { job, settle: tell } of waiting.splice(0)) tell(ended('time', job))
      endWith('time')
    },
  }
}
