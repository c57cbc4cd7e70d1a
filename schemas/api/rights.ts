import { z } from 'zod'
import { named } from './name.ts'

/** Name of what the caller may not see: null. */
const thing = z.object({ id: z.string(), name: z.string().nullable() })

/** What somebody may do, and from where: each role, the group that has it, and the group of theirs that leads to that. */
export const rightsSchema = named(
  'Rights',
  z.object({
    /** Everything, because their home is the root and ALLOW_LEVEL1_DEFAULT_ACCESS is on. */
    everything: z.boolean(),
    grants: z.array(z.object({ role: thing, group: thing, member: thing, permissions: z.array(z.string()) })),
  }),
)
