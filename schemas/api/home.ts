import { z } from 'zod'
import { named } from './name.ts'
import { auditLineSchema, personSchema } from './write.ts'

const parent = z.object({ entity: z.string(), id: z.string(), name: z.string().nullable() })
/** Parents, outermost first. */
const parents = z.array(parent)
const time = z.iso.datetime()

/** Summary of a flow for lists and cards. */
const flowCard = z.object({
  id: z.string(),
  revision: z.int(),
  /** Of its last edit. */
  time,
  blocks: z.int(),
  /** Newest first. */
  editors: z.array(z.object({ person: personSchema, time })),
  /** [x, y, block type], top to bottom. */
  miniature: z.array(z.tuple([z.number(), z.number(), z.string()])),
})

const bot = z.object({
  id: z.string(),
  name: z.string().nullable(),
  runningstatus: z.string().nullable(),
  deploymentenv: z.string().nullable(),
  modified_at: time,
})

/** The home page. Omits parts that the caller may not read. */
export const homeSchema = named(
  'Home',
  z.object({
    /** The caller's last flows, then the newest of all. */
    flows: z.array(
      z.object({
        entity: z.enum(['dialog', 'handler']),
        id: z.string(),
        name: z.string().nullable(),
        parents,
        card: flowCard.nullable(),
      }),
    ),
    changes: z.array(auditLineSchema),
    /** `status`: number of bots by running status. */
    bots: z.object({ total: z.int(), status: z.record(z.string(), z.int()), items: z.array(bot) }).optional(),
    /** Locked people, for those who may unlock them. */
    locked: z.array(personSchema.extend({ time })).optional(),
    /** Open flows and people. */
    editing: z.array(
      z.object({
        entity: z.enum(['dialog', 'handler']),
        id: z.string(),
        name: z.string(),
        people: z.array(z.object({ user: z.string(), name: z.string(), color: z.string() })),
      }),
    ),
  }),
)

/** Things of all kinds whose name holds a text. */
export const searchSchema = named(
  'SearchResults',
  z.object({
    items: z.array(z.object({ entity: z.string(), id: z.string(), name: z.string().nullable(), parents })),
  }),
)

export const peopleSchema = named('People', z.object({ items: z.array(personSchema) }))

/** The greatest release, or {} before the first one. */
export const latestReleaseSchema = named(
  'LatestRelease',
  z
    .object({
      name: z.string(),
      major: z.int(),
      minor: z.int(),
      patch: z.int(),
      improvement: z.string().nullable(),
      bugfix: z.string().nullable(),
    })
    .partial(),
)

/** Console settings available before sign-in. */
export const instanceSchema = named(
  'Instance',
  z.object({ name: z.string(), theme: z.string(), version: z.string(), botrouterurl: z.string() }),
)

export const readNotificationsBody = z.union([
  z.strictObject({ ids: z.array(z.string().max(200)).max(1000) }),
  z.strictObject({ all: z.literal(true) }),
])
