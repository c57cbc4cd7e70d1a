import { matches } from '#commands/store/matches.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'

/** An event log in memory that several nodes share. */
export class MemoryLog {
  readonly events: StoredEvent[] = []
  readonly #streams = new Map<string, StoredEvent[]>()
  readonly #before: number

  /** `before`: how many events lie before the first of this log. */
  constructor(before = 0) {
    this.#before = before
  }

  stream(name: string): readonly StoredEvent[] {
    return this.#streams.get(name) ?? []
  }

  /** `earlier`: how many events of the stream are not in this log. */
  append(name: string, events: readonly NewEvent[], earlier = 0): StoredEvent[] {
    const stream = this.#streams.get(name) ?? []
    this.#streams.set(name, stream)
    return events.map(event => {
      const position = positionOf(this.#before + this.events.length)
      const stored = { ...event, stream: name, revision: earlier + stream.length + 1, position }
      stream.push(stored)
      this.events.push(stored)
      return stored
    })
  }
}

/** Positions compare as text. */
const positionOf = (index: number) => String(index + 1).padStart(12, '0')

/** How many events of the log lie at or before a position. */
export const countUpTo = (position: string): number => Number(position)

interface Content {
  readonly id: string
  stream(name: string): readonly StoredEvent[]
  all(): readonly StoredEvent[]
  append(name: string, events: readonly NewEvent[]): readonly StoredEvent[]
}

/** The store port over a log; `step` is awaited before each request reaches it. */
const storeOver = (content: Content, step: () => Promise<void>): EventStore => {
  const unsupported = () => Promise.reject(new Error('not part of this double'))
  return {
    id: content.id,
    async append(name, expected, events) {
      await step()
      const stream = content.stream(name)
      const present = stream.slice(expected, expected + events.length)
      const isRepeated = present.length === events.length && present.every((event, n) => event.id === events[n]?.id)
      if (!isRepeated && stream.length !== expected) throw new WrongRevision(name, expected, stream.length)
      const last = (isRepeated ? present : content.append(name, events)).at(-1)
      await step()
      return { revision: last?.revision ?? expected, position: last?.position ?? '' }
    },
    async *read(name, { from, direction = 'forwards', limit = Number.POSITIVE_INFINITY } = {}) {
      await step()
      const stream = content.stream(name)
      const inOrder =
        direction === 'forwards' ? stream.slice((from ?? 1) - 1) : stream.slice(0, from ?? stream.length).reverse()
      yield* inOrder.slice(0, limit)
    },
    async *readAll({ after = '', limit = Number.POSITIVE_INFINITY, filter } = {}) {
      await step()
      let left = limit
      for (const event of content.all().slice()) {
        if (left === 0) return
        if (event.position <= after || (filter !== undefined && !matches(event, filter))) continue
        left -= 1
        yield event
      }
    },
    async revision(name) {
      await step()
      return content.stream(name).length
    },
    async head() {
      await step()
      return content.all().at(-1)?.position ?? ''
    },
    countAfter: async () => 0,
    subscribe: () => ({ stop: async () => undefined }),
    delete: unsupported,
    tombstone: unsupported,
    setMetadata: unsupported,
    metadata: async () => ({}),
    probe: async () => undefined,
    close: async () => undefined,
  }
}

/** What one node sees of a shared log. */
export const nodeStore = (log: MemoryLog, step: () => Promise<void>): EventStore =>
  storeOver(
    {
      id: 'memory',
      stream: name => log.stream(name),
      all: () => log.events,
      append: (name, events) => log.append(name, events),
    },
    step,
  )

/**
 * A log as it was: of each stream, the events up to `upTo(stream)`, a count of the whole log, without a name that a
 * command was just reserving. What is appended goes to `written` and not to the log.
 */
export const pastStore = (log: MemoryLog, upTo: (stream: string) => number) => {
  const written = new MemoryLog(log.events.length)
  const past = new Map<string, readonly StoredEvent[]>()
  const pastOf = (name: string): readonly StoredEvent[] => {
    const known = past.get(name)
    if (known !== undefined) return known
    const before = log.stream(name).filter(({ position }) => countUpTo(position) <= upTo(name))
    const isPending = before.at(-1)?.type === 'NameReserved'
    const settled = isPending ? before.slice(0, -1) : before
    past.set(name, settled)
    return settled
  }
  const content: Content = {
    id: 'memory',
    stream: name => [...pastOf(name), ...written.stream(name)],
    all: () => [...log.events.filter(event => countUpTo(event.position) <= upTo(event.stream)), ...written.events],
    append: (name, events) => written.append(name, events, pastOf(name).length),
  }
  return { store: storeOver(content, async () => undefined), written }
}
