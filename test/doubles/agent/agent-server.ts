import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const CHANNELS = join(process.env.PARLEY_CORPUS ?? '', 'channels')

/** A sample of the corpus: what a system really sends or answers. */
export const sample = (system: string, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(CHANNELS, `agent-${system}`, `${name}.json`), 'utf8'))
