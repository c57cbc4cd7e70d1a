import { writeSync } from 'node:fs'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { newEvent } from './event.ts'

/**
 * A process that appends to `bot-<n>` for each of some writers until it is killed, and tells each acknowledgement on its
 * output: `ack <stream> <revision>`. Arguments: folder, writers, appends for each writer (0 for ever).
 */
/** Synchronous, so that a kill right after loses nothing; waits for a slow reader. */
const tell = (line: string): void => {
  for (;;) {
    try {
      writeSync(1, `${line}\n`)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

const [folder = '', writers = '1', appends = '0'] = process.argv.slice(2)
const most = Number(appends) || Number.POSITIVE_INFINITY

try {
  const store = await openEmbeddedStore({ folder })
  tell('open')
  const write = async (stream: string) => {
    let revision = await store.revision(stream)
    for (let n = 0; n < most; n++) {
      revision = (await store.append(stream, revision, [newEvent(), newEvent()])).revision
      tell(`ack ${stream} ${revision}`)
    }
  }
  await Promise.all(Array.from({ length: Number(writers) }, (_, n) => write(`bot-${n}`)))
  await store.close()
} catch (error) {
  tell(String(error))
  process.exitCode = 1
}
