/** Default parallelism of a channel. */
const USUAL_PARALLEL = 50

export interface WorkPace {
  /** Maximum parallel jobs; per round if there is an interval. */
  readonly parallel: number | undefined
  /** ms between two rounds; 0: no rounds. */
  readonly interval: number
}

interface Work {
  /** Jobs with the same key run in sequence. */
  readonly key: string
  run(): Promise<void>
}

/** Processes the incoming events of a channel by its `parallel_execution_processes` and `jobinterval` (D-3.1.04). */
export class WorkQueue {
  readonly #waiting: Work[] = []
  readonly #running = new Set<string>()
  #pace: WorkPace = { parallel: undefined, interval: 0 }
  #timer: NodeJS.Timeout | undefined
  #roundAt = 0

  add(pace: WorkPace, work: Work): void {
    this.#pace = pace
    this.#waiting.push(work)
    this.#next()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#waiting.length = 0
  }

  #next(): void {
    const { parallel = USUAL_PARALLEL, interval } = this.#pace
    const wait = this.#roundAt + interval - performance.now()
    if (interval > 0 && wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#next()
      }, wait).unref()
      return
    }
    let begun = 0
    for (let at = 0; at < this.#waiting.length && this.#running.size < parallel; ) {
      const work = this.#waiting[at]
      if (work === undefined || this.#running.has(work.key)) at += 1
      else {
        this.#waiting.splice(at, 1)
        this.#begin(work)
        begun += 1
      }
    }
    if (begun > 0) this.#roundAt = performance.now()
  }

  #begin(work: Work): void {
    this.#running.add(work.key)
    void work.run().finally(() => {
      this.#running.delete(work.key)
      this.#next()
    })
  }
}
