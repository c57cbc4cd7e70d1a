import { z } from 'zod'
import { named } from './name.ts'
import { personSchema } from './write.ts'

export const transferQuery = z.strictObject({ hierarchylevel: z.string().min(1).max(200) })

/** At most 50 of the people; `total` counts all. */
const people = z.object({ total: z.int(), items: z.array(personSchema) })

/**
 * People that gain access to the thing at the new level, and people that lose it. `levels`: levels that a user gains or
 * loses. `beyond`: references of the thing that people of the present level can open and people of the new one cannot.
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
