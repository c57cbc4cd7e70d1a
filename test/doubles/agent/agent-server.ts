import { corpusJson } from '#test/fixture/corpus.ts'

/** A sample of the corpus: what a system really sends or answers. */
export const sample = (system: string, name: string): Record<string, unknown> =>
  corpusJson('channels', `agent-${system}`, `${name}.json`)
