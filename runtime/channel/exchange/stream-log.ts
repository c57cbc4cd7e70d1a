import type { Tail } from '#commands/integrity/hash-chain.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { DeliveryEventType, InboxEventType } from '#schemas/events/channel.ts'
import { appendFacts as appendSole, type SoleFact } from '../../log/sole-append.ts'

export interface StreamFact extends SoleFact {
  readonly type: DeliveryEventType | InboxEventType
}

/** Appends to a stream of an exchange at an exact revision. False: another node wrote first. */
export const appendFacts = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  facts: readonly StreamFact[],
): Promise<boolean> => {
  try {
    await appendSole(store, stream, tail, facts)
    return true
  } catch (error) {
    if (error instanceof WrongRevision) return false
    throw error
  }
}
