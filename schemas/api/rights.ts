import { z } from 'zod'
import { named } from './name.ts'

/** Name of what the caller may not see: null. */
const thing = z.object({ id: z.string(), name: z.string().nullable() })

/** Holders of a role, and their use of it. */
export const roleHoldersSchema = named(
  'RoleHolders',
  z.object({
    /** Counts all holders, also those hidden from the caller. */
    total: z.int(),
    /** At most 200, by name. `set`: place in `sets` of what their other roles permit. */
    people: z.array(
      z.object({
        id: z.string(),
        username: z.string().nullable(),
        firstname: z.string().nullable(),
        lastname: z.string().nullable(),
        set: z.int(),
      }),
    ),
    sets: z.array(z.array(z.string())),
    /** Days that `unused` looks back. */
    days: z.int(),
    /** Permissions of the role to create, change and delete that none of them used; reading leaves no trace. */
    unused: z.array(z.string()),
  }),
)

/** A person's rights and their source: each role, the group that has it, and the person's group that leads to that. */
export const rightsSchema = named(
  'Rights',
  z.object({
    /** Everything, because their home is the root and ALLOW_LEVEL1_DEFAULT_ACCESS is on. */
    everything: z.boolean(),
    grants: z.array(z.object({ role: thing, group: thing, member: thing, permissions: z.array(z.string()) })),
  }),
)
