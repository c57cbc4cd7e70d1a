import { type Keys, openKeys } from '#commands/keys/open-keys.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { START } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'
import { embeddedFolder } from './embedded-folder.ts'
import { type StoreWithKeys, withKeys } from './with-keys.ts'

export interface OpenFolder extends StoreWithKeys<Keys> {
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
