import type { Json, JsonObject } from '#schemas/event.ts'

const SAMPLES: Readonly<Record<string, Json>> = {
  number: 1,
  boolean: true,
  date: '2026-01-31T09:00:00.000Z',
  object: {},
  array: [],
}

export interface SampledVariable {
  readonly name: string
  readonly datatype?: string | undefined
  /** An example of its value. */
  readonly customdata?: Json | undefined
}

/** A sample for each variable: its own example, else a value of its type; for text, its name. */
export const sampleValues = (variables: readonly SampledVariable[]): JsonObject =>
  Object.fromEntries(
    variables.map(({ name, datatype, customdata }) => [name, customdata ?? SAMPLES[datatype ?? 'string'] ?? name]),
  )
