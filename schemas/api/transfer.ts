import { z } from 'zod'
import { named } from './name.ts'
import { personSchema } from './write.ts'

export const transferQuery = z.strictObject({ hierarchylevel: z.string().min(1).max(200) })

/** At most 50 of the people; `total` counts all. */
const people = z.object({ total: z.int(), items: z.array(personSchema) })

/**
 * Who can open the thing at the new level and could not before, and the reverse. `levels`: of a user, those that they reach or
 * no longer reach. `beyond`: what the thing refers to that people of the present level can open, and those of the new one not.
 */
export const transferPreviewSchema = named(
  'TransferPreview',
  z.object({
    from: z.string(),
    to: z.string(),
    gains: people,
    losses: people,
    levels: z.object({ gains: z.array(z.string()), losses: z.array(z.string()) }).nullable(),
    beyond: z.array(z.object({ field: z.string(), entity: z.string(), id: z.string(), name: z.string() })),
  }),
)
