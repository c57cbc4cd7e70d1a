import { hash, randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Draft } from '../integrity/hash-chain.ts'
import { currentVersion } from '../upcasters/upcast.ts'

/** A UUID (version 8) made from `seed` and `name` alone: the same command makes the same ids however often it is tried. */
export const derivedId = (seed: string, name: string): string => {
  const bytes = hash('sha256', `${seed}\n${name}`, 'buffer').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Up to the end of a UUID's third group. */
const MARK = 18

/**
 * An event's id. Its first 60 bits derive from the seed and the name, so a repeated execution recognises earlier
 * events; the others are random, so no store mistakes another execution's event for this one.
 */
const eventId = (seed: string, name: string): string => derivedId(seed, name).slice(0, MARK) + randomUUID().slice(MARK)

/** Name of the first event that a command or a step writes into a stream. */
const firstIn = (stream: string) => `${stream}:0`

export const firstEventId = (seed: string, stream: string): string => eventId(seed, firstIn(stream))

/** Recognises the first event of a command or a step in a stream by its id, from any execution. */
export const isFirstEvent = (seed: string, stream: string): ((id: string) => boolean) => {
  const mark = derivedId(seed, firstIn(stream)).slice(0, MARK)
  return id => id.startsWith(mark)
}

/** Seed of the events with which a command takes back what it wrote. */
export const undoneSeed = (seed: string): string => derivedId(seed, 'undone')

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
