import { hash } from 'node:crypto'
import { contentText, decideRelease, type ReleaseContent } from '#domain/release.ts'
import { type ReleaseMade, releaseMadeSchema, releaseStream } from '#schemas/events/release.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

/** A release as its stream has it; `number` is its revision. */
type NumberedRelease = ReleaseMade & { readonly number: number }

interface Newest {
  readonly tail: Tail
  readonly release: NumberedRelease | undefined
}

const newestOf = async (store: EventStore, bot: string): Promise<Newest> => {
  for await (const event of store.read(releaseStream(bot), { direction: 'backwards', limit: 1 })) {
    const { revision: number, hash: chained, data } = event
    return { tail: { revision: number, hash: chained }, release: { ...releaseMadeSchema.parse(data), number } }
  }
  return { tail: NO_STREAM, release: undefined }
}

export const newestRelease = async (store: EventStore, bot: string): Promise<NumberedRelease | undefined> =>
  (await newestOf(store, bot)).release

/** The release of this number. */
export const releaseNumber = async (
  store: EventStore,
  bot: string,
  number: number,
): Promise<NumberedRelease | undefined> => {
  for await (const { revision, data } of store.read(releaseStream(bot), { from: number, limit: 1 }))
    return revision === number ? { ...releaseMadeSchema.parse(data), number } : undefined
  return undefined
}

interface Cause {
  readonly time: string
  readonly actor: string | null
  readonly correlation: string
  readonly causation: string | null
}

/**
 * Makes a release of this content unless the newest one has the same; returns the newest. The event's id derives from
 * stream, number and hash, so concurrent nodes write one event. `content` is read again if another release came
 * meanwhile.
 */
export const makeRelease = async (
  store: EventStore,
  level: string | null,
  content: () => Promise<ReleaseContent | undefined>,
  cause: Cause,
): Promise<NumberedRelease | undefined> => {
  for (;;) {
    const now = await content()
    if (now === undefined) return undefined
    const { tail, release } = await newestOf(store, now.bot)
    const digest = hash('sha256', contentText(now))
    const data = decideRelease(now, digest, release?.hash)
    if (data === undefined) return release
    const author = { seed: `${releaseStream(now.bot)} ${tail.revision} ${digest}`, ...cause }
    try {
      const event = draft(author, 'release', 'ReleaseMade', level, data)
      const { revision: number } = await append(store, releaseStream(now.bot), tail, [event])
      return { ...data, number }
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

interface ListedRelease extends ReleaseMade {
  readonly number: number
  /** When it was made, ISO 8601 UTC. */
  readonly time: string
}

/** All releases of a bot, the oldest first. */
export const listReleases = async (store: EventStore, bot: string): Promise<readonly ListedRelease[]> => {
  const releases: ListedRelease[] = []
  for await (const { revision: number, time, data } of store.read(releaseStream(bot)))
    releases.push({ ...releaseMadeSchema.parse(data), number, time })
  return releases
}
