import type { Draft } from '#commands/integrity/hash-chain.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { appendEvents, type StreamEnd } from './exclusive-append.ts'
import { KeyedMutex } from './keyed-mutex.ts'

/** Reads and writes the states of one kind of aggregate. */
interface AggregateSource<S, F> {
  /** Reads the events after `known`, or all events. */
  readonly read: (id: string, known: S | undefined) => Promise<S>
  /** Appends at the revision of `state`. @throws WrongRevision */
  readonly append: (id: string, state: S, facts: readonly F[]) => Promise<S>
  /** Called before each decision; it may append. */
  readonly prepare?: (id: string, state: S) => Promise<S>
  /** Called when a write read events of other writers. */
  readonly caughtUp?: (state: S) => void
  /** Maximum number of cached states; the least recently written or read ones are evicted. 0: none are cached. */
  readonly limit: number
}

/** States folded from streams, and the only way to write to these: calls are serialized per id. */
export class StreamAggregate<S, F> {
  readonly #source: AggregateSource<S, F>
  readonly #cached = new Map<string, S>()
  readonly #mutex = new KeyedMutex()

  constructor(source: AggregateSource<S, F>) {
    this.#source = source
  }

  /** The cached state, which may lack events of other writers; else reads it. */
  load(id: string): Promise<S> {
    return this.#mutex.run(id, () => this.#load(id))
  }

  /** Reads events of other writers. */
  refresh(id: string): Promise<S> {
    return this.#mutex.run(id, () => this.#read(id, this.#cached.get(id)))
  }

  /**
   * Appends the facts that `decide` returns for the cached state; after a conflict it reads and decides again. No
   * facts: nothing is written, so call `refresh` first where that decision needs the events of other writers. Returns
   * the resulting state.
   */
  write(id: string, decide: (state: S) => Promise<readonly F[]> | readonly F[]): Promise<S> {
    const { append, prepare, caughtUp } = this.#source
    return this.#mutex.run(id, async (): Promise<S> => {
      let state: S = await this.#load(id)
      for (;;) {
        try {
          if (prepare !== undefined) state = this.#keep(id, await prepare(id, state))
          const facts = await decide(state)
          return facts.length === 0 ? state : this.#keep(id, await append(id, state, facts))
        } catch (error) {
          if (!(error instanceof WrongRevision)) throw error
          state = await this.#read(id, state)
          caughtUp?.(state)
        }
      }
    })
  }

  cached(id: string): S | undefined {
    return this.#cached.get(id)
  }

  /** Whether a read or a write is in progress. */
  isBusy(id: string): boolean {
    return this.#mutex.isBusy(id)
  }

  /** Evicts a state, after the calls in progress. */
  evict(id: string): Promise<void> {
    return this.#mutex.run(id, async () => void this.#cached.delete(id))
  }

  /** Evicts all states. Returns them. */
  clear(): readonly S[] {
    const states = [...this.#cached.values()]
    this.#cached.clear()
    return states
  }

  async #load(id: string): Promise<S> {
    return this.#cached.get(id) ?? this.#read(id, undefined)
  }

  async #read(id: string, known: S | undefined): Promise<S> {
    return this.#keep(id, await this.#source.read(id, known))
  }

  #keep(id: string, state: S): S {
    this.#cached.delete(id)
    if (state !== undefined) this.#cached.set(id, state)
    const [oldest] = this.#cached.keys()
    const isFull = this.#cached.size > this.#source.limit
    if (isFull && oldest !== undefined && (this.#source.limit === 0 || !this.isBusy(oldest)))
      this.#cached.delete(oldest)
    return state
  }
}

interface StreamOptions<S> {
  readonly initial: S
  /** The `end` of the returned state is ignored. */
  readonly fold: (state: S, event: StoredEvent) => S | Promise<S>
  /** The newest event has the whole state: earlier ones are not read. */
  readonly isNewestOnly?: boolean
  /** Maximum number of cached states. Default 0: each call reads the stream. */
  readonly limit?: number
}

/** Aggregate of one stream each; the id is the stream's name. */
export const streamAggregate = <S extends { readonly end: StreamEnd }>(
  store: EventStore,
  { initial, fold, isNewestOnly = false, limit = 0 }: StreamOptions<S>,
): StreamAggregate<S, Draft> => {
  const next = async (state: S, event: StoredEvent): Promise<S> => {
    const { revision, hash, position } = event
    return { ...(await fold(state, event)), end: { revision, hash, position } }
  }
  return new StreamAggregate<S, Draft>({
    limit,
    async read(stream, known = initial) {
      let state = known
      const newest = { direction: 'backwards', limit: 1 } as const
      const events = store.read(stream, isNewestOnly ? newest : { from: known.end.revision + 1 })
      for await (const event of events) state = await next(state, event)
      return state
    },
    async append(stream, known, drafts) {
      let state = known
      for (const event of await appendEvents(store, stream, known.end, drafts)) state = await next(state, event)
      return state
    },
  })
}
