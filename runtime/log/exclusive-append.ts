import { randomUUID } from 'node:crypto'
import { type Draft, NO_STREAM, seal, type Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/event-draft.ts'
import { type EventStore, START, WrongRevision } from '#commands/store/port.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'

/** Event for a stream that does not belong to an entity. */
export interface StreamFact {
  readonly type: string
  readonly data: Readonly<Record<string, Json>>
}

/** End of a stream, with the position of its newest event in the log. */
export interface StreamEnd extends Tail {
  readonly position: string
}

/** End of a stream that does not exist yet. */
export const NO_EVENTS: StreamEnd = { ...NO_STREAM, position: START }

export const endOf = async (store: EventStore, stream: string): Promise<StreamEnd> => {
  for await (const { revision, hash, position } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash, position }
  return NO_EVENTS
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
  const { position } = await append(store, stream, tail, drafts)
  return seal(stream, tail, drafts).map((event, place) => ({
    ...event,
    stream,
    revision: tail.revision + place + 1,
    position,
  }))
}

/** Undefined when another writer was first. */
export const appendIfFirst = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  drafts: readonly Draft[],
): Promise<StreamEnd | undefined> => {
  try {
    return await append(store, stream, tail, drafts)
  } catch (error) {
    if (error instanceof WrongRevision) return undefined
    throw error
  }
}

/** Appends at the present revision of the stream, for events that do not depend on earlier ones. */
export const appendAtEnd = async (store: EventStore, stream: string, drafts: readonly Draft[]): Promise<StreamEnd> => {
  for (;;) {
    const end = await appendIfFirst(store, stream, await endOf(store, stream), drafts)
    if (end !== undefined) return end
  }
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
