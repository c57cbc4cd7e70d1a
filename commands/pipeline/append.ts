import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json, JsonObject, NewEvent, StoredEvent } from '#schemas/event.ts'
import { type EventStore, START, StoreUnavailable, WrongRevision } from '../store/port.ts'
import { currentVersion } from '../upcasters/upcast.ts'

const MAX_NAMES = 2000
/** Longer names are not kept: 2,000 of a megabyte would fill the heap. */
const MAX_NAME_LENGTH = 64
const quotedNames = new Map<string, string>()

/** Most members have one of few names. */
const quoted = (name: string): string => {
  if (name.length > MAX_NAME_LENGTH) return `${JSON.stringify(name)}:`
  let text = quotedNames.get(name)
  if (text === undefined) {
    if (quotedNames.size >= MAX_NAMES) quotedNames.clear()
    text = `${JSON.stringify(name)}:`
    quotedNames.set(name, text)
  }
  return text
}

/** JSON with members in code-unit order and no white space: the same text for the same value, for hashing. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  // Every event passes here: a list of parts for each object takes twice the time.
  let text = ''
  if (isList(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${canonical(member)}`
    return `[${text}]`
  }
  for (const name of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${quoted(name)}${canonical(value[name] ?? null)}`
  return `{${text}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** An event before its stream gives it a place and a hash. */
export type Draft = Omit<NewEvent, 'hash'>

/** End of a stream: revision 0 with an empty hash is a stream that does not exist yet. */
export interface Tail {
  readonly revision: number
  readonly hash: string
}

export const NO_STREAM: Tail = { revision: 0, hash: '' }

/** End of a stream, with the position of its newest event in the log. */
export interface StreamEnd extends Tail {
  readonly position: string
}

/** End of a stream that does not exist yet. */
export const NO_EVENTS: StreamEnd = { ...NO_STREAM, position: START }

export const endOf = async (store: EventStore, stream: string): Promise<StreamEnd> => {
  for await (const { revision, hash, position } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash, position }
  return NO_EVENTS
}

/** SHA-256 over the hash before it in the stream and the event as stored, its position excluded. */
export const hashOf = (previous: string, stream: string, revision: number, event: Draft): string => {
  const { id, type, version, data, time, actor, correlation, causation, level } = event
  const stored = { id, type, version, stream, revision, data, time, actor, correlation, causation, level }
  return hash('sha256', previous + canonical(stored))
}

/** Chains drafts onto the end of a stream. */
export const seal = (stream: string, tail: Tail, drafts: readonly Draft[]): NewEvent[] => {
  let last = tail
  return drafts.map(draft => {
    const revision = last.revision + 1
    last = { revision, hash: hashOf(last.hash, stream, revision, draft) }
    return { ...draft, hash: last.hash }
  })
}

/** Whether a stored event is what was written after `previous` (the hash before it in its stream). */
export const isIntact = (previous: string, event: StoredEvent): boolean =>
  hashOf(previous, event.stream, event.revision, event) === event.hash

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

interface AppendedTail extends Tail {
  readonly position: string
}

const PAUSES = [50, 100, 200, 400, 800]
/** Milliseconds after which it is not tried again: a store that takes that long to say nothing has tried itself. */
const RETRY_TIMEOUT_MS = 4000

/**
 * Appends after `tail`. While the store cannot say whether it was written the same ids are tried again, so that it is
 * written once. Throws what the store throws: `WrongRevision`, `StoreReadOnly`, at last `StoreUnavailable`.
 */
export const append = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  drafts: readonly Draft[],
): Promise<AppendedTail> => appendSealed(store, stream, tail, seal(stream, tail, drafts))

/** As `append`, for events that are sealed after `tail` already. */
export const appendSealed = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  events: readonly NewEvent[],
): Promise<AppendedTail> => {
  const appended = await retryWhileUnavailable(() => store.append(stream, tail.revision, events))
  return { ...appended, hash: events.at(-1)?.hash ?? tail.hash }
}

const retryWhileUnavailable = async <T>(write: () => Promise<T>): Promise<T> => {
  const began = performance.now()
  for (const wait of PAUSES) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() - began > RETRY_TIMEOUT_MS) throw error
      await pause(wait)
    }
  }
  return write()
}

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

/** Undefined when another writer was first. */
export const appendIfFirst = async (
  store: EventStore,
  stream: string,
  tail: Tail,
  drafts: readonly Draft[],
): Promise<StreamEnd | undefined> => {
  try {
    return await append(store, stream, tail, drafts)
  } catch (error) {
    if (error instanceof WrongRevision) return undefined
    throw error
  }
}

/** Appends at the present revision of the stream, for events that do not depend on earlier ones. */
export const appendAtEnd = async (store: EventStore, stream: string, drafts: readonly Draft[]): Promise<StreamEnd> => {
  for (;;) {
    const end = await appendIfFirst(store, stream, await endOf(store, stream), drafts)
    if (end !== undefined) return end
  }
}
