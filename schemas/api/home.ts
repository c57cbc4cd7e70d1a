import { z } from 'zod'
import { liveBotSchema } from './bot-metrics.ts'
import { named } from './common.ts'
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
    /** Bots with conversations now or today, most of today first: at most 5; `more` are left out. */
    live: z.object({ items: z.array(liveBotSchema), more: z.int() }).optional(),
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
  z.object({
    name: z.string(),
    theme: z.string(),
    version: z.string(),
    botrouterurl: z.string(),
    /** Mail goes out. */
    mail: z.boolean(),
  }),
)

export const readNotificationsBody = z.union([
  z.strictObject({ ids: z.array(z.string().max(200)).max(1000) }),
  z.strictObject({ all: z.literal(true) }),
])

/** Periods of the dashboard, in days; the last one is today. */
export const DASHBOARD_PERIODS = ['7', '30', '90'] as const

export const dashboardQuery = z.strictObject({ days: z.enum(DASHBOARD_PERIODS).default('30') })

/** One number per day of the period. */
const counts = z.array(z.int())

/** Counts per day of what the caller may read in their levels. A part that the caller may not read is absent. */
export const dashboardSchema = named(
  'Dashboard',
  z.object({
    /** Days of São Paulo, oldest first: `2026-11-19`. */
    days: z.array(z.iso.date()),
    /** Most edits first; null adds up everybody else. */
    edits: z.array(z.object({ person: personSchema.nullable(), counts })),
    /** People with at least one edit. */
    editors: counts,
    publishes: counts,
    signins: z.object({ succeeded: counts, failed: counts }).optional(),
    /** Number of bots by running status, now. */
    bots: z.record(z.string(), z.int()).optional(),
    /** People whose sign-in is locked, now; the first ten by name. */
    locked: z.object({ total: z.int(), people: z.array(personSchema) }).optional(),
  }),
)

export type Dashboard = z.output<typeof dashboardSchema>

/** Sources for understanding and for handover to agents: running bots apply changes at once. */
export const RUNNING_SOURCES = ['nlusettings', 'nluproject', 'brain', 'agentchannel'] as const

export type RunningSource = (typeof RUNNING_SOURCES)[number]

/** Whether running bots follow what was stored (D-8.02, D-8.04). */
export const runningBotsSchema = named(
  'RunningBots',
  z.object({
    /** Instances of bots that use it, a bot on a node each. */
    running: z.int(),
    /** Of those, the ones that follow. */
    updated: z.int(),
    /** False: there may be nodes that are not heard of at the moment. */
    heard: z.boolean(),
  }),
)

export type RunningBots = z.output<typeof runningBotsSchema>

/** The sample workspace of an installation. */
export const sampleSchema = named(
  'Sample',
  z.object({
    /** `none`: it never had one, or the caller may not see it. */
    state: z.enum(['none', 'making', 'finished', 'removing', 'removed']),
    /** Share of the making or the removal that is done, from 0 to 1. */
    share: z.number().min(0).max(1),
    /** The caller may remove it. */
    removable: z.boolean(),
  }),
)

export const removedSampleSchema = named(
  'RemovedSample',
  z.object({
    things: z.int(),
    conversations: z.int(),
    /** Names of levels and other things that hold what other people made, and stay. */
    kept: z.array(z.string()),
  }),
)

/** Whole bots to begin from, in the language of the request. */
export const botTemplatesSchema = named(
  'BotTemplates',
  z.object({
    items: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        description: z.string(),
        segment: z.string(),
        /** Number of its blocks, and of its conversation tests. */
        blocks: z.int(),
        tests: z.int(),
      }),
    ),
  }),
)

/** `hierarchylevel`: default that of the session. */
export const fromTemplateBody = z.strictObject({
  name: z.string().min(1).max(255),
  hierarchylevel: z.string().max(100).optional(),
})

export const fromTemplateSchema = named('BotFromTemplate', z.object({ bot: z.string(), dialog: z.string() }))
