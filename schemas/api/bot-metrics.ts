import { z } from 'zod'
import { CONVERSATION_ORIGINS } from '../events/conversation.ts'
import { named } from './common.ts'
import { deskMetricSchema } from './desk-metrics.ts'
import { pageQuery, whole } from './query.ts'

const id = z.string().max(200)

/** Dimensions of conversations that figures are grouped by. */
export const CONVERSATION_DIMENSIONS = ['day', 'release', 'channel', 'origin'] as const
export type ConversationDimension = (typeof CONVERSATION_DIMENSIONS)[number]
const METRIC_GROUPS = [...CONVERSATION_DIMENSIONS, 'queue', 'agent', 'task'] as const

const release = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)

/**
 * Days in the time zone of the bot, both included, at most 366; by default the last 7. A conversation counts on the day on
 * which it began. `channel`: a type. Without `origin`: conversations of persons and answers to campaigns. `compare`: another
 * release, in the same days.
 */
export const botMetricsQuery = z.strictObject({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  by: z.enum(METRIC_GROUPS).default('day'),
  release: release.optional(),
  compare: release.optional(),
  channel: id.optional(),
  origin: z.enum(CONVERSATION_ORIGINS).optional(),
})

/** Without `readconversation` a count is rounded to a multiple of five, and null below five. */
const count = z.int().nullable()
const mean = z.number().nullable()

const shareOfTurns = z.object({ mean, p50: z.int().nullable() })

/** Decimal text of an amount; null: hidden, or without closed conversations. */
const amount = z.string().nullable()
const messageCost = z.object({
  currency: z.string(),
  amount,
  /** Messages with that price. */
  count,
  /** Amount for each closed conversation. */
  each: amount,
})

const conversationMetric = {
  started: count,
  /** The person wrote at least once. */
  engaged: count,
  /** Engaged and not ended: in no rate. */
  open: count,
  /** Engaged and ended. */
  closed: count,
  /** Conversations, and persons, with a message in these days. */
  active: count,
  people: count,
  /** Of the closed ones: the first that holds, so they add up to them. */
  outcomes: z.object({
    agent: count,
    unserved: count,
    completed: count,
    gaveup: count,
    failed: count,
    left: count,
  }),
  /** Closed without a request for an agent. */
  contained: count,
  handoff: z.object({ count, flow: count, menu: count, takeover: count }),
  /** Of days that ended at least 72 h ago: completed, and those of them whose person came back within 72 h. */
  durable: z.object({ completed: count, reopened: count }),
  /** Turns with a free text for the bot, those not recognized, turns of unknown input; conversations with one not recognized. */
  understanding: z.object({ texts: count, unrecognized: count, unclear: count, conversations: count }),
  /** ms from a message to the end of its turn; exact to two digits. */
  answer: z.object({ count, mean, p50: z.int().nullable(), p95: z.int().nullable() }),
  /** Of a closed conversation. */
  turns: shareOfTurns,
  received: shareOfTurns,
  said: shareOfTurns,
  csat: z.object({ asked: count, rated: count, good: count }),
  nps: z.object({ asked: count, rated: count, promoters: count, detractors: count }),
  /** Conversations with a rating, and with a question for one that has no answer. */
  rated: count,
  unrated: count,
  /**
   * Cost of the bot's messages, and of campaigns' messages that conversations answer. `reported`: prices in receipts.
   * `computed`: billable messages without one, by the price list of the day; `unpriced` ones have no price there. The two
   * are never added. `free`: not billed. `open`: no receipt says so far whether they are billed.
   */
  cost: z.object({
    reported: z.array(messageCost),
    computed: z.array(messageCost),
    unpriced: count,
    free: count,
    open: count,
  }),
  /** Conversations with a priced message. */
  priced: count,
}

/** State of a bot now, and its day up to now in its time zone. */
export const liveBotSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Conversations with the bot, with agents or waiting for one, and those of them that wait. */
  talking: count,
  agents: count,
  waiting: count,
  day: z.string(),
  started: count,
  closed: count,
  contained: count,
  texts: count,
  unrecognized: count,
})

export type LiveBot = z.output<typeof liveBotSchema>

/** Of each bot of a page of the list, as far as the caller may read it. */
export const botsLiveSchema = named(
  'BotsLive',
  z.object({
    items: z.array(
      liveBotSchema.pick({ id: true, talking: true, agents: true }).extend({
        /** In its open flows; each once. */
        editing: z.array(z.object({ user: z.string(), name: z.string() })),
      }),
    ),
  }),
)

/** The last `days` of each bot, today included, by its own time zone. */
export const botsMetricsQuery = z.strictObject({ days: whole(1, 366).default(7), ...pageQuery })

const botFigures = {
  started: count,
  closed: count,
  contained: count,
  handoff: count,
  completed: count,
  texts: count,
  unrecognized: count,
}

/** Bots that the caller may read, those with most conversations first. `all`: sums of all of them, on every page. */
export const botsMetricsSchema = named(
  'BotsMetrics',
  z.object({
    days: z.int(),
    all: z.object(botFigures),
    items: z.array(z.object({ id: z.string(), name: z.string(), from: z.string(), to: z.string(), ...botFigures })),
    total: z.int(),
    page: z.int(),
    size: z.int(),
  }),
)

const conversationMetricSchema = z.object(conversationMetric)
export type ConversationMetric = z.output<typeof conversationMetricSchema>

export const botMetricsSchema = named(
  'BotMetrics',
  z.object({
    bot: z.string(),
    from: z.string(),
    to: z.string(),
    timezone: z.string(),
    by: z.enum(METRIC_GROUPS),
    /**
     * `key`: a day, a release, a type of channel, an origin, or the id of a queue, a user or a dialog. `desk`: of a queue or
     * an agent, on the day of the request. `dialog`: conversations that entered it, and a goal of it.
     */
    rows: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        conversations: conversationMetricSchema.optional(),
        desk: deskMetricSchema.optional(),
        dialog: z.object({ entered: count, completed: count }).optional(),
      }),
    ),
    total: conversationMetricSchema,
    /** Chats at Parley's own desk of these days. */
    desk: deskMetricSchema,
    /** Of the release to compare with. */
    compared: conversationMetricSchema.optional(),
    /** Conversations that began in each hour of the day, from 0 to 23. */
    hours: z.array(count),
    /** The same for each weekday, from Sunday: seven lists of 24. */
    week: z.array(z.array(count)),
    /** Ratings by scale and score. */
    scores: z.array(z.object({ scale: z.string(), score: z.int(), count })),
    /** Answers to questions of the bot, and those of them that were not valid; of turns on these days. */
    questions: z.object({ answered: count, invalid: count }),
    /** Blocks where conversations ended while they waited there, most of them first. */
    dropoff: z.array(
      z.object({ dialog: z.string(), name: z.string(), block: z.string(), entered: count, lost: count }),
    ),
    /** Last day whose conversations count for `durable`. */
    settled: z.string(),
    /** Conversations of these days that retention removed: they count, and no list has them. */
    removed: count,
    /** Version of the definitions, and days with conversations that are counted by another one. */
    definitions: z.int(),
    otherdays: z.array(z.object({ day: z.string(), version: z.int() })),
  }),
)
export type BotMetrics = z.output<typeof botMetricsSchema>
