import { newMasterKey } from '#commands/keys/master-key.ts'
import { resetAdministrator } from '#commands/people/reset-administrator.ts'
import type { Run } from './command.ts'
import { openFolder, openPlace } from './open-folder.ts'

/** `parley key rotate`. A key never stands among the arguments, where every process could read it. */
export const rotate: Run = async ({ settings }) => {
  await using open = await openFolder(settings)
  const { PARLEY_NEW_KEY: given } = settings
  const next = given ?? newMasterKey()
  open.keys.rewrap(next)
  if (settings.PARLEY_KEY === undefined)
    process.stdout.write('All keys are wrapped with a new key; the key file holds it.\n')
  else if (given !== undefined)
    process.stdout.write('All keys are wrapped with PARLEY_NEW_KEY: set PARLEY_KEY to it.\n')
  else
    process.stdout.write(`All keys are wrapped with a new key. Set PARLEY_KEY to it (told only this once):\n${next}\n`)
  return 0
}

/** `parley user reset-admin`: prints a new password. */
export const resetAdmin: Run = async ({ settings }) => {
  await using place = await openPlace(settings)
  const { username, password } = await resetAdministrator(place.store, place.keys, {
    onlyProviders: settings.OIDC_ONLY,
  })
  process.stdout.write(`The password of ${username} is ${password}\n`)
  return 0
}
