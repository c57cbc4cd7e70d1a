import { randomUUID } from 'node:crypto'
import type { Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { Json } from '#schemas/event.ts'
import type { DeliveryEventType, InboxEventType } from '#schemas/events/channel.ts'

export interface StreamFact {
  readonly type: DeliveryEventType | InboxEventType
  readonly data: Readonly<Record<string, Json>>
}

/**
 * Appends to a stream of an exchange at an exact revision. The ids are this call's alone, so that of two who write at the
 * same revision one alone succeeds. False: somebody else was first.
 */
export const appendFacts = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  facts: readonly StreamFact[],
): Promise<boolean> => {
  const time = new Date().toISOString()
  const author = { seed: randomUUID(), actor: null, time, correlation: stream, causation: null, isSole: true }
  const drafts = facts.map(({ type, data }, place) => draft(author, `${type} ${place}`, type, null, data))
  try {
    await append(store, stream, tail, drafts)
    return true
  } catch (error) {
    if (error instanceof WrongRevision) return false
    throw error
  }
}
