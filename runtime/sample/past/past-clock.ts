import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises'

interface Moment {
  /** ms since 1970 */
  readonly at: number
  readonly act: () => Promise<unknown> | void
}

/**
 * Clock of the past, with its planned moments. It jumps from one to the next, so that the speed of the computer changes
 * nothing.
 */
export class PastClock {
  #now: number
  /** From last to first: the next moment is taken from the end. */
  readonly #planned: Moment[] = []

  /** `now`: ms since 1970. */
  constructor(now: number) {
    this.#now = now
  }

  /** ms since 1970 */
  now(): number {
    return this.#now
  }

  /** Lets time pass within a moment. */
  pass(ms: number): void {
    this.#now += ms
  }

  /** Plans an act, behind those of the same moment. Returns how to cancel it. */
  at(at: number, act: Moment['act']): () => void {
    const moment = { at, act }
    let low = 0
    let high = this.#planned.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#planned[middle]?.at ?? 0) > at) low = middle + 1
      else high = middle
    }
    this.#planned.splice(low, 0, moment)
    return () => {
      const place = this.#planned.indexOf(moment)
      if (place !== -1) this.#planned.splice(place, 1)
    }
  }

  after(ms: number, act: Moment['act']): () => void {
    return this.at(this.#now + ms, act)
  }

  /** Advances to the next moment; undefined when nothing is planned. */
  next(): Moment | undefined {
    const moment = this.#planned.pop()
    // An answer of the moment before may have taken longer.
    if (moment !== undefined) this.#now = Math.max(this.#now, moment.at)
    return moment
  }
}

/** Turns of the event loop without a call after which all work has ended. */
const STILL_TURNS = 2
/** Longest wait for the end of work, ms: only after a fault. */
const LONGEST_MS = 30_000
/** Pause between two looks at calls that are open, ms. */
const LOOK_MS = 50

/** Calls of the past that other threads and processes answer: a moment ends when all of them have ended. */
export class PastWork {
  readonly #open = new Set<Promise<unknown>>()
  readonly #watched = new WeakMap<object, object>()
  #calls = 0

  /** The same object; calls of its methods, and of those of its members, are counted. */
  watched<T extends object>(target: T): T {
    const known = this.#watched.get(target)
    if (known !== undefined) return known as T
    const made = new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'function')
          return (...given: unknown[]) => this.#counted(Reflect.apply(member, target, given))
        return typeof member === 'object' && member !== null ? this.watched(member) : member
      },
    })
    this.#watched.set(target, made)
    return made
  }

  /** Resolves when no call is open and none follows. `isQuiet`: false while more is to be done. */
  async finished(isQuiet: () => boolean): Promise<void> {
    const end = performance.now() + LONGEST_MS
    for (let still = 0; still < STILL_TURNS && performance.now() < end; ) {
      const calls = this.#calls
      if (this.#open.size > 0) await Promise.race([...this.#open, pause(LOOK_MS, undefined, { ref: false })])
      // Requests of people come between two turns.
      await breath()
      still = this.#open.size === 0 && this.#calls === calls && isQuiet() ? still + 1 : 0
    }
  }

  #counted(answer: unknown): unknown {
    this.#calls += 1
    if (!(answer instanceof Promise)) return answer
    const over = () => void this.#open.delete(ended)
    const ended = answer.then(over, over)
    this.#open.add(ended)
    return answer
  }
}
