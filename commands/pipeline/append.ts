import { setTimeout as pause } from 'node:timers/promises'
import type { StoredEvent } from '#schemas/event.ts'
import { type Draft, seal, type Tail } from '../integrity/hash-chain.ts'
import { type EventStore, StoreUnavailable } from '../store/port.ts'
import { isFirstEvent, undoneSeed } from './event-draft.ts'

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
): Promise<AppendedTail> => {
  const events = seal(stream, tail, drafts)
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
