import type { Mark } from '../store/mark.ts'
import { type EventStore, StreamTombstoned } from '../store/port.ts'
import { removeUpTo } from './filler.ts'
import type { MarkBook } from './mark-book.ts'
import { persist } from './persist.ts'
import type { Patience } from './place.ts'

interface Options {
  readonly store: EventStore
  readonly marks: MarkBook
  readonly patience: Patience
  readonly progress: (marks: number) => void
}

/** Streams that are seen to together: their order does not matter. */
const TOGETHER = 64

/** Removes, limits and tombstones streams as they were. May be repeated. */
export const writeMarks = (options: Options): Promise<void> =>
  each(options, async (store, mark) => {
    const { stream, removed, maxCount, isTombstoned } = mark
    if (isTombstoned) return tombstone(store, stream)
    // If a stream continues, its start was removed before its next event was written.
    if (removed > 0 && (await store.revision(stream)) <= removed) await removeUpTo(store, stream, removed)
    if ((await store.metadata(stream)).maxCount !== maxCount)
      await store.setMetadata(stream, maxCount === undefined ? {} : { maxCount })
  })

/** @returns the streams that are not as they were, the first ones */
export const otherMarks = async (options: Options): Promise<string[]> => {
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
    await Promise.all(together.map(mark => persist(() => work(store, mark), patience)))
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
