import { type ReleaseMade, releaseMadeSchema, releaseStream } from '#schemas/events/release.ts'
import type { EventStore } from '../store/port.ts'

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
