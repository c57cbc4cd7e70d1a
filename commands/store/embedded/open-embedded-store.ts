import { join } from 'node:path'
import type { EventStore, StoreUnavailable } from '../port.ts'
import { READER, WorkerChannel } from './embedded-log.ts'
import { EmbeddedStore } from './embedded-store.ts'
import { EVENT_FORMAT } from './event-file.ts'
import { type FolderLock, lockFolder, prepareFolder } from './folder-lock.ts'
import { type AppendResult, type ReadRequest, type ReadResult, storageError, type WriteRequest } from './message.ts'
import { ensureSqliteFile } from './sqlite-file.ts'

const WRITER = new URL('./write-worker.ts', import.meta.url)

interface EmbeddedStoreOptions {
  /** Made with mode 700 when it is not there; the store's for as long as the process lives. */
  readonly folder: string
  /** One line when the store can no longer be used. */
  readonly log?: (line: string) => void
  /** Milliseconds for any one call. Default 30 000. */
  readonly deadline?: number
}

/**
 * The events in SQLite, written by a worker that commits everything waiting at once, read by another.
 * @throws StoreCorrupt, StoreReadOnly or StoreUnavailable, each with one line to print
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EventStore> {
  const { folder, log, deadline = 30_000 } = options
  const file = join(folder, 'events.sqlite')
  const lock = claim(folder, file)
  let store: EmbeddedStore | undefined
  const lost = (error: StoreUnavailable) => {
    log?.(`${error.message}; the store of ${folder} cannot go on`)
    store?.fail(error)
  }
  const [writing, reading] = await Promise.allSettled([
    WorkerChannel.open<WriteRequest, AppendResult>({ script: WRITER, file, deadline, lost }),
    WorkerChannel.open<ReadRequest, ReadResult>({ script: READER, file, deadline, lost }),
  ])
  if (writing.status === 'fulfilled' && reading.status === 'fulfilled') {
    const channels = { writes: writing.value.channel, reads: reading.value.channel }
    store = new EmbeddedStore(reading.value.id, channels, () => lock.release())
    return store
  }
  for (const opened of [reading, writing]) if (opened.status === 'fulfilled') await opened.value.channel.close()
  lock.release()
  throw reading.status === 'rejected' ? reading.reason : writing.status === 'rejected' ? writing.reason : undefined
}

function claim(folder: string, file: string): FolderLock {
  prepareFolder(folder)
  let lock: FolderLock | undefined
  try {
    lock = lockFolder(folder)
    ensureSqliteFile(file, EVENT_FORMAT)
    return lock
  } catch (error) {
    lock?.release()
    throw storageError(error, file)
  }
}
