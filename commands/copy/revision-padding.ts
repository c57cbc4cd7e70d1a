import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

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
