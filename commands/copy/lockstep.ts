import type { StoredEvent } from '#schemas/event.ts'

/** Takes the events of a log one by one, to hold them against those of another. */
export class Lockstep implements AsyncDisposable {
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
