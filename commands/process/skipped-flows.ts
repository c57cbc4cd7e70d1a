import { z } from 'zod'
import type { ChosenHit } from '#domain/flow/text/rewrite-flow.ts'

/** Places of one flow that are told by name; of others it is told how many. */
const MAX_NAMED = 100

/** What a step tells of the hits in a flow that stood there no more when it came to them. */
export const passedOverSchema = z.object({
  flow: z.string(),
  count: z.int(),
  left: z.array(z.object({ block: z.string(), field: z.string() })),
})

export const passedOver = (flow: string, left: readonly ChosenHit[]): z.infer<typeof passedOverSchema> | undefined => {
  if (left.length === 0) return undefined
  return { flow, count: left.length, left: left.slice(0, MAX_NAMED).map(placeOf) }
}

/** Where a hit stands, as people are told of it. */
export const placeOf = ({ block, path }: ChosenHit) => ({ block, field: path[0] ?? 'title' })
