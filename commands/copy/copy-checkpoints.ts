import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { derivedId } from '../pipeline/append.ts'
import { type EventStore, type Mark, StoreUnavailable, StreamTombstoned, WrongRevision } from '../store/port.ts'

/** Source of the copy and of the comparison afterwards. No other process writes to it meanwhile. */
export interface Source {
  readonly store: EventStore
  marks(): AsyncIterable<Mark> | Iterable<Mark>
}

export interface Target {
  readonly store: EventStore
  /** As a message names it. */
  readonly name: string
  /** Bytes of an event as this store counts them, of the `most` that it takes in one append. */
  sizeOf(event: NewEvent): number
  readonly most: number
  /** Concurrent appends: above one only if appends to all streams are written in call order. */
  readonly atOnce: number
}

/** The keys of a copy. */
export interface KeyCopy {
  /** Before the first event is written. @throws KeyRefused when the target has others */
  begin(): Promise<void> | void
  /** Once the copy is verified: from now on gateways open it. */
  finish(): Promise<void> | void
}

/** Time limit for retries of an unavailable store, ms. */
export type Patience = number

/** The copy cannot be made or gone on with. The message is what to print. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

/** A type that a server's log never shows as an event of this program. */
const TYPE = '$Removed'
/** Written together. */
const BATCH_SIZE = 200

export const isPaddingEvent = ({ type }: Pick<StoredEvent, 'type'>): boolean => type === TYPE

/**
 * Raises a stream to a revision without readable events: appends fillers and removes them, like the original events.
 * May be repeated.
 */
export const padToRevision = async (store: EventStore, stream: string, revision: number): Promise<void> => {
  for (;;) {
    const present = await store.revision(stream)
    if (present > revision) return
    if (present === revision) return store.delete(stream, revision)
    const fillers = Array.from({ length: Math.min(BATCH_SIZE, revision - present) }, (_, index) =>
      filler(stream, present + 1 + index),
    )
    try {
      await store.append(stream, present, fillers)
    } catch (error) {
      // The echo of an earlier try whose answer was lost: then the stream has moved on.
      if (!(error instanceof WrongRevision) || (await store.revision(stream)) === present) throw error
    }
  }
}

const filler = (stream: string, revision: number): NewEvent => {
  const id = derivedId(`removed ${stream}`, String(revision))
  return {
    id,
    type: TYPE,
    version: 1,
    data: {},
    time: new Date(0).toISOString(),
    actor: null,
    correlation: id,
    causation: null,
    level: null,
    hash: '',
  }
}

/** Marks of a store at hand by stream, in a nameless file, so that as many as there are take no memory. */
export class StreamMarkTable implements Disposable {
  readonly #db = new DatabaseSync('')
  readonly #find: StatementSync
  #size = 0

  private constructor() {
    this.#db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-8000;
      CREATE TABLE mark (stream TEXT PRIMARY KEY, removed INTEGER NOT NULL, max_count INTEGER, tombstone INTEGER NOT NULL)
        WITHOUT ROWID`)
    this.#find = this.#db.prepare('SELECT * FROM mark WHERE stream = ?')
  }

  static async of(marks: AsyncIterable<Mark> | Iterable<Mark>): Promise<StreamMarkTable> {
    const book = new StreamMarkTable()
    const put = book.#db.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?)')
    book.#db.exec('BEGIN')
    for await (const { stream, removed, maxCount, isTombstoned } of marks)
      put.run(stream, removed, maxCount ?? null, isTombstoned ? 1 : 0)
    book.#db.exec('COMMIT')
    book.#size = Number(book.#db.prepare('SELECT count(*) AS n FROM mark').get()?.n)
    return book
  }

  get size(): number {
    return this.#size
  }

  find(stream: string): Mark | undefined {
    if (this.#size === 0) return undefined
    const row = this.#find.get(stream)
    return row && toMark(row)
  }

  /** In the order of the streams' names. */
  *all(): Generator<Mark> {
    for (const row of this.#db.prepare('SELECT * FROM mark ORDER BY stream').iterate()) yield toMark(row)
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }
}

const toMark = ({ stream, removed, max_count, tombstone }: Record<string, unknown>): Mark => ({
  stream: String(stream),
  removed: Number(removed),
  maxCount: max_count === null ? undefined : Number(max_count),
  isTombstoned: tombstone === 1,
})

const FIRST_PAUSE = 100
const MAX_PAUSE_MS = 2000

/** Retries repeatable work until the store answers. @throws StoreUnavailable after `patience` */
export const retryUntilAvailable = async <T>(work: () => Promise<T>, patience: Patience): Promise<T> => {
  const until = performance.now() + patience
  for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() + wait > until) throw error
    }
    await pause(wait)
  }
}

interface Options {
  readonly store: EventStore
  readonly marks: StreamMarkTable
  readonly patience: Patience
  readonly progress: (marks: number) => void
}

/** Streams that are seen to together: their order does not matter. */
const TOGETHER = 64

/** Removes, limits and tombstones streams as they were. May be repeated. */
export const applyStreamMarks = (options: Options): Promise<void> =>
  each(options, async (store, mark) => {
    const { stream, removed, maxCount, isTombstoned } = mark
    if (isTombstoned) return tombstone(store, stream)
    // If a stream continues, its start was removed before its next event was written.
    if (removed > 0 && (await store.revision(stream)) <= removed) await padToRevision(store, stream, removed)
    if ((await store.metadata(stream)).maxCount !== maxCount)
      await store.setMetadata(stream, maxCount === undefined ? {} : { maxCount })
  })

/** @returns the streams that are not as they were, the first ones */
export const findMarkMismatches = async (options: Options): Promise<string[]> => {
  const others: string[] = []
  await each(options, async (store, mark) => {
    if (others.length < TOGETHER && !(await isKept(store, mark))) others.push(mark.stream)
  })
  return others
}

const isKept = async (store: EventStore, { stream, removed, maxCount, isTombstoned }: Mark): Promise<boolean> => {
  let first = 0
  for await (const { revision } of store.read(stream, { limit: 1 })) first = revision
  if (isTombstoned) return first === 0
  if ((await store.metadata(stream)).maxCount !== maxCount) return false
  return first === 0 ? (await store.revision(stream)) === removed : first === removed + 1
}

const tombstone = async (store: EventStore, stream: string): Promise<void> => {
  try {
    await store.tombstone(stream, await store.revision(stream))
  } catch (error) {
    if (!(error instanceof StreamTombstoned)) throw error
  }
}

const each = async (
  { store, marks, patience, progress }: Options,
  work: (store: EventStore, mark: Mark) => Promise<void>,
): Promise<void> => {
  let done = 0
  let together: Mark[] = []
  const run = async () => {
    await Promise.all(together.map(mark => retryUntilAvailable(() => work(store, mark), patience)))
    done += together.length
    together = []
    progress(done)
  }
  for (const mark of marks.all()) {
    together.push(mark)
    if (together.length === TOGETHER) await run()
  }
  await run()
}
