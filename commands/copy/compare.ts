import type { StoredEvent } from '#schemas/event.ts'
import { type Verification, verifyLog } from '../integrity/verify-log.ts'
import { type EventStore, START, StoreUnavailable } from '../store/port.ts'
import {
  CopyRefused,
  isPaddingEvent,
  type Patience,
  retryUntilAvailable,
  type Source,
  type StreamMarkTable,
  type Target,
} from './copy-checkpoints.ts'

/**
 * The log without removed events: a server shows them until it is scavenged, and a target may have received them before
 * the source removed them. An interrupted read resumes.
 */
export async function* readVisibleEvents(
  store: Pick<EventStore, 'readAll'>,
  marks: StreamMarkTable,
  patience: Patience,
  after = START,
): AsyncGenerator<StoredEvent> {
  let last = after
  let events = store.readAll({ after })[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await retryUntilAvailable(async () => {
        try {
          return await events.next()
        } catch (error) {
          if (error instanceof StoreUnavailable) events = store.readAll({ after: last })[Symbol.asyncIterator]()
          throw error
        }
      }, patience)
      if (done) return
      last = value.position
      if (!isRemoved(value, marks)) yield value
    }
  } finally {
    await events.return?.()
  }
}

const isRemoved = (event: StoredEvent, marks: StreamMarkTable): boolean => {
  if (isPaddingEvent(event)) return true
  const mark = marks.find(event.stream)
  return mark !== undefined && (mark.isTombstoned || event.revision <= mark.removed)
}

/** Takes the events of a log one by one, to hold them against those of another. */
export class EventCursor implements AsyncDisposable {
  readonly #events: AsyncIterator<StoredEvent>

  constructor(events: AsyncIterable<StoredEvent>) {
    this.#events = events[Symbol.asyncIterator]()
  }

  /** Undefined at the end, for ever. */
  async next(): Promise<StoredEvent | undefined> {
    const { done, value } = await this.#events.next()
    return done ? undefined : value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#events.return?.()
  }
}

/** Whether two stores hold the same event at the same place of the same stream: all of it but its position. */
export const isSame = (one: StoredEvent, other: StoredEvent): boolean => textOf(one) === textOf(other)

const textOf = ({
  stream,
  revision,
  id,
  type,
  version,
  time,
  actor,
  correlation,
  causation,
  level,
  hash,
  data,
}: StoredEvent) =>
  JSON.stringify([stream, revision, id, type, version, time, actor, correlation, causation, level, hash, data])

export const nameOf = ({ stream, revision }: StoredEvent): string => `revision ${revision} of ${stream}`

interface Options {
  readonly source: Source
  readonly target: Target
  readonly marks: StreamMarkTable
  readonly patience: Patience
  readonly progress: (events: number) => void
}

/**
 * Verifies the chains and seals of a copy, and that it holds the same events as its source in the same order.
 * @throws CopyRefused naming the first event that differs
 */
export const compare = async ({ source, target, marks, patience, progress }: Options): Promise<Verification> => {
  await using original = new EventCursor(readVisibleEvents(source.store, marks, patience))

  async function* compared() {
    for await (const event of readVisibleEvents(target.store, marks, patience)) {
      const wanted = await original.next()
      if (wanted === undefined || !isSame(event, wanted)) throw different(target, event, wanted)
      yield event
    }
    const missing = await original.next()
    if (missing !== undefined) throw new CopyRefused(`${nameOf(missing)} is not in ${target.name}`)
  }

  const { store } = target
  // Awaited here: until then the original is read.
  return await verifyLog({ id: store.id, read: store.read.bind(store), readAll: compared }, { progress })
}

const different = ({ name }: Target, event: StoredEvent, wanted: StoredEvent | undefined) => {
  const expected = wanted === undefined ? 'nothing' : nameOf(wanted)
  return new CopyRefused(`${name} differs: ${nameOf(event)} stands where this log has ${expected}`)
}
