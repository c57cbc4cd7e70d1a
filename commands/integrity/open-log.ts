import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONVERSATION_FOLDER } from '#commands/backup/archive.ts'
import { openEmbeddedLog } from '#commands/store/embedded/embedded-log.ts'
import { countEvents, inspectFile } from '#commands/store/embedded/event-file.ts'
import type { Finding } from '#schemas/events/seal.ts'
import type { Settings } from '#schemas/settings.ts'
import { isOutside } from './sealer.ts'
import type { Log } from './verify-log.ts'

/** Read-only access to the log; blocks no other reader or writer. */
interface OpenLog extends AsyncDisposable {
  readonly log: Log
  /** Log of conversations: on a server the same log; undefined if there never was one. */
  readonly conversations: Log | undefined
  /** Number of events, for progress; undefined when unknown. */
  readonly events: number | undefined
  /** Finds damage in the store's own files. May take as long as reading the events. */
  inspect(): readonly Finding[]
}

/** @throws with one line to print */
export const openLog = async (settings: Settings): Promise<OpenLog> => {
  const url = settings.EVENTSTORE_URL
  if (url !== undefined) {
    const { openEventStoreDb } = await import('#commands/store/eventstoredb/open-event-store-db.ts')
    const store = await openEventStoreDb({ url })
    return {
      log: store,
      conversations: store,
      events: undefined,
      inspect: () => [],
      [Symbol.asyncDispose]: () => store.close(),
    }
  }
  const folder = resolve(settings.PARLEY_DATA)
  const log = await openEmbeddedLog(folder)
  const place = join(folder, CONVERSATION_FOLDER)
  const conversations = existsSync(join(place, 'events.sqlite')) ? await openEmbeddedLog(place) : undefined
  return {
    log,
    conversations,
    events: countEvents(folder),
    inspect: () => {
      const { damage, shortened } = inspectFile(folder)
      return [
        ...damage.map((text): Finding => ({ kind: 'file', stream: 'events.sqlite', revision: null, text })),
        ...shortened
          .filter(({ stream }) => !isOutside(stream))
          .map(({ stream, text }): Finding => ({ kind: 'removed', stream, revision: null, text })),
      ]
    },
    async [Symbol.asyncDispose]() {
      await conversations?.close()
      await log.close()
    },
  }
}
