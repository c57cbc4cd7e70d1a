import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes lines to a new or replaced file of the owner's alone, or to standard output. @returns how many there were */
export const writeLines = async (
  lines: AsyncIterable<string>,
  output: string | boolean | undefined,
): Promise<number> => {
  let written = 0
  async function* counted() {
    for await (const line of lines) {
      written += 1
      yield line
    }
  }
  if (typeof output === 'string') await pipeline(Readable.from(counted()), createWriteStream(output, { mode: 0o600 }))
  else await pipeline(Readable.from(counted()), process.stdout, { end: false })
  return written
}
