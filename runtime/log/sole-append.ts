import { randomUUID } from 'node:crypto'
import { type Draft, NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json } from '#schemas/event.ts'

/** Event for a stream that does not belong to an entity. */
export interface SoleFact {
  readonly type: string
  readonly data: Readonly<Record<string, Json>>
}

export const tailOf = async (store: EventStore, stream: string): Promise<Tail> => {
  for await (const { revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash }
  return NO_STREAM
}

/** Events with ids unique to this call, so that of two writers at one revision a single one succeeds. */
export const soleDrafts = (
  stream: string,
  facts: readonly SoleFact[],
  actor: string | null = null,
  now = Date.now(),
): readonly Draft[] => {
  const time = new Date(now).toISOString()
  const author = { seed: randomUUID(), actor, time, correlation: stream, causation: null, isSole: true }
  return facts.map(({ type, data }, place) => draft(author, `${type} ${place}`, type, null, data))
}

/**
 * Appends after `tail`, at that very revision.
 * @throws WrongRevision when another one was first
 */
export const appendFacts = (
  store: EventStore,
  stream: string,
  tail: Tail,
  facts: readonly SoleFact[],
  actor: string | null = null,
): ReturnType<typeof append> => append(store, stream, tail, soleDrafts(stream, facts, actor))
