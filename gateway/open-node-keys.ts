import type { NodeKeys } from '#commands/keys/node-keys.ts'
import { openKeys } from '#commands/keys/open-keys.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'

interface Place {
  readonly settings: Settings
  readonly folder: string
  readonly store: EventStore
}

/**
 * The keys where their events are: beside the embedded store, or in the shared one.
 * @throws KeyRefused with one line
 */
export const openNodeKeys = async ({ settings, folder, store }: Place): Promise<NodeKeys> => {
  const { EVENTSTORE_URL, PARLEY_KEY } = settings
  if (EVENTSTORE_URL === undefined || PARLEY_KEY === undefined)
    return openKeys({ folder, key: PARLEY_KEY, create: (await store.head()) === START })
  const { openSharedKeys } = await import('#commands/keys/open-shared-keys.ts')
  return openSharedKeys({ store, key: PARLEY_KEY, folder })
}
