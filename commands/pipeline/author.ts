import type { Json, JsonObject } from '#schemas/event.ts'
import type { Draft } from '../integrity/hash-chain.ts'
import { currentVersion } from '../upcasters/upcast.ts'
import { eventId } from './event-id.ts'

/** On whose behalf, when and why events are written. */
export interface Author {
  /** Source of all ids of this command. */
  readonly seed: string
  readonly actor: string | null
  readonly time: string
  readonly correlation: string
  readonly causation: string | null
  /** The seed is random and this execution's alone: no other writes for the same command or step. */
  readonly isSole?: boolean
}

/** One event in today's shape of its type. `name` tells it from every other event of the same command. */
export const draft = (
  author: Author,
  name: string,
  type: string,
  level: string | null,
  data: Readonly<Record<string, Json>> | JsonObject,
): Draft => ({
  id: eventId(author.seed, name),
  type,
  version: currentVersion(type),
  data,
  time: author.time,
  actor: author.actor,
  correlation: author.correlation,
  causation: author.causation,
  level,
})
