import { setTimeout as pause } from 'node:timers/promises'
import {
  AccessDeniedError,
  isCommandError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
} from '@kurrent/kurrentdb-client'
import { EventTooLarge, StoreReadOnly, StoreUnavailable, StreamTombstoned } from '../port.ts'

/** The wait was over before the answer came. */
class DeadlineExceeded extends Error {
  override readonly name = 'Expired'
}

/**
 * The port's error when the outcome is certain; undefined when it is unknown. Only the server's own answers are
 * certain: after any other error the event may have been written.
 */
export const known = (error: unknown, stream: string): Error | undefined => {
  if (error instanceof StreamDeletedError) return new StreamTombstoned(`${stream} is removed for ever`)
  if (error instanceof MaxAppendSizeExceededError) return new EventTooLarge(`An append to ${stream} is over 1 MiB`)
  if (error instanceof AccessDeniedError) return new StoreReadOnly(`The event store denies access to ${stream}`)
  return undefined
}

export const isNotFound = (error: unknown): boolean => error instanceof StreamNotFoundError

export const unavailable = (error: unknown): StoreUnavailable => {
  if (error instanceof StoreUnavailable) return error
  const kind = error instanceof Error && isCommandError(error) ? `${error.type}: ` : ''
  const message = error instanceof Error ? error.message : String(error)
  return new StoreUnavailable(`The event store does not answer (${kind}${message})`, { cause: error })
}

const FIRST_PAUSE = 20
const MAX_PAUSE_MS = 500
/** ms that a server may search its log for the next event that a filter lets through: a sparse one passes over millions. */
const SEARCH_TIMEOUT_MS = 160_000

/**
 * Time limit of a call and its retries, independent of the client's deadlines: a frozen server holds those for 20 s.
 */
export class Patience {
  #milliseconds: number
  #until: number
  #pause = FIRST_PAUSE

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#until = performance.now() + milliseconds
  }

  /** Progress: restarts the time limit. */
  renew(): void {
    this.#until = performance.now() + this.#milliseconds
    this.#pause = FIRST_PAUSE
  }

  /** The answer, or `DeadlineExceeded` when it does not come in time; then its outcome is unknown. */
  async within<T>(answer: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const left = Math.max(1, this.#until - performance.now())
    const timer = setTimeout(() => reject(new DeadlineExceeded(`no answer in ${this.#milliseconds} ms`)), left)
    try {
      return await Promise.race([answer, promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * As `after`, for a read that the server may have to search its log for: a server that answers something else is not
   * dead, and gets twice the time for the next try. Of one that is dead it is known after twice the time.
   * @throws StoreUnavailable
   */
  async afterSearch(error: unknown, askElse: () => Promise<unknown>): Promise<void> {
    if (!(error instanceof DeadlineExceeded)) return this.after(error)
    if (this.#milliseconds >= SEARCH_TIMEOUT_MS) throw unavailable(error)
    this.renew()
    await this.within(askElse()).catch(() => {
      throw unavailable(error)
    })
    this.#milliseconds *= 2
    this.renew()
  }

  /** Waits before the next try. @throws StoreUnavailable after the time limit */
  async after(error: unknown): Promise<void> {
    if (performance.now() + this.#pause >= this.#until) throw unavailable(error)
    await pause(this.#pause)
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE_MS)
  }
}

/**
 * Yields a read's results, each step within the patience. Time spent by the reader between steps does not count. The
 * library cannot end the call of an abandoned read: it ends with its client.
 */
export async function* readWithDeadline<T>(source: AsyncIterable<T>, patience: Patience): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await patience.within(iterator.next())
      if (done) return
      yield value
      patience.renew()
    }
  } finally {
    iterator.return?.().catch(() => undefined)
  }
}
