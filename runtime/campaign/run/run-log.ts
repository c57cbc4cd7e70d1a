import { setTimeout as pause } from 'node:timers/promises'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import { type SoleFact, soleDrafts, tailOf } from '../../log/sole-append.ts'
import type { RunIndex } from './run-index.ts'

const BEHIND_MS = 20
const MAX_BEHIND_MS = 10_000

interface RunFact {
  readonly type: string
  readonly data: object
}

/**
 * The only writer of a stream: each append names the exact revision, so that it fails for good once another node has
 * written. The index includes the events when `write` resolves.
 */
export class RunLog {
  readonly stream: string
  readonly #store: EventStore
  readonly #index: RunIndex
  #tail: Tail
  #last: Promise<unknown> = Promise.resolve()

  private constructor(stream: string, store: EventStore, index: RunIndex, tail: Tail) {
    this.stream = stream
    this.#store = store
    this.#index = index
    this.#tail = tail
  }

  /** Resolves when the index includes all events of the stream. */
  static async open(stream: string, store: EventStore, index: RunIndex): Promise<RunLog> {
    const tail = await tailOf(store, stream)
    const began = performance.now()
    while (index.revision(stream) < tail.revision) {
      if (performance.now() - began > MAX_BEHIND_MS) throw new Error(`the log of ${stream} does not come`)
      await pause(BEHIND_MS)
    }
    return new RunLog(stream, store, index, tail)
  }

  get isNew(): boolean {
    return this.#tail.revision === NO_STREAM.revision
  }

  /** @throws WrongRevision when another node wrote, for this and every later write */
  write(facts: readonly RunFact[]): Promise<void> {
    const mine = this.#last.then(() => this.#append(facts))
    this.#last = mine.catch(error => {
      if (error instanceof WrongRevision) throw error
    })
    this.#last.catch(() => undefined)
    return mine
  }

  async #append(facts: readonly RunFact[]): Promise<void> {
    const drafts = soleDrafts(this.stream, facts as readonly SoleFact[])
    const before = this.#tail.revision
    this.#tail = await append(this.#store, this.stream, this.#tail, drafts)
    for (const [place, event] of drafts.entries())
      this.#index.take({ ...event, stream: this.stream, revision: before + place + 1 })
  }
}
