import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { countEvents } from '#commands/store/embedded/inspect-file.ts'
import type { Run } from './command.ts'
import { openFolder } from './open-folder.ts'
import { openCaughtUpReadModels } from './read-models.ts'

/** `parley rebuild`: the read models are made from the log alone. */
export const rebuild: Run = async ({ settings }) => {
  await using open = await openFolder(settings)
  rmSync(join(open.folder, 'projections'), { recursive: true, force: true })
  const read = await openCaughtUpReadModels(open, settings, countEvents(open.folder))
  await read.close()
  process.stdout.write('The read models were rebuilt.\n')
  return 0
}
