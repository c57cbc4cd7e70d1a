import { type Keys, openKeys } from '#commands/keys/open-keys.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'
import { embeddedFolder } from './embedded-folder.ts'

export interface OpenFolder extends AsyncDisposable {
  readonly folder: string
  readonly store: EventStore
  readonly keys: Keys
}

/**
 * The data folder as a gateway has it, which keeps every gateway out of it meanwhile.
 * @throws with one line to print, when a gateway runs on it for example
 */
export const openFolder = async (settings: Settings): Promise<OpenFolder> => {
  const folder = embeddedFolder(settings)
  const store = await openEmbeddedStore({ folder })
  try {
    const keys = openKeys({ folder, key: settings.PARLEY_KEY, create: (await store.head()) === START })
    return {
      folder,
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
