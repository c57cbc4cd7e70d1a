import { z } from 'zod'
import { named } from './common.ts'
import { flag, pageQuery } from './query.ts'

const selection = {
  /** People, or service accounts with their tokens. */
  kind: z.enum(['person', 'service']).default('person'),
  search: z.string().max(500).optional(),
  /** People alone: those who may export. */
  exports: flag.default(false),
}

export const accessReviewQuery = z.strictObject({ ...selection, ...pageQuery })
export const accessReviewExportQuery = z.strictObject(selection)

/** Name of what the caller may not see: null. */
const thing = z.object({ id: z.string(), name: z.string().nullable() })

const token = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  expires: z.string(),
  /** Neither revoked nor past its end. */
  active: z.boolean(),
  last_used_at: z.string().nullable(),
  /** Permissions; empty: all of its holder. */
  scopes: z.array(z.string()),
})

const holder = z.object({
  id: z.string(),
  kind: z.enum(['person', 'service']),
  name: z.string(),
  firstname: z.string().nullable(),
  lastname: z.string().nullable(),
  hierarchylevel: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Locked, or of a service account: switched off. */
  locked: z.boolean(),
  /** Last sign-in; of a service account the last use of a token. */
  last_seen_at: z.string().nullable(),
  /** Everything, because the home is the root and ALLOW_LEVEL1_DEFAULT_ACCESS is on. */
  everything: z.boolean(),
  /** Each role, the group that has it, and since when the holder has it through that group; null where nothing tells. */
  grants: z.array(z.object({ role: thing, group: thing, since: z.string().nullable(), permissions: z.int() })),
  /** Count of permissions in all. */
  permissions: z.int(),
  /** Permissions to export. */
  exports: z.array(z.string()),
  /** Permissions to create, change and delete that were not used; reading leaves no trace. */
  unused: z.array(z.string()),
  tokens: z.array(token),
})

export const accessReviewSchema = named(
  'AccessReview',
  z.object({
    items: z.array(holder),
    total: z.int(),
    page: z.int(),
    size: z.int(),
    /** Days that `unused` looks back. */
    days: z.int(),
    /** The last seal of the log. */
    seal: z.object({ number: z.int(), time: z.string() }).nullable(),
  }),
)
