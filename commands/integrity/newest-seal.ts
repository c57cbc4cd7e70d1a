import type { StoredEvent } from '#schemas/event.ts'
import { type LogSealed, logSealedSchema, SEAL_STREAM } from '#schemas/events/seal.ts'
import type { EventStore } from '../store/port.ts'

interface PlacedSeal {
  readonly seal: LogSealed
  readonly event: StoredEvent
}

/** The seal that the log ends its chain of seals with; undefined before the first. */
export const newestSeal = async (log: Pick<EventStore, 'read'>): Promise<PlacedSeal | undefined> => {
  for await (const event of log.read(SEAL_STREAM, { direction: 'backwards', limit: 1 }))
    return { seal: logSealedSchema.parse(event.data), event }
  return undefined
}
