import type { StoredEvent } from '#schemas/event.ts'
import { type EventStore, START, StoreUnavailable } from '../store/port.ts'
import { isFiller } from './filler.ts'
import type { MarkBook } from './mark-book.ts'
import { persist } from './persist.ts'
import type { Patience } from './place.ts'

/**
 * The log without removed events: a server shows them until it is scavenged, and a target may have received them before
 * the source removed them. An interrupted read resumes.
 */
export async function* visible(
  store: Pick<EventStore, 'readAll'>,
  marks: MarkBook,
  patience: Patience,
  after = START,
): AsyncGenerator<StoredEvent> {
  let last = after
  let events = store.readAll({ after })[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await persist(async () => {
        try {
          return await events.next()
        } catch (error) {
          if (error instanceof StoreUnavailable) events = store.readAll({ after: last })[Symbol.asyncIterator]()
          throw error
        }
      }, patience)
      if (done) return
      last = value.position
      if (!isRemoved(value, marks)) yield value
    }
  } finally {
    await events.return?.()
  }
}

const isRemoved = (event: StoredEvent, marks: MarkBook): boolean => {
  if (isFiller(event)) return true
  const mark = marks.find(event.stream)
  return mark !== undefined && (mark.isTombstoned || event.revision <= mark.removed)
}
