import { resetAdministrator } from '#commands/people/reset-administrator.ts'
import type { Run } from './command.ts'
import { openPlace } from './open-folder.ts'

/** `parley user reset-admin`: prints a new password. */
export const resetAdmin: Run = async ({ settings }) => {
  await using place = await openPlace(settings)
  const { username, password } = await resetAdministrator(place.store, place.keys, {
    onlyProviders: settings.OIDC_ONLY,
  })
  process.stdout.write(`The password of ${username} is ${password}\n`)
  return 0
}
