import { setTimeout as pause } from 'node:timers/promises'
import { type Draft, seal, type Tail } from '../integrity/hash-chain.ts'
import { type EventStore, StoreUnavailable } from '../store/port.ts'

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
