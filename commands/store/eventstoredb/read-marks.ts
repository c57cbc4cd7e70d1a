import {
  eventTypeFilter,
  START as FIRST,
  FORWARDS,
  KurrentDBClient,
  type ReadPosition,
  type Filter as ServerFilter,
  streamNameFilter,
} from '@kurrent/kurrentdb-client'
import { type Mark, START } from '../port.ts'
import { lastEventOf } from './read-log.ts'
import { isOutside, toPosition } from './record.ts'
import { known, Patience, readWithDeadline } from './retry-deadline.ts'
import type { StreamSettings } from './stream-state.ts'

const CHUNK = 500
const DEADLINE = 5000
/** The server's own streams of settings, one for each stream that has any. */
const SETTINGS = '$$'
const TOMBSTONE = '$streamDeleted'

/**
 * The marks of the streams that are part of the log, oldest first; of one stream the last one counts.
 * @throws StoreUnavailable
 */
export async function* readMarks(url: string): AsyncGenerator<Mark> {
  const client = KurrentDBClient.connectionString(url.replace(/^esdb/, 'kurrentdb'))
  try {
    for await (const { streamId, data } of raw(client, streamNameFilter({ prefixes: [SETTINGS] }))) {
      const stream = streamId.slice(SETTINGS.length)
      if (isOutside(stream)) continue
      const { $tb = 0, $maxCount } = Object(data) as StreamSettings
      yield { stream, removed: $tb, maxCount: $maxCount, isTombstoned: false }
    }
    for await (const { streamId: stream } of raw(client, eventTypeFilter({ prefixes: [TOMBSTONE] })))
      if (!isOutside(stream)) yield { stream, removed: 0, maxCount: undefined, isTombstoned: true }
  } finally {
    await client.dispose().catch(() => undefined)
  }
}

interface Raw {
  readonly streamId: string
  readonly data: unknown
}

/** Every event of the server that passes a filter, from any program. */
async function* raw(client: KurrentDBClient, filter: ServerFilter): AsyncGenerator<Raw> {
  const patience = new Patience(DEADLINE)
  let last = START
  let fromPosition: ReadPosition = FIRST
  for (;;) {
    let news = 0
    try {
      const source = client.readAll({
        direction: FORWARDS,
        fromPosition,
        maxCount: CHUNK,
        filter,
        requiresLeader: true,
      })
      for await (const { event } of readWithDeadline(source, patience)) {
        if (event?.position === undefined || toPosition(event.position) <= last) continue
        news += 1
        last = toPosition(event.position)
        fromPosition = event.position
        yield event
      }
      // The library reports a read that was reset as complete: the last read finds nothing new.
      if (news === 0) return
    } catch (error) {
      const sure = known(error, 'the log')
      if (sure !== undefined) throw sure
      await patience.afterSearch(error, () => lastEventOf(client))
    }
  }
}
