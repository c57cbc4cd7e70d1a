import { resolve } from 'node:path'
import { openLog } from '#commands/integrity/open-log.ts'
import { exportSeals, signerOf } from '#commands/integrity/signing.ts'
import { openKeysReader } from '#commands/keys/key-ring.ts'
import type { ExitCode, Run } from './command.ts'
import { openPlace } from './open-folder.ts'
import { writeLines } from './progress.ts'

/** `parley seals export`. */
export const exportAll: Run = async ({ settings, options }) => {
  await using source = await openLog(settings)
  const written = await writeLines(exportSeals(source.log), options.output)
  if (written === 0) process.stderr.write('The log has no seals yet.\n')
  return 0
}

/** `parley seals key`. */
export const publicKey: Run = async ({ settings }) => {
  if (settings.EVENTSTORE_URL !== undefined) {
    await using place = await openPlace(settings)
    return print(place.keys)
  }
  const keys = openKeysReader({ folder: resolve(settings.PARLEY_DATA), key: settings.PARLEY_KEY })
  try {
    return print(keys)
  } finally {
    keys.close()
  }
}

const print = (keys: Parameters<typeof signerOf>[0]): ExitCode => {
  process.stdout.write(`${signerOf(keys).key}\n`)
  return 0
}
