import { resolve } from 'node:path'
import { openKeysReader } from '#commands/keys/open-keys-reader.ts'
import { exportSeals } from '#commands/trust/kept-seal.ts'
import { signerOf } from '#commands/trust/signing.ts'
import { openLog } from '../trust/open-log.ts'
import type { Run } from './command.ts'
import { writeLines } from './write-lines.ts'

/** `parley seals export`. */
export const exportAll: Run = async ({ settings, options }) => {
  await using source = await openLog(settings)
  const written = await writeLines(exportSeals(source.log), options.output)
  if (written === 0) process.stderr.write('The log has no seals yet.\n')
  return 0
}

/** `parley seals key`. */
export const publicKey: Run = async ({ settings }) => {
  const keys = openKeysReader({ folder: resolve(settings.PARLEY_DATA), key: settings.PARLEY_KEY })
  try {
    process.stdout.write(`${signerOf(keys).key}\n`)
  } finally {
    keys.close()
  }
  return 0
}
