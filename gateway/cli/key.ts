import { newMasterKey } from '#commands/keys/master-key.ts'
import type { Run } from './command.ts'
import { openFolder } from './open-folder.ts'

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
