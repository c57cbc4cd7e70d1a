import { resolve } from 'node:path'
import type { NodeKeys } from '#commands/keys/node-keys.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'
import { openNodeKeys } from '../open-node-keys.ts'
import { type StoreWithKeys, withKeys } from './with-keys.ts'

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
