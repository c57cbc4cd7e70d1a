import { z } from 'zod'
import { SERVICE_STATES, SERVICE_STATUSES } from '../entities/botservice.ts'
import { named } from './common.ts'

const status = z.enum(SERVICE_STATUSES)

/** A part of a bot, and what each node says of it at this moment. */
const botServiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  systemid: z.string(),
  state: z.enum(SERVICE_STATES),
  status,
  buildversion: z.string().nullable(),
  /** Since when it is in this state. */
  since: z.iso.datetime(),
  nodes: z.array(z.object({ node: z.string(), version: z.string(), status, since: z.iso.datetime() })),
})

export const botServicesSchema = named(
  'BotServices',
  z.object({
    runningstatus: z.string(),
    /** Services that are up, and those that the bot needs. */
    up: z.int(),
    needed: z.int(),
    items: z.array(botServiceSchema),
  }),
)

/** Result of `fix` for a service, on the asked node. */
const fixedServiceSchema = z.object({
  systemid: z.string(),
  name: z.string(),
  before: status,
  after: status,
  did: z.enum(['nothing', 'reopened', 'unmended']),
})

export type FixedService = z.output<typeof fixedServiceSchema>

const LOG_LEVELS = ['info', 'warn', 'error'] as const

const MAX_LINES = 500

const word = z.string().max(200)
const level = z.enum(LOG_LEVELS)
/** Counts of all levels, repeats included, independent of the level filter. */
const counts = z.object({ info: z.int(), warn: z.int(), error: z.int() })

/** A log line of one node: ids, codes and times, never message text. */
const botLogLineSchema = z.object({
  id: z.int(),
  time: z.string().max(50),
  level,
  code: word,
  release: z.int().nullable(),
  dialog: word.nullable(),
  block: word.nullable(),
  conversation: word.nullable(),
  service: word.nullable(),
  /** Result in codes, such as the provider's code, the type of the message, the attempt and the next pause. */
  detail: word.nullable(),
  count: z.int(),
})

export type BotLogLine = z.output<typeof botLogLineSchema>

export type BotLogLevel = BotLogLine['level']

/** A place in the logs of the nodes: the id of a log and of a line, for each of them. */
const place = z
  .string()
  .max(4_000)
  .regex(/^(?:[\da-f]{8}:\d{1,15}(?:,(?=.)|$))*$/)

const about = {
  level: level.optional(),
  search: z.string().max(200).optional(),
  /** Of one service alone: `runtime`, or type and id of a channel. */
  service: z.string().max(200).optional(),
}

/** `after`: the lines after a place, the oldest first; without it the newest, the newest first. */
export const botLogQuery = z.strictObject({
  ...about,
  after: place.optional(),
  before: place.optional(),
  size: z.coerce.number().int().min(1).max(MAX_LINES).default(100),
})

export const botLogSchema = z.object({
  items: z.array(botLogLineSchema.extend({ id: word })),
  /** The place of the newest lines of the bot, whether they are among the items or not. */
  newest: z.string(),
  /** The place before which older lines follow; null at the end. */
  older: z.string().nullable(),
  counts,
  /** Names of the nodes that did not answer in time: their lines are missing. */
  silent: z.array(z.string()),
  /** False: this node hears no other one. */
  heard: z.boolean(),
})

/** The question of one node to another. */
export const botLogQuestion = z.strictObject({
  bot: z.string().max(200),
  ...about,
  after: place.optional(),
  before: place.optional(),
  size: z.int().min(1).max(MAX_LINES),
})

/** The answer of one node to another. */
export const botLogPart = z.object({
  log: z.string().regex(/^[\da-f]{8}$/),
  items: z.array(botLogLineSchema).max(MAX_LINES),
  newest: z.int(),
  counts,
})

export type BotLogPart = z.output<typeof botLogPart>
