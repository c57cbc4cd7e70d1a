import { writeSync } from 'node:fs'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { newEvent } from './event.ts'

/**
 * A process that appends to `bot-<n>` for each of some writers until it is killed, and tells each acknowledgement on its
 * output: `ack <stream> <revision>`. Arguments: folder, writers, appends for each writer (0 for ever).
 */
const [folder = '', writers = '1', appends = '0'] = process.argv.slice(2)
const most = Number(appends) || Number.POSITIVE_INFINITY

try {
  const store = await openEmbeddedStore({ folder })
  writeSync(1, 'open\n')
  const write = async (stream: string) => {
    let revision = await store.revision(stream)
    for (let n = 0; n < most; n++) {
      revision = (await store.append(stream, revision, [newEvent(), newEvent()])).revision
      writeSync(1, `ack ${stream} ${revision}\n`)
    }
  }
  await Promise.all(Array.from({ length: Number(writers) }, (_, n) => write(`bot-${n}`)))
  await store.close()
} catch (error) {
  writeSync(1, `${error}\n`)
  process.exitCode = 1
}
