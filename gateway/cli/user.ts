import { resolve } from 'node:path'
import { openKeys } from '#commands/keys/open-keys.ts'
import { resetAdministrator } from '#commands/people/reset-administrator.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { START } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'

/**
 * `parley user reset-admin`: prints a new password. Works on the data folder itself, which a running gateway holds.
 * @returns the exit code
 * @throws with one line to print
 */
export const resetAdmin = async (settings: Settings): Promise<number> => {
  const folder = resolve(settings.PARLEY_DATA)
  const store = await openEmbeddedStore({ folder })
  try {
    const keys = openKeys({ folder, key: settings.PARLEY_KEY, create: (await store.head()) === START })
    try {
      const { username, password } = await resetAdministrator(store, keys)
      process.stdout.write(`The password of ${username} is ${password}\n`)
    } finally {
      keys.close()
    }
  } finally {
    await store.close()
  }
  return 0
}
