import { resetAdministrator } from '#commands/people/reset-administrator.ts'
import type { Run } from './command.ts'
import { openFolder } from './open-folder.ts'

/** `parley user reset-admin`: prints a new password. */
export const resetAdmin: Run = async ({ settings }) => {
  await using folder = await openFolder(settings)
  const { username, password } = await resetAdministrator(folder.store, folder.keys)
  process.stdout.write(`The password of ${username} is ${password}\n`)
  return 0
}
