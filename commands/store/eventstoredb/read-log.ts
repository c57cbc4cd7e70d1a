import {
  BACKWARDS,
  END,
  eventTypeFilter,
  START as FIRST,
  FORWARDS,
  type KurrentDBClient,
  type Filter as ServerFilter,
  StreamDeletedError,
  streamNameFilter,
} from '@kurrent/kurrentdb-client'
import type { StoredEvent } from '#schemas/event.ts'
import {
  type Filter,
  matches,
  type ReadAll,
  type ReadStream,
  START,
  StoreUnavailable,
  StreamTombstoned,
} from '../port.ts'
import { fromPosition, toLogEvent, toPosition, toStoredEvent } from './record.ts'
import { isNotFound, known, Patience, readWithDeadline, unavailable } from './retry-deadline.ts'

/** Small enough that one left in the middle costs the server little. */
const CHUNK = 500
/** Events at the end of the log to look through for one of this program's, in growing steps. */
const LAST = [1, 100, 10_000, 1_000_000]
const LOG = 'the log'
/** Reads in a row without news that end before the event that they have to reach. */
const MAX_EARLY_ENDS = 20

/** The server's own events are most of an idle server's log. */
export const excludeSystemStreams = (): ServerFilter => streamNameFilter({ regex: '^[^$]' })

/**
 * The event that a read of the log has to reach. The library reports a read that the server or a proxy reset (RST_STREAM
 * with CANCEL or NO_ERROR) as one that is complete.
 */
export type LogEnd = Pick<StoredEvent, 'position' | 'stream' | 'revision'>

/** The later one of two events of the log. */
export const laterOf = (one: LogEnd | undefined, other: LogEnd | undefined): LogEnd | undefined =>
  (one?.position ?? START) < (other?.position ?? START) ? other : one

/** A filter of the server, and whether it lets the last event pass that the read has to reach. */
interface ServerRead {
  readonly filter: ServerFilter
  readonly showsEnd: boolean
}

/** The server knows one filter a read; the rest is done here. */
const serverRead = ({ streamPrefixes = [], types = [] }: Filter, end: LogEnd | undefined): ServerRead => {
  if (streamPrefixes.length === 0 && types.length === 0) return { filter: excludeSystemStreams(), showsEnd: true }
  if (streamPrefixes.length === 0) return { filter: eventTypeFilter({ prefixes: [...types] }), showsEnd: false }
  // A long stream, such as the one of a flow, would come as a whole.
  const isCheap = end !== undefined && end.revision <= CHUNK
  const prefixes = isCheap ? [...streamPrefixes, end.stream] : [...streamPrefixes]
  return { filter: streamNameFilter({ prefixes }), showsEnd: isCheap }
}

/** The newest event of the server, from any program: a cheap query. */
export const lastEventOf = async (client: KurrentDBClient): Promise<unknown> => {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const
  for await (const last of client.readAll(options)) return last
}

/** Whether the server has removed the event from its log. */
const isRemoved = async (client: KurrentDBClient, { position }: LogEnd, patience: Patience): Promise<boolean> => {
  const options = { direction: FORWARDS, maxCount: 1, requiresLeader: true } as const
  const source = client.readAll({ ...options, fromPosition: fromPosition(position) ?? FIRST })
  for await (const { event } of readWithDeadline(source, patience))
    return event !== undefined && toPosition(event.position) !== position
  return false
}

/**
 * @param end the event to reach: without one, the read may stop early; with one that the filter hides, it ends when a
 *   second read finds nothing new
 * @throws StoreUnavailable
 */
export async function* readLog(
  client: KurrentDBClient,
  { after = START, limit = Number.POSITIVE_INFINITY, filter = {} }: ReadAll,
  deadline: number,
  end?: LogEnd,
): AsyncGenerator<StoredEvent> {
  const patience = new Patience(deadline)
  const { filter: ofServer, showsEnd } = serverRead(filter, end)
  let last = after
  let from = fromPosition(after)
  let left = limit
  let ended = 0
  while (left > 0) {
    let read = 0
    const before = last
    try {
      const source = client.readAll({
        direction: FORWARDS,
        fromPosition: from ?? FIRST,
        maxCount: CHUNK,
        filter: ofServer,
        requiresLeader: true,
      })
      for await (const resolved of readWithDeadline(source, patience)) {
        read += 1
        const position = resolved.event === undefined ? START : toPosition(resolved.event.position)
        // The event at the position itself comes again.
        if (position <= last) continue
        last = position
        from = resolved.event?.position
        const event = toLogEvent(resolved)
        if (event === undefined || !matches(event, filter)) continue
        yield event
        left -= 1
        if (left === 0) return
      }
      if (read === CHUNK) continue
      if (end === undefined || last >= end.position) return
      if (showsEnd ? await isRemoved(client, end, patience) : ended > 0 && last === before) return
      ended = last === before ? ended + 1 : 1
      const error = new Error(`A read of the log ended before ${end.position}`)
      if (ended > MAX_EARLY_ENDS) throw unavailable(error)
      await patience.after(error)
    } catch (error) {
      const sure = known(error, LOG)
      if (sure !== undefined || error instanceof StoreUnavailable) throw sure ?? error
      await patience.afterSearch(error, () => lastEventOf(client))
    }
  }
}

/** This program's newest event, undefined without one. @param floor one that is known: no need to look further back */
export const readHead = async (
  client: KurrentDBClient,
  floor: LogEnd | undefined,
  deadline: number,
): Promise<LogEnd | undefined> => {
  const patience = new Patience(deadline)
  for (const maxCount of LAST) {
    const { newest, read } = await lastOf(client, maxCount, floor, patience)
    if (newest !== undefined || read < maxCount) return newest
  }
  return undefined
}

async function lastOf(client: KurrentDBClient, maxCount: number, floor: LogEnd | undefined, patience: Patience) {
  for (;;) {
    try {
      let read = 0
      const filter = excludeSystemStreams()
      const source = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount, filter, requiresLeader: true })
      for await (const resolved of readWithDeadline(source, patience)) {
        read += 1
        const newest = toLogEvent(resolved)
        if (newest !== undefined) return { newest, read }
        const passed = resolved.event === undefined ? START : toPosition(resolved.event.position)
        if (floor !== undefined && passed <= floor.position) return { newest: floor, read }
      }
      return { newest: undefined, read }
    } catch (error) {
      const sure = known(error, LOG)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}

/**
 * Number of the newest event of a stream that can be read, as the server counts, and its data; undefined for none.
 * @throws StreamTombstoned, StoreUnavailable
 */
export const newestOf = async (client: KurrentDBClient, stream: string, patience: Patience) => {
  let isEmpty = false
  for (;;) {
    try {
      const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const
      for await (const { event } of readWithDeadline(client.readStream(stream, options), patience)) {
        if (event !== undefined) return { revision: Number(event.revision), data: Object(event.data) as object }
      }
      // A second answer: a read that was reset has no events either.
      if (isEmpty) return undefined
      isEmpty = true
    } catch (error) {
      if (isNotFound(error)) return undefined
      const sure = known(error, stream)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}

/**
 * An interrupted read resumes after the last event. A read that the library reports as complete may have been reset:
 * forwards it has to reach the newest event, backwards the first one or a second answer.
 * @throws StoreUnavailable when nothing arrives for so long
 */
export async function* readStream(
  client: KurrentDBClient,
  stream: string,
  { from, direction = 'forwards', limit = Number.POSITIVE_INFINITY }: ReadStream,
  deadline: number,
): AsyncGenerator<StoredEvent> {
  const forwards = direction === 'forwards'
  const patience = new Patience(deadline)
  let next = from
  let left = limit
  /** Revision that a read forwards has to reach. */
  let end: number | undefined
  let isShort = false
  while (left > 0) {
    if (next !== undefined && next < 1 && !forwards) return
    const maxCount = Math.min(left, CHUNK)
    let read = 0
    try {
      // A reader that has read the stream before mostly finds nothing new.
      if (end === undefined && forwards && next !== undefined && next > 1 && limit === Number.POSITIVE_INFINITY)
        end = await newestRevision(client, stream, patience)
      if (end !== undefined && end < (next ?? 1)) return
      const source = client.readStream(stream, {
        direction: forwards ? FORWARDS : BACKWARDS,
        fromRevision: next === undefined ? (forwards ? FIRST : END) : BigInt(Math.max(next, 1) - 1),
        maxCount,
        requiresLeader: true,
      })
      for await (const resolved of readWithDeadline(source, patience)) {
        const event = toStoredEvent(resolved)
        read += 1
        left -= 1
        next = Number(resolved.event?.revision ?? 0) + (forwards ? 2 : 0)
        if (event !== undefined) yield event
      }
      if (read === maxCount) continue
      if (forwards) end ??= await newestRevision(client, stream, patience)
      else if (read === 0 && isShort) return
      isShort = true
    } catch (error) {
      if (isNotFound(error) || error instanceof StreamDeletedError || error instanceof StreamTombstoned) return
      const sure = known(error, stream)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}

/** 0 for no stream. */
const newestRevision = async (client: KurrentDBClient, stream: string, patience: Patience): Promise<number> =>
  ((await newestOf(client, stream, patience))?.revision ?? -1) + 1
