import { randomUUID } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'

/** Running jobs of one person, and of a node. */
const MAX_OF_PERSON = 2
const MAX_RUNNING = 6
/** A result is kept this long after its end, ms. */
const KEPT_MS = 300_000

interface JobSteps {
  readonly signal: AbortSignal
  /** Number of rows so far, of `total`. */
  progress(done: number, total?: number): void
}

/** Work over many contacts that nobody waits for. */
export interface AudienceJob {
  readonly id: string
  readonly owner: string | null
  total: number
  done: number
  /** Undefined while it runs. */
  ended:
    | { readonly at: number; readonly result: JsonObject }
    | { readonly at: number; readonly error: unknown }
    | undefined
  readonly settled: Promise<void>
}

/** Counts, removals and copies of contacts that run on this node, and their results for a while. */
export class AudienceJobs {
  readonly #jobs = new Map<string, AudienceJob>()
  readonly #closed = new AbortController()
  readonly #failed: (error: unknown) => void

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** A job of a person. */
  find(id: string, owner: string | null): AudienceJob | undefined {
    this.#forget()
    const job = this.#jobs.get(id)
    return job?.owner === owner ? job : undefined
  }

  /** Undefined: too many run. */
  start(owner: string | null, work: (steps: JobSteps) => Promise<JsonObject>): AudienceJob | undefined {
    this.#forget()
    const running = [...this.#jobs.values()].filter(({ ended }) => ended === undefined)
    if (running.length >= MAX_RUNNING || running.filter(job => job.owner === owner).length >= MAX_OF_PERSON)
      return undefined
    const steps: JobSteps = {
      signal: this.#closed.signal,
      progress(done, total = job.total) {
        job.done = done
        job.total = total
      },
    }
    const { promise: settled, resolve } = Promise.withResolvers<void>()
    const job: AudienceJob = { id: randomUUID(), owner, total: 0, done: 0, ended: undefined, settled }
    this.#jobs.set(job.id, job)
    void Promise.resolve()
      .then(() => work(steps))
      .then(
        result => {
          job.ended = { at: Date.now(), result }
        },
        error => {
          job.ended = { at: Date.now(), error }
          if (!this.#closed.signal.aborted) this.#failed(error)
        },
      )
      .then(resolve)
    return job
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await Promise.all([...this.#jobs.values()].map(({ settled }) => settled))
  }

  #forget(): void {
    for (const [id, { ended }] of this.#jobs)
      if (ended !== undefined && Date.now() - ended.at > KEPT_MS) this.#jobs.delete(id)
  }
}
