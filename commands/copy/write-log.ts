import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { WrongRevision } from '../store/port.ts'
import { retryUntilAvailable, type StreamMarkTable } from './copy-checkpoints.ts'
import { CopyRefused, type Patience, type Target } from './copy-port.ts'
import { padToRevision } from './revision-padding.ts'

/** Events of one stream that follow each other in the log. */
interface Run {
  readonly stream: string
  readonly expected: number
  readonly events: NewEvent[]
}

interface Options {
  readonly target: Target
  readonly marks: StreamMarkTable
  readonly patience: Patience
  /** Called with the number of events written. */
  readonly progress: (events: number) => void
}

/** In one append; the limit of its bytes is half of what the target takes. */
const MAX_EVENTS = 200
/** Under way together, in bytes. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024

/**
 * Appends events in the order of the log. The order between streams is part of what is sealed: so a target that does not
 * promise it is given one append at a time.
 * @throws CopyRefused, StoreUnavailable, StoreReadOnly
 */
export const writeLog = async (events: AsyncIterable<StoredEvent>, options: Options): Promise<void> => {
  const { target, marks, patience, progress } = options
  let runs: Run[] = []
  let waiting = 0
  let ofRun = 0
  let written = 0

  const flush = async () => {
    const going = runs
    runs = []
    waiting = 0
    // Tried again only one by one: a second try of one among several would come after those behind it.
    const tried = target.atOnce === 1 ? patience : 0
    await Promise.all(going.map(run => retryUntilAvailable(() => append(target, run), tried)))
    written += going.reduce((sum, run) => sum + run.events.length, 0)
    progress(written)
  }

  for await (const event of events) {
    const { stream, revision } = event
    const size = target.sizeOf(event)
    const last = runs.at(-1)
    const follows = last?.stream === stream && last.events.length < MAX_EVENTS && ofRun + size <= target.most / 2
    if (!follows) {
      const isFull = runs.length >= target.atOnce || waiting >= MAX_PENDING_BYTES
      const isFirstLeft = marks.find(stream)?.removed === revision - 1
      if (runs.length > 0 && (isFull || isFirstLeft)) await flush()
      if (isFirstLeft && revision > 1)
        await retryUntilAvailable(() => padToRevision(target.store, stream, revision - 1), patience)
      runs.push({ stream, expected: revision - 1, events: [] })
      ofRun = 0
    }
    runs.at(-1)?.events.push(bare(event))
    ofRun += size
    waiting += size
  }
  if (runs.length > 0) await flush()
}

const append = async ({ store, name }: Target, { stream, expected, events }: Run): Promise<void> => {
  try {
    await store.append(stream, expected, events)
  } catch (error) {
    if (!(error instanceof WrongRevision)) throw error
    throw new CopyRefused(`${name} is written by somebody else: ${error.message}`)
  }
}

const bare = ({ stream: _, revision: __, position: ___, ...event }: StoredEvent): NewEvent => event
