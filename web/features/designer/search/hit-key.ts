import type { FlowHit } from '#schemas/api/flow-text.ts'

/** Tells a hit from every other of a search. */
export const hitKey = (flow: string, { block, path, at, offset }: FlowHit): string =>
  JSON.stringify([flow, block, path, at ?? null, offset])
