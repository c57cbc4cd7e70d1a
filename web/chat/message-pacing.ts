import type { ChatMessage } from './chat-protocol.ts'

/** Longest delay that is kept, ms: a wrong one must not hold a conversation back. */
const MAX_DELAY_MS = 20_000

/** Holds messages back as long as they say, one after the other (RUNTIME 70); an input lets all of them through. */
export class Pace {
  readonly #waiting: ChatMessage[] = []
  readonly #show: (message: ChatMessage) => void
  readonly #hold: (isHeld: boolean, message: ChatMessage | undefined) => void
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(show: (message: ChatMessage) => void, hold: (isHeld: boolean, message: ChatMessage | undefined) => void) {
    this.#show = show
    this.#hold = hold
  }

  take(message: ChatMessage): void {
    this.#waiting.push(message)
    if (this.#timer === undefined) this.#next()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const message of this.#waiting.splice(0)) this.#show(message)
    this.#hold(false, undefined)
  }

  /** Nothing of an earlier conversation is shown in the next. */
  clear(): void {
    this.#waiting.length = 0
    this.flush()
  }

  #next(): void {
    const [first] = this.#waiting
    this.#timer = undefined
    if (first === undefined) this.#hold(false, undefined)
    else this.#present(first)
  }

  #present(first: ChatMessage): void {
    const delay = Math.min(MAX_DELAY_MS, first.delay ?? 0)
    const show = () => {
      this.#waiting.shift()
      this.#show(first)
      this.#next()
    }
    if (delay > 0) {
      this.#hold(true, first)
      this.#timer = setTimeout(show, delay)
    } else show()
  }
}
