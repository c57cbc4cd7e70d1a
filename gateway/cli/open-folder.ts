import { resolve } from 'node:path'
import { type FileKeys, openKeys } from '#commands/keys/open-keys.ts'
import type { NodeKeys } from '#commands/keys/secret.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, START, StoreUnavailable } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'
import { openNodeKeys } from '../open-store.ts'

interface StoreWithKeys<FileKeys> extends AsyncDisposable {
  readonly store: EventStore
  readonly keys: FileKeys
}

/** A store and its keys, closed together; a store whose keys cannot be opened is closed at once. */
const withKeys = async <FileKeys extends { close(): void }>(
  store: EventStore,
  open: () => Promise<FileKeys>,
): Promise<StoreWithKeys<FileKeys>> => {
  try {
    const keys = await open()
    return {
      store,
      keys,
      async [Symbol.asyncDispose]() {
        keys.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The folder of the embedded store. @throws with one line if the events are on a server */
export const embeddedFolder = ({ EVENTSTORE_URL, PARLEY_DATA }: Settings): string => {
  if (EVENTSTORE_URL === undefined) return resolve(PARLEY_DATA)
  throw new StoreUnavailable(
    'This is for the embedded store, and EVENTSTORE_URL is set: docs/operations.md says what to do',
  )
}

export interface OpenFolder extends StoreWithKeys<FileKeys> {
  readonly folder: string
}

/**
 * The data folder as a gateway has it, which keeps every gateway out of it meanwhile.
 * @throws with one line to print, when a gateway runs on it for example
 */
export const openFolder = async (settings: Settings): Promise<OpenFolder> => {
  const folder = embeddedFolder(settings)
  const store = await openEmbeddedStore({ folder })
  const keys = async () => openKeys({ folder, key: settings.PARLEY_KEY, create: (await store.head()) === START })
  return { folder, ...(await withKeys(store, keys)) }
}

/**
 * Opens events and keys where the settings place them. Locks gateways out of the embedded store; a server keeps serving
 * its nodes. @throws with one line to print
 */
export const openPlace = async (settings: Settings): Promise<StoreWithKeys<NodeKeys>> => {
  const folder = resolve(settings.PARLEY_DATA)
  const store = await storeOf(settings, folder)
  return withKeys(store, () => openNodeKeys({ settings, folder, store }))
}

const storeOf = async ({ EVENTSTORE_URL: url }: Settings, folder: string): Promise<EventStore> => {
  if (url === undefined) return openEmbeddedStore({ folder })
  const { openEventStoreDb } = await import('#commands/store/eventstoredb/open-event-store-db.ts')
  return openEventStoreDb({ url })
}
