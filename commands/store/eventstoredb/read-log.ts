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
import { type Filter, matches, type ReadAll, type ReadStream, START } from '../port.ts'
import { fromPosition, toLogEvent, toPosition, toStoredEvent } from './record.ts'
import { isNotFound, known, Patience, readWithDeadline } from './retry-deadline.ts'

/** Small enough that one left in the middle costs the server little. */
const CHUNK = 500
/** Events at the end of the log to look through for one of this program's, in growing steps. */
const LAST = [1, 100, 10_000, 1_000_000]
const LOG = 'the log'

/** The server's own events are most of an idle server's log. */
export const excludeSystemStreams = (): ServerFilter => streamNameFilter({ regex: '^[^$]' })

/** The server knows one filter a read; the rest is done here. */
const serverFilter = ({ streamPrefixes = [], types = [] }: Filter): ServerFilter => {
  if (streamPrefixes.length > 0) return streamNameFilter({ prefixes: [...streamPrefixes] })
  return types.length > 0 ? eventTypeFilter({ prefixes: [...types] }) : excludeSystemStreams()
}

/** The newest event of the server, from any program: a cheap query. */
export const lastEventOf = async (client: KurrentDBClient): Promise<unknown> => {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const
  for await (const last of client.readAll(options)) return last
}

/** @throws StoreUnavailable when nothing comes for so long, nor an answer to anything else */
export async function* readLog(
  client: KurrentDBClient,
  { after = START, limit = Number.POSITIVE_INFINITY, filter = {} }: ReadAll,
  deadline: number,
): AsyncGenerator<StoredEvent> {
  const patience = new Patience(deadline)
  let last = after
  let from = fromPosition(after)
  let left = limit
  while (left > 0) {
    let read = 0
    try {
      const source = client.readAll({
        direction: FORWARDS,
        fromPosition: from ?? FIRST,
        maxCount: CHUNK,
        filter: serverFilter(filter),
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
      if (read < CHUNK) return
    } catch (error) {
      const sure = known(error, LOG)
      if (sure !== undefined) throw sure
      await patience.afterSearch(error, () => lastEventOf(client))
    }
  }
}

/** Position of this program's newest event, START without one. @param floor one that is known: no need to look further back */
export const readHead = async (client: KurrentDBClient, floor: string, deadline: number): Promise<string> => {
  const patience = new Patience(deadline)
  for (const maxCount of LAST) {
    const { position, read } = await lastOf(client, maxCount, floor, patience)
    if (position !== undefined) return position
    if (read < maxCount) return START
  }
  return START
}

async function lastOf(client: KurrentDBClient, maxCount: number, floor: string, patience: Patience) {
  for (;;) {
    try {
      let read = 0
      const filter = excludeSystemStreams()
      const source = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount, filter, requiresLeader: true })
      for await (const resolved of readWithDeadline(source, patience)) {
        read += 1
        const position = toLogEvent(resolved)?.position
        if (position !== undefined) return { position, read }
        const passed = resolved.event === undefined ? START : toPosition(resolved.event.position)
        if (passed <= floor) return { position: floor, read }
      }
      return { position: undefined, read }
    } catch (error) {
      const sure = known(error, LOG)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}

/** An interrupted read resumes after the last event. @throws StoreUnavailable when nothing arrives for so long */
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
  while (left > 0) {
    if (next !== undefined && next < 1 && !forwards) return
    const maxCount = Math.min(left, CHUNK)
    let read = 0
    try {
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
      if (read < maxCount) return
    } catch (error) {
      if (isNotFound(error) || error instanceof StreamDeletedError) return
      const sure = known(error, stream)
      if (sure !== undefined) throw sure
      await patience.after(error)
    }
  }
}
