import { z } from 'zod'

const LOG_LEVELS = ['info', 'warn', 'error'] as const

const word = z.string().max(200)

/** A line of a bot's log: ids, codes and times, never what somebody said (RUNTIME 96). */
const botLogLineSchema = z.object({
  id: z.int(),
  time: z.string(),
  level: z.enum(LOG_LEVELS),
  code: word,
  release: z.int().nullable(),
  dialog: word.nullable(),
  block: word.nullable(),
  conversation: word.nullable(),
  service: word.nullable(),
  count: z.int(),
})

export type BotLogLine = z.output<typeof botLogLineSchema>

export type BotLogLevel = BotLogLine['level']

/** `after`: the lines that came after the line of this id, the oldest first; without it the newest, the newest first. */
export const botLogQuery = z.strictObject({
  level: z.enum(LOG_LEVELS).optional(),
  search: z.string().max(200).optional(),
  /** Of one service alone: `runtime`, or type and id of a channel. */
  service: z.string().max(200).optional(),
  after: z.coerce.number().int().min(0).optional(),
  before: z.coerce.number().int().min(1).optional(),
  size: z.coerce.number().int().min(1).max(500).default(100),
})

export const botLogSchema = z.object({
  items: z.array(botLogLineSchema),
  /** Id of the newest line of the bot, whether it is among the items or not. */
  newest: z.int(),
  /** What happened by level, each line as often as it counts, whatever level is asked for. */
  counts: z.object({ info: z.int(), warn: z.int(), error: z.int() }),
})
