import { type EventData, jsonEvent, type Position, type ResolvedEvent } from '@kurrent/kurrentdb-client'
import type { JsonObject, NewEvent, StoredEvent } from '#schemas/event.ts'
import { START } from '../port.ts'

const DIGITS = 20
const PATTERN = /^(\d{20})\/(\d{20})$/

/** `commit/prepare`, zero-padded, so that positions compare as strings in the order of the log. */
export const toPosition = ({ commit, prepare }: Position): string => `${padded(commit)}/${padded(prepare)}`

/**
 * Undefined before the first event.
 * @throws RangeError when the text was never a position of this store
 */
export const fromPosition = (position: string): Position | undefined => {
  if (position === START) return undefined
  const [, commit, prepare] = PATTERN.exec(position) ?? []
  if (commit === undefined || prepare === undefined) throw new RangeError(`${position} is not a position of this store`)
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

const padded = (part: bigint) => String(part).padStart(DIGITS, '0')

/** The envelope beside the data; correlation and causation under the names that the server's own context know. */
interface Metadata {
  readonly version: number
  readonly time: string
  readonly actor: string | null
  readonly $correlationId: string
  readonly $causationId: string | null
  readonly level: string | null
  readonly hash: string
}

/** Streams of the store and of the keys are excluded from reads, subscriptions and seals of the log. */
const OUTSIDE = /^(\$|parley-|userkey-)/

export const isOutside = (stream: string): boolean => OUTSIDE.test(stream)

export const toEventData = (event: NewEvent): EventData => {
  const { id, type, data, version, time, actor, correlation, causation, level, hash } = event
  const metadata = { version, time, actor, $correlationId: correlation, $causationId: causation, level, hash }
  return jsonEvent({ id, type, data, metadata })
}

/** Bytes of an event as the server counts them: type, data and metadata. */
export const sizeOf = ({ type, data, metadata }: EventData): number =>
  2 * Buffer.byteLength(type) + Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata))

/** Undefined for what is not part of the log as this program reads it. */
export const toLogEvent = (resolved: ResolvedEvent): StoredEvent | undefined =>
  resolved.event === undefined || isOutside(resolved.event.streamId) ? undefined : toStoredEvent(resolved)

/** Undefined for what is not an event of this program: the server's own and other programs'. */
export const toStoredEvent = ({ event }: ResolvedEvent): StoredEvent | undefined => {
  if (event === undefined || !event.isJson || event.position === undefined) return undefined
  if (event.type.startsWith('$') || !isEnvelope(event.metadata)) return undefined
  const { version, time, actor, $correlationId, $causationId, level, hash } = event.metadata
  return {
    stream: event.streamId,
    revision: Number(event.revision) + 1,
    position: toPosition(event.position),
    id: event.id,
    type: event.type,
    version,
    time,
    actor,
    correlation: $correlationId,
    causation: $causationId,
    level,
    hash,
    data: event.data as JsonObject,
  }
}

function isEnvelope(metadata: unknown): metadata is Metadata {
  return typeof metadata === 'object' && metadata !== null && 'hash' in metadata && '$correlationId' in metadata
}
