import { z } from 'zod'
import type { ChosenHit } from '#domain/flow/text/rewrite-flow.ts'

/** Places of one flow reported by name; further ones are only counted. */
const MAX_NAMED = 100

/** A step's report of the hits in a flow that no longer existed. */
export const passedOverSchema = z.object({
  flow: z.string(),
  count: z.int(),
  left: z.array(z.object({ block: z.string(), field: z.string() })),
})

export const passedOver = (flow: string, left: readonly ChosenHit[]): z.infer<typeof passedOverSchema> | undefined => {
  if (left.length === 0) return undefined
  return { flow, count: left.length, left: left.slice(0, MAX_NAMED).map(placeOf) }
}

/** Place of a hit, for display. */
export const placeOf = ({ block, path }: ChosenHit) => ({ block, field: path[0] ?? 'title' })
