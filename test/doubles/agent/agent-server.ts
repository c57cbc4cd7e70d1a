import { corpusJson } from '#test/fixture/corpus.ts'

/** A sample of the corpus: real data of a system. */
export const sample = (system: string, name: string): Record<string, unknown> =>
  corpusJson('channels', `agent-${system}`, `${name}.json`)
