import { readdirSync } from 'node:fs'
import type { Json, JsonObject } from '#schemas/event.ts'
import { corpus, corpusJson } from '#test/fixture/corpus.ts'

/** Names of a provider's samples that begin with one of these words, without their ending. */
export const sampleNames = (folder: string, ...kinds: readonly string[]): readonly string[] =>
  readdirSync(corpus('channels', folder))
    .filter(name => kinds.some(kind => name.startsWith(`${kind}-`)))
    .map(name => name.replace(/\.json$/, ''))

export const sample = (folder: string, name: string): JsonObject => corpusJson('channels', folder, `${name}.json`)

/** A sample form as it is sent. */
export const formOf = (fields: JsonObject): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]: [string, Json]) => [name, String(value)])).toString()
