import { randomUUID } from 'node:crypto'
import { appendSealed, type Draft, draft, type StreamEnd, seal, type Tail } from '#commands/pipeline/append.ts'
import { type EventStore, START, WrongRevision } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'

/** Event for a stream that does not belong to an entity. */
export interface StreamFact {
  readonly type: string
  readonly data: Readonly<Record<string, Json>>
}

/** Events with ids unique to this call, so that of two writers at one revision a single one succeeds. */
export const exclusiveDrafts = (
  stream: string,
  facts: readonly StreamFact[],
  actor: string | null = null,
): readonly Draft[] => {
  const time = new Date().toISOString()
  const author = { seed: randomUUID(), actor, time, correlation: stream, causation: null, isSole: true }
  return facts.map(({ type, data }, place) => draft(author, `${type} ${place}`, type, null, data))
}

/**
 * Appends after `tail`, at that very revision. Returns the stored events; each has the position of the last one.
 * @throws WrongRevision when another writer was first
 */
export const appendEvents = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  drafts: readonly Draft[],
): Promise<readonly StoredEvent[]> => {
  const events = seal(stream, tail, drafts)
  const { position } = await appendSealed(store, stream, tail, events)
  return events.map((event, place) => ({ ...event, stream, revision: tail.revision + place + 1, position }))
}

/** Deletes a stream, also when events are appended meanwhile. */
export const removeStream = async (store: EventStore, stream: string): Promise<void> => {
  for (;;) {
    try {
      const revision = await store.revision(stream)
      return revision === 0 ? undefined : await store.delete(stream, revision)
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

/**
 * The only writer of a stream: each append names the exact revision, so that it fails for good once another node has
 * written. `written` is called with each stored event before `write` resolves.
 */
export class ExclusiveWriter {
  readonly #store: EventStore
  readonly #stream: string
  readonly #written: (event: StoredEvent) => void
  #tail: Tail
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: EventStore, stream: string, tail: Tail, written: (event: StoredEvent) => void = () => undefined) {
    this.#store = store
    this.#stream = stream
    this.#tail = tail
    this.#written = written
  }

  /** Whether the stream has no events. */
  get isNew(): boolean {
    return this.#tail.revision === 0
  }

  /**
   * Returns the position of the last event.
   * @throws WrongRevision when another node wrote, for this and every later write
   */
  write(facts: readonly { readonly type: string; readonly data: object }[]): Promise<string> {
    const mine = this.#last.then(() => this.#append(facts as readonly StreamFact[]))
    this.#last = mine.catch(error => {
      if (error instanceof WrongRevision) throw error
    })
    this.#last.catch(() => undefined)
    return mine
  }

  async #append(facts: readonly StreamFact[]): Promise<string> {
    const events = await appendEvents(this.#store, this.#stream, this.#tail, exclusiveDrafts(this.#stream, facts))
    this.#tail = events.at(-1) ?? this.#tail
    for (const event of events) this.#written(event)
    return events.at(-1)?.position ?? START
  }
}

/** Serializes calls per key. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Whether a call with this key runs or waits. */
  isBusy(key: string): boolean {
    return this.#last.has(key)
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work)
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key)
      })
    this.#last.set(key, settled)
    return mine
  }
}

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
