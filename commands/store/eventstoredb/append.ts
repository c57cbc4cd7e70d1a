import { type EventData, type KurrentDBClient, NO_STREAM, WrongExpectedVersionError } from '@kurrent/kurrentdb-client'
import type { NewEvent } from '#schemas/event.ts'
import { type Appended, EventTooLarge, StreamTombstoned, WrongRevision } from '../port.ts'
import { readStream } from './read-log.ts'
import { sizeOf, toEventData, toPosition } from './record.ts'
import { known, Patience } from './retry-deadline.ts'
import type { StreamStates } from './stream-state.ts'

/** Servers before 23.10.6 fail every append on the connection when one is too large: a retry shows which one it is. */
const TOO_LARGE_TRIES = 3
/** From here on the server means that it does not know. */
const NO_POSITION = 1n << 63n
/** Bytes that the server takes in one append. Checked before sending, see `TOO_LARGE_TRIES`. */
export const MAX_APPENDED = 1024 * 1024

interface Append {
  readonly stream: string
  readonly expected: number
  readonly events: readonly NewEvent[]
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
  const { stream, expected, events } = asked
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
      const revision = Number(nextExpectedRevision) + 1
      // After a try whose answer was lost, the stream is asked which position the events have; also where the server
      // answers with the revision that the same ids got by another append.
      const isSure = tries === 1 && revision === expected + events.length
      if (isSure && position !== undefined && position.commit < NO_POSITION)
        return { revision, position: toPosition(position) }
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

/** Bytes of an event as they count towards `MAX_APPENDED`. */
export const sizeOfEvent = (event: NewEvent): number => sizeOf(toEventData(event))

function checked(stream: string, events: readonly NewEvent[]): EventData[] {
  if (events.length === 0) throw new RangeError(`An append to ${stream} has no events`)
  const data = events.map(toEventData)
  const size = data.reduce((sum, event) => sum + sizeOf(event), 0)
  if (size > MAX_APPENDED) throw new EventTooLarge(`An append of ${size} bytes to ${stream} is over 1 MiB`)
  return data
}

/** Result for events already in the stream. */
async function written(
  client: KurrentDBClient,
  { stream, expected, events }: Append,
  deadline: number,
): Promise<Appended | undefined> {
  let found = 0
  for await (const stored of readStream(client, stream, { from: expected + 1, limit: events.length }, deadline)) {
    if (stored.id !== events[found]?.id || stored.revision !== expected + found + 1) return undefined
    found += 1
    if (found === events.length) return { revision: stored.revision, position: stored.position }
  }
  return undefined
}

async function conflict(states: StreamStates, stream: string, expected: number): Promise<never> {
  const { revision, isTombstoned } = await states.of(stream)
  if (isTombstoned) throw new StreamTombstoned(`${stream} is removed for ever`)
  throw new WrongRevision(stream, expected, revision)
}
