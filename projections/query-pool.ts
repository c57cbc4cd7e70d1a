import { Worker } from 'node:worker_threads'
import { withoutSettings } from '#schemas/settings.ts'
import type { FromQuery, QueryData, ToQuery } from './message.ts'

/** The read models cannot answer now: too many queries wait, or the workers stopped. */
export class ReadModelsUnavailable extends Error {
  override readonly name = 'ReadModelsUnavailable'
}

interface Waiting {
  readonly message: ToQuery
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

interface Member {
  readonly worker: Worker
  /** Until it has loaded its modules, questions wait for it: another thread would be ready no sooner. */
  isStarting: boolean
  busy: Waiting | undefined
}

const AT_MOST = 2000
const RESTART = 250
/** Longer than most queues of short questions last: a thread costs more than to wait for those. */
const START_ANOTHER_MS = 200
/** A thread takes some 10 MB. */
const END_IDLE_MS = 60_000

/**
 * Query workers over one file: each answers one question at a time, the others wait in one bounded line. The first
 * starts at once, another one when questions have been waiting for START_ANOTHER_MS. It ends after a minute in which
 * fewer were enough.
 */
export class QueryPool {
  readonly #file: string
  readonly #members = new Set<Member>()
  readonly #line: Waiting[] = []
  readonly #most: number
  #next = 1
  /** Lost ones that are started again in a moment. */
  #coming = 0
  #closed = false
  #another: NodeJS.Timeout | undefined
  #ending: NodeJS.Timeout | undefined
  #idle: (() => void) | undefined

  constructor(file: string, workers: number) {
    this.#file = file
    this.#most = workers
    this.#start()
  }

  /** Threads that answer or are being started. */
  get threads(): number {
    return this.#members.size
  }

  ask(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#closed) return Promise.reject(new ReadModelsUnavailable('the read models are closed'))
    if (this.#line.length >= AT_MOST) return Promise.reject(new ReadModelsUnavailable('too many questions are waiting'))
    return new Promise((resolve, reject) => {
      this.#line.push({ message: { id: this.#next++, method, args }, resolve, reject })
      this.#serve()
    })
  }

  /** Ends once everything asked has been answered. */
  async close(): Promise<void> {
    const drained = new Promise<void>(resolve => {
      this.#idle = resolve
    })
    this.#closed = true
    clearTimeout(this.#ending)
    this.#rest()
    await drained
    await Promise.all([...this.#members].map(member => member.worker.terminate()))
  }

  #start(): void {
    const workerData: QueryData = { file: this.#file }
    const worker = new Worker(new URL('./read/query-worker.ts', import.meta.url), {
      workerData,
      env: withoutSettings(process.env),
    })
    const member: Member = { worker, isStarting: true, busy: undefined }
    this.#members.add(member)
    worker.on('message', (message: FromQuery) => {
      if ('isReady' in message) this.#ready(member)
      else this.#answered(member, message)
    })
    worker.on('error', error => this.#lost(member, error))
    worker.on('exit', () => this.#lost(member, new Error('a query worker ended')))
    this.#serve()
  }

  #serve(): void {
    for (const member of this.#members) {
      if (member.busy !== undefined) continue
      const waiting = this.#line.shift()
      if (waiting === undefined) break
      member.busy = waiting
      member.worker.postMessage(waiting.message)
    }
    if ([...this.#members].every(member => member.busy !== undefined)) this.#ending?.refresh()
    if (this.#line.length === 0) {
      clearTimeout(this.#another)
      this.#another = undefined
    } else if (this.#mayStart()) this.#another ??= setTimeout(() => this.#startAnother(), START_ANOTHER_MS).unref()
  }

  #ready(member: Member): void {
    member.isStarting = false
    this.#serve()
    this.#endLater()
  }

  /** Starts the idle minute; `#serve` starts it again whenever all threads are busy. */
  #endLater(): void {
    clearTimeout(this.#ending)
    this.#ending = undefined
    if (this.#closed || this.#members.size < 2) return
    this.#ending = setTimeout(() => this.#endIdle(), END_IDLE_MS).unref()
  }

  #endIdle(): void {
    const idle = [...this.#members].findLast(member => member.busy === undefined && !member.isStarting)
    if (idle !== undefined) {
      this.#members.delete(idle)
      void idle.worker.terminate()
    }
    this.#endLater()
  }

  #mayStart(): boolean {
    const isStarting = [...this.#members].some(member => member.isStarting)
    return !isStarting && this.#members.size + this.#coming < this.#most
  }

  #startAnother(): void {
    this.#another = undefined
    if (this.#line.length > 0 && this.#mayStart()) this.#start()
  }

  #answered(member: Member, answer: Exclude<FromQuery, { readonly isReady: true }>): void {
    const waiting = member.busy
    member.busy = undefined
    if (answer.ok) waiting?.resolve(answer.value)
    else waiting?.reject(new Error(answer.message))
    this.#serve()
    this.#rest()
  }

  #lost(member: Member, error: Error): void {
    if (!this.#members.delete(member)) return
    member.busy?.reject(new ReadModelsUnavailable(error.message))
    if (!this.#closed || this.#line.length > 0) {
      this.#coming += 1
      setTimeout(() => {
        this.#coming -= 1
        this.#start()
      }, RESTART).unref()
    }
    this.#rest()
  }

  #rest(): void {
    if (this.#line.length === 0 && [...this.#members].every(member => member.busy === undefined)) this.#idle?.()
  }
}
