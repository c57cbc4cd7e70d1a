import { z } from 'zod'
import { named } from './common.ts'
import { personSchema } from './write.ts'

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
