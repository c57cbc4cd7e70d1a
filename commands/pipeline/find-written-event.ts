import type { StoredEvent } from '#schemas/event.ts'
import type { EventStore } from '../store/port.ts'
import { isFirstEvent, undoneSeed } from './event-id.ts'

/** Newest events of a stream searched for an earlier write. */
export const MAX_SCANNED_EVENTS = 200

/** The first event that a command or a step wrote into a stream, in any execution. */
export const findWrittenEvent = async (
  store: EventStore,
  seed: string,
  stream: string,
): Promise<StoredEvent | undefined> => {
  const isFirst = isFirstEvent(seed, stream)
  for await (const event of store.read(stream, { direction: 'backwards', limit: MAX_SCANNED_EVENTS })) {
    if (isFirst(event.id)) return event
  }
  return undefined
}

/** The same, unless the command has taken it back itself. */
export const findStandingEvent = async (
  store: EventStore,
  seed: string,
  stream: string,
): Promise<StoredEvent | undefined> => {
  const written = await findWrittenEvent(store, seed, stream)
  if (written === undefined) return undefined
  return (await findWrittenEvent(store, undoneSeed(seed), stream)) === undefined ? written : undefined
}
