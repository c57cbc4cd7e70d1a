import { type EventData, type KurrentDBClient, NO_STREAM, WrongExpectedVersionError } from '@kurrent/kurrentdb-client'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { type Appended, EventTooLarge, StreamTombstoned, WrongRevision } from '../port.ts'
import { known } from './failure.ts'
import { Patience } from './patience.ts'
import { toPosition } from './position.ts'
import { readStream } from './read-stream.ts'
import { sizeOf, toEventData } from './record.ts'
import type { StreamStates } from './stream-state.ts'

/** One append that is too large fails all on the connection: which of them it is shows when they are tried again. */
const TOO_LARGE_TRIES = 3
/** From here on the server means that it does not know. */
const NO_POSITION = 1n << 63n
/** At most what the server takes in one append, in bytes; more would fail the others on the connection as well. */
export const MOST_APPENDED = 1024 * 1024

interface Append {
  readonly stream: string
  readonly expected: number
  readonly events: readonly NewEvent[]
  readonly isSole: boolean
}

/**
 * Tries with the same ids and the same exact revision until the server says what became of it: then it is written once
 * or not at all, also across restarts of the server.
 * @throws WrongRevision, StreamTombstoned, EventTooLarge, StoreReadOnly; StoreUnavailable when it does not become known
 */
export const append = async (
  client: KurrentDBClient,
  states: StreamStates,
  asked: Append,
  deadline: number,
): Promise<Appended> => {
  const { stream, expected, events, isSole } = asked
  const data = checked(stream, events)
  const patience = new Patience(deadline)
  const streamState = stateOf(expected)
  let tooLarge = 0
  let tries = 0
  for (;;) {
    try {
      const sent = client.appendToStream(stream, data, { streamState, requiresLeader: true })
      tries += 1
      const { nextExpectedRevision, position } = await patience.within(sent)
      // After a try whose answer was lost, the stream is asked which position the events have.
      const isFirst = tries === 1 && position !== undefined && position.commit < NO_POSITION
      // The server takes other events with the same ids for these.
      if (isFirst && (isSole || !(await isForeign(client, asked, deadline)))) {
        return { revision: Number(nextExpectedRevision) + 1, position: toPosition(position) }
      }
      return (await written(client, asked, deadline)) ?? conflict(states, stream, expected)
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) {
        return (await written(client, asked, deadline)) ?? conflict(states, stream, expected)
      }
      if (error instanceof WrongRevision || error instanceof StreamTombstoned) throw error
      const sure = known(error, stream)
      if (sure instanceof EventTooLarge) tooLarge += 1
      if (sure !== undefined && !(sure instanceof EventTooLarge && tooLarge < TOO_LARGE_TRIES)) throw sure
      await patience.after(error)
    }
  }
}

/** An exact revision or "no stream", as the server counts: from 0. */
export const stateOf = (expected: number): bigint | typeof NO_STREAM =>
  expected === 0 ? NO_STREAM : BigInt(expected - 1)

/** Bytes of an event as they count towards `MOST_APPENDED`. */
export const sizeOfEvent = (event: NewEvent): number => sizeOf(toEventData(event))

function checked(stream: string, events: readonly NewEvent[]): EventData[] {
  if (events.length === 0) throw new RangeError(`An append to ${stream} has no events`)
  const data = events.map(toEventData)
  const size = data.reduce((sum, event) => sum + sizeOf(event), 0)
  if (size > MOST_APPENDED) throw new EventTooLarge(`An append of ${size} bytes to ${stream} is over 1 MiB`)
  return data
}

const isSame = (stored: StoredEvent, { expected, events }: Append): boolean => {
  const event = events[stored.revision - expected - 1]
  return stored.id === event?.id && stored.hash === event.hash
}

const inPlace = (client: KurrentDBClient, { stream, expected, events }: Append, deadline: number) =>
  readStream(client, stream, { from: expected + 1, limit: events.length }, deadline)

/** Whether others stand where these were appended; what the stream keeps no longer says nothing. */
async function isForeign(client: KurrentDBClient, asked: Append, deadline: number): Promise<boolean> {
  const last = asked.expected + asked.events.length
  for await (const stored of inPlace(client, asked, deadline)) {
    if (stored.revision <= last && !isSame(stored, asked)) return true
  }
  return false
}

/** Where the very same events are in the stream. */
async function written(client: KurrentDBClient, asked: Append, deadline: number): Promise<Appended | undefined> {
  let found = 0
  for await (const stored of inPlace(client, asked, deadline)) {
    found += 1
    if (stored.revision !== asked.expected + found || !isSame(stored, asked)) return undefined
    if (found === asked.events.length) return { revision: stored.revision, position: stored.position }
  }
  return undefined
}

async function conflict(states: StreamStates, stream: string, expected: number): Promise<never> {
  const { revision, isTombstoned } = await states.of(stream)
  if (isTombstoned) throw new StreamTombstoned(`${stream} is removed for ever`)
  throw new WrongRevision(stream, expected, revision)
}
