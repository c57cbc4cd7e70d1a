import type { Json, JsonObject } from '#schemas/event.ts'
import { derivedId } from './event-id.ts'
import type { Draft } from './seal.ts'
import type { AppendOptions } from './store/port.ts'
import { currentVersion } from './upcasters/upcast.ts'

/** On whose behalf, when and why events are written. */
export interface Author {
  /** What all ids of this command are made from. */
  readonly seed: string
  readonly actor: string | null
  readonly time: string
  readonly correlation: string
  readonly causation: string | null
  /** The seed is random and this execution's alone: no other can write events with ids that come from it. */
  readonly isSole?: boolean
}

/** How an author's events are appended. */
export const soleOf = ({ isSole = false }: Author): AppendOptions => ({ isSole })

/** One event in today's shape of its type. `name` tells it from every other event of the same command. */
export const draft = (
  author: Author,
  name: string,
  type: string,
  level: string | null,
  data: Readonly<Record<string, Json>> | JsonObject,
): Draft => ({
  id: derivedId(author.seed, name),
  type,
  version: currentVersion(type),
  data,
  time: author.time,
  actor: author.actor,
  correlation: author.correlation,
  causation: author.causation,
  level,
})
