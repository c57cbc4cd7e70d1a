import { setTimeout as pause } from 'node:timers/promises'
import { Expired, unavailable } from './failure.ts'

const FIRST_PAUSE = 20
const LONGEST_PAUSE = 500
/** ms that a server may search its log for the next event that a filter lets through: a sparse one passes over millions. */
const LONGEST_SEARCH = 300_000

/** How long one call may go on trying, whatever the client's own deadlines do: a frozen server holds those for 20 s. */
export class Patience {
  readonly #milliseconds: number
  #until: number
  #pause = FIRST_PAUSE

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#until = performance.now() + milliseconds
  }

  /** Something came: the time counts anew. */
  renew(): void {
    this.#until = performance.now() + this.#milliseconds
    this.#pause = FIRST_PAUSE
  }

  /** The answer, or `Expired` when it does not come in time; then its outcome is unknown. */
  async within<T>(answer: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const left = Math.max(1, this.#until - performance.now())
    const timer = setTimeout(() => reject(new Expired(`no answer in ${this.#milliseconds} ms`)), left)
    try {
      return await Promise.race([answer, promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * As `within`, for what the server may have to search for without a word. Whoever answers something else meanwhile is
   * searching; a server that is dead is noticed after twice the time.
   */
  async whileSearched<T>(answer: Promise<T>, askElse: () => Promise<unknown>): Promise<T> {
    const end = performance.now() + LONGEST_SEARCH
    for (;;) {
      try {
        return await this.within(answer)
      } catch (error) {
        if (!(error instanceof Expired) || performance.now() > end) throw error
        this.renew()
        await this.within(askElse())
      }
    }
  }

  /**
   * Waits before the next try.
   * @throws StoreUnavailable when the time is over
   */
  async after(error: unknown): Promise<void> {
    if (performance.now() + this.#pause >= this.#until) throw unavailable(error)
    await pause(this.#pause)
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
  }
}
