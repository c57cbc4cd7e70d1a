import type { StoredEvent } from '#schemas/event.ts'

const BATCH = 2000
const BATCH_BYTES = 4 * 1024 * 1024
/** Batches under way: one is folded while the next one is already there. */
const CATCHING_UP = 2
/** Ordinary event, roughly. */
const EVENT_BYTES = 600

const sizeOf = (event: StoredEvent): number => {
  const { update } = event.data
  return typeof update === 'string' ? EVENT_BYTES + update.length : EVENT_BYTES
}

/**
 * Batches events for a worker: full batches during catch-up; once live, pending events as soon as the worker is free.
 * `push` returns a promise when the queue is full.
 */
export class Feed {
  readonly #send: (events: readonly StoredEvent[], position: string) => void
  #pending: StoredEvent[] = []
  #bytes = 0
  #underWay = 0
  #events = 0
  #live = false
  #room: (() => void) | undefined
  #empty: (() => void) | undefined

  constructor(send: (events: readonly StoredEvent[], position: string) => void) {
    this.#send = send
  }

  /** Events that are not folded yet. */
  get behind(): number {
    return this.#events
  }

  push(event: StoredEvent): void | Promise<void> {
    this.#pending.push(event)
    this.#bytes += sizeOf(event)
    this.#events += 1
    this.#flush()
    if (!this.#isFull()) return
    return new Promise(resolve => {
      this.#room = resolve
    })
  }

  /** Everything there was has been pushed. */
  live(): void {
    this.#live = true
    this.#flush()
  }

  folded(count: number): void {
    this.#underWay -= 1
    this.#events -= count
    this.#flush()
    if (!this.#isFull()) {
      this.#room?.()
      this.#room = undefined
    }
    if (this.#events === 0) this.#empty?.()
  }

  /** Resolves when everything pushed so far is folded. */
  drained(): Promise<void> {
    if (this.#events === 0) return Promise.resolve()
    return new Promise(resolve => {
      this.#empty = resolve
    })
  }

  #isFull(): boolean {
    return this.#pending.length >= BATCH || this.#bytes >= BATCH_BYTES
  }

  #flush(): void {
    const free = this.#underWay < (this.#live ? 1 : CATCHING_UP)
    const last = this.#pending.at(-1)
    if (last === undefined || !free || !(this.#live || this.#isFull())) return
    const events = this.#pending
    this.#pending = []
    this.#bytes = 0
    this.#underWay += 1
    this.#send(events, last.position)
  }
}
