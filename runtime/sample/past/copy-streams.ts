import { setTimeout as pause } from 'node:timers/promises'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX } from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX } from '#schemas/events/desk.ts'

/** Streams of the past that are copied, agents last. */
const COPIED = [CONVERSATION_PREFIX, 'botuser-', DESK_PLACE_PREFIX]
/** Streams copied together, and the pause after them, ms: readers of the log share this thread. */
const TOGETHER = 8
const BREATH_MS = 10

interface CopyStreams {
  readonly log: Pick<EventStore, 'append'>
  readonly signal: AbortSignal
  /** Whether it is still for this node to copy. */
  readonly isOurs: () => Promise<boolean>
  /** Called with the share of the streams that are copied, 0 to 1. */
  readonly made: (share: number) => void
}

/** Copies streams that the log does not have yet. False when interrupted. */
export const copyStreams = async (
  streams: ReadonlyMap<string, readonly StoredEvent[]>,
  { log, signal, isOurs, made }: CopyStreams,
): Promise<boolean> => {
  const all = COPIED.flatMap(prefix => [...streams].filter(([stream]) => stream.startsWith(prefix)))
  for (let first = 0; first < all.length; first += TOGETHER) {
    if (signal.aborted || !(await isOurs())) return false
    await Promise.all(
      all.slice(first, first + TOGETHER).map(async ([stream, events]) => {
        const drafts = events.map(({ stream: _, revision: _r, position: _p, ...event }) => event)
        // An earlier start copied it.
        await log.append(stream, 0, drafts).catch(error => {
          if (!(error instanceof WrongRevision)) throw error
        })
      }),
    )
    made(first / all.length)
    await pause(BREATH_MS)
  }
  return true
}
