import { randomUUID } from 'node:crypto'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

export interface AudienceFact {
  readonly type: string
  readonly data: Readonly<Record<string, Json>> | JsonObject
}

/** Where a stream ends at this moment. */
export const tailOf = async (store: EventStore, stream: string): Promise<Tail> => {
  for await (const { revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash }
  return NO_STREAM
}

/**
 * Appends after `tail`; no two calls give one id to two events, so of two writers at one revision one alone succeeds.
 * @throws WrongRevision when another one was first
 */
export const appendFacts = (
  store: EventStore,
  stream: string,
  tail: Tail,
  facts: readonly AudienceFact[],
  actor: string | null = null,
): ReturnType<typeof append> => {
  const time = new Date().toISOString()
  const author = { seed: randomUUID(), actor, time, correlation: stream, causation: null, isSole: true }
  return append(
    store,
    stream,
    tail,
    facts.map(({ type, data }, place) => draft(author, `${type} ${place}`, type, null, data)),
  )
}
