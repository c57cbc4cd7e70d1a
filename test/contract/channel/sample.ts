import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json, JsonObject } from '#schemas/event.ts'

const CHANNELS = join(process.env.PARLEY_CORPUS ?? '', 'channels')

/** Whether the corpus of sample payloads is at hand. */
export const hasSamples = process.env.PARLEY_CORPUS !== undefined

/** Names of a provider's samples that begin with one of these words, without their ending. */
export const sampleNames = (folder: string, ...kinds: readonly string[]): readonly string[] =>
  hasSamples
    ? readdirSync(join(CHANNELS, folder))
        .filter(name => kinds.some(kind => name.startsWith(`${kind}-`)))
        .map(name => name.replace(/\.json$/, ''))
    : []

export const sample = (folder: string, name: string): JsonObject =>
  JSON.parse(readFileSync(join(CHANNELS, folder, `${name}.json`), 'utf8')) as JsonObject

/** A sample form as it is sent. */
export const formOf = (fields: JsonObject): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]: [string, Json]) => [name, String(value)])).toString()
