import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { signerOf } from '#commands/integrity/signing.ts'
import { openKeys } from '#commands/keys/open-keys.ts'
import { startParley } from '../api/harness.ts'
import { type Figure, rounded } from './figure.ts'
import { writeMixedStore } from './mixed-store.ts'
import { rebuilt } from './rebuild-once.ts'
import { startFigures, warmStarts } from './start.ts'

const EVENTS = 1_000_000
const MAX_REBUILD_S = 30

/** P3 and P8 on a mixed store of a million events. */
export const million = async (): Promise<readonly Figure[]> => {
  // A first start makes the keys and the first user.
  const { folder, end } = await startParley()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // A signal alone ends a process without its exit handlers.
  process.once('SIGTERM', () => process.exit(143))
  await end()
  const keys = openKeys({ folder })
  await writeMixedStore(folder, EVENTS, signerOf(keys))
  keys.close()
  const { seconds } = await rebuilt(folder, join(folder, 'projections'))
  return [
    {
      id: 'P3',
      what: `rebuild from ${EVENTS} events`,
      measured: `${rounded(seconds)} s`,
      target: `≤ ${MAX_REBUILD_S} s`,
      met: seconds <= MAX_REBUILD_S,
      detail: { seconds: rounded(seconds, 2) },
    },
    ...startFigures(`, ${EVENTS} stored events`, await warmStarts(folder)),
  ]
}
