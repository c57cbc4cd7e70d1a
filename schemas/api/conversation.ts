import { z } from 'zod'
import { CONVERSATION_ORIGINS } from '../events/conversation.ts'
import { RATING_SCALES, RATING_SUBJECTS } from '../rating.ts'
import { transcriptPart } from './chat.ts'
import { json, named } from './common.ts'
import { instant, pageQuery } from './query.ts'
import { auditLineSchema, personSchema } from './write.ts'

const id = z.string().max(200)
const flag = z.enum(['true', 'false']).transform(value => value === 'true')
const CONVERSATION_STATUS = ['active', 'waiting', 'idle', 'agent', 'ended'] as const
/**
 * `bot`, `agent`: an open conversation, by who has it. `gaveup`: it ended by timeout or by the person while a question of the
 * bot waited. `ended`: all others.
 */
export const CONVERSATION_STANDING = ['bot', 'agent', 'ended', 'gaveup'] as const

/**
 * `channel`: an id, or a type such as `webchat`. `from` and `to` limit the start of conversations. `search`: prefix of
 * the id of a conversation or its person, with or without hyphens.
 */
export const conversationExportQuery = z.strictObject({
  bot: id.optional(),
  channel: id.optional(),
  person: id.optional(),
  /** A block where they wait, or waited when they ended by timeout or by the person. */
  at: id.optional(),
  status: z.enum(CONVERSATION_STATUS).optional(),
  standing: z.enum(CONVERSATION_STANDING).optional(),
  search: id.optional(),
  reason: id.optional(),
  retained: flag.optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** A count of `GET /bot/{id}/metrics`: its conversations, with the days, release and origin that it was asked for. */
  measure: id.regex(/^[a-z.]+(?::[\w-]+)?$/).optional(),
  firstday: z.iso.date().optional(),
  lastday: z.iso.date().optional(),
  release: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
  origin: z.enum(CONVERSATION_ORIGINS).optional(),
})

export const conversationQuery = conversationExportQuery.extend(pageQuery)

/** A conversation without any of its words; times are ISO 8601 UTC. `person` is the same for the same person on a channel. */
const conversationSchema = z.object({
  id: z.string(),
  bot: z.string(),
  channel: z.string(),
  channeltype: z.string(),
  person: z.string(),
  status: z.enum(CONVERSATION_STATUS),
  release: z.int(),
  started: z.string(),
  last: z.string(),
  ended: z.string().nullable(),
  reason: z.string().nullable(),
  turns: z.int(),
  retained: z.boolean(),
  /** `agent`: an agent wrote first; it is not in the figures of the bot. */
  origin: z.enum(['person', 'agent', 'trial']),
  standing: z.enum(CONVERSATION_STANDING),
})

/** `name` of the person and what was `said` last only with `readconversation`, and while they are not forgotten. */
const conversationItemSchema = conversationSchema.extend({
  name: z.string().nullable(),
  said: z.object({ from: z.enum(['bot', 'user', 'agent']), text: z.string() }).nullable(),
})

export type ConversationItem = z.output<typeof conversationSchema>

/** Without `readconversation` a count is rounded to a multiple of five, and null below five. */
const count = z.int().nullable()

/** `counts`: conversations by standing, without that filter. `more`: another page follows. */
export const conversationPageSchema = z.object({
  items: z.array(conversationItemSchema),
  counts: z.record(z.enum(CONVERSATION_STANDING), count),
  total: count,
  more: z.boolean(),
  page: z.int(),
  size: z.int(),
})

/** `user` only with `readconversation`. */
export const conversationDetailSchema = conversationSchema.extend({
  user: z.object({ id: z.string(), name: z.string().optional() }).nullable(),
  /** Whether the caller may ask to see what is hidden of it (`POST /conversation/{id}/reveal`). */
  mayreveal: z.boolean(),
  /** Until when the caller sees it because they asked to. */
  revealed: z.string().nullable(),
})

/**
 * Readers and exporters of the messages of a conversation's person, in all their conversations with the bot; newest
 * first.
 */
export const conversationReadersSchema = z.object({
  items: z.array(
    auditLineSchema
      .pick({ user: true, time: true, origin: true })
      .extend({ action: z.enum(['opened', 'exported', 'revealed']), conversation: z.string() }),
  ),
})

export const transcriptQuery = z.strictObject({ format: z.enum(['json', 'text']).default('json'), ...transcriptPart })

/** On provider channels: delivery of a bot's message, and the cause of failure. */
const delivery = z.object({ status: z.string(), code: z.string(), time: z.string() }).optional()

const messageSchema = z.looseObject({
  id: z.string(),
  position: z.string(),
  time: z.string(),
  from: z.enum(['bot', 'user', 'agent']),
  type: z.string(),
  delivery,
})

/** `next`: the value of `after` for the next page; null at the end. */
export const conversationTranscriptSchema = z.object({
  conversation: z.string(),
  messages: z.array(messageSchema),
  next: z.string().nullable(),
})

const stepSchema = z.looseObject({
  frame: z.int(),
  dialog: z.string(),
  block: z.string(),
  type: z.string(),
  out: z.string().nullable(),
  ms: z.number(),
  wrote: z.array(z.string()),
})

/** Blocks that a conversation ran, without words and values; the newest steps of a long one. */
export const conversationPathSchema = z.object({
  conversation: z.string(),
  status: z.string(),
  /** The block where it waits for the person. */
  at: z.object({ dialog: z.string(), block: z.string() }).nullable(),
  steps: z.array(
    z.object({ turn: z.int(), frame: z.int(), dialog: z.string(), block: z.string(), out: z.string().nullable() }),
  ),
})

/** `unrated`: nobody was asked. `comment`: null while it may not be read, and after it was forgotten; absent without one. */
const ratingSchema = z.object({
  kind: z.enum(['asked', 'rated', 'unrated']),
  time: z.string(),
  about: z.enum(RATING_SUBJECTS),
  scale: z.enum(RATING_SCALES).optional(),
  score: z.int().optional(),
  comment: z.string().nullable().optional(),
  why: z.string().optional(),
})

/** A turn as it went. Words are null and values are left out without `readconversation`, and after they were forgotten. */
const replayTurnSchema = z.object({
  turn: z.int(),
  time: z.string(),
  release: z.int(),
  /** `menu`: `restart`, `agent` or the id of a task, where that was chosen. */
  input: z.object({
    kind: z.string(),
    time: z.string(),
    /** Place among turns, messages of agents and events of the desk; sorts as text. */
    position: z.string(),
    said: z.looseObject({}).nullable(),
    menu: z.string().optional(),
    /** The message of a campaign that the person answered, once for each. */
    answers: z.looseObject({}).optional(),
  }),
  /** Understanding of the person's message; absent when no model was asked. */
  understood: z
    .object({
      intent: z.string().nullable(),
      confidence: z.number().nullable(),
      entities: z.record(z.string(), json),
    })
    .optional(),
  /** Outcome of the last script: `result` or `error`; absent when none ran. */
  handler: json.optional(),
  steps: z.array(stepSchema),
  said: z.array(z.looseObject({ block: z.string().nullable(), delivery })),
  wrote: z.record(z.string(), json),
  /** Names that the turn wrote. `kind`: of the answered question, else of the value; `masked`: never readable. */
  kept: z.array(
    z.object({
      name: z.string(),
      scope: z.enum(['dialog', 'conversation', 'user']),
      kind: z.string(),
      masked: z.boolean(),
    }),
  ),
  dropped: z.array(z.string()),
  status: z.string(),
  wait: json,
  problems: z.array(json),
  /** Ratings of the turn, and of what happened since the one before; absent without any. */
  ratings: z.array(ratingSchema).optional(),
  ended: json,
  failed: json,
})

export type ReplayTurn = z.output<typeof replayTurnSchema>

/** An event of a chat at Parley's own desk, without words. It has no tags for callers who may not read words. */
const replayDeskEventSchema = z.object({
  position: z.string(),
  time: z.string(),
  kind: z.enum([
    ...['queued', 'assigned', 'released', 'snoozed', 'woken'],
    ...['noted', 'tagged', 'prioritized', 'moved', 'revealed', 'left'],
  ] as const),
  /** Id of the user who has or had the chat, or who noted something, and their name. */
  user: z.string().optional(),
  name: z.string().optional(),
  /** Id of the user who did it. */
  by: z.string().optional(),
  byname: z.string().optional(),
  queue: z.string().optional(),
  queuename: z.string().optional(),
  how: z.string().optional(),
  why: z.string().optional(),
  /** End of a snooze, ms since 1970; null: until the person writes. */
  until: z.number().nullable().optional(),
  priority: z.int().optional(),
  /** Key of the closing reason, else why the chat ended; its name, where the queue has it. */
  reason: z.string().optional(),
  reasonname: z.string().optional(),
  tags: z.array(z.string()).optional(),
})
export type ReplayDeskEvent = z.output<typeof replayDeskEventSchema>

/**
 * A message of an agent, or of the desk or the agents' system (`bot`). `text` is null, and name and files are left out,
 * for callers who may not read words, and after the person was forgotten.
 */
const replayAgentMessageSchema = z.looseObject({
  id: z.string(),
  position: z.string(),
  time: z.string(),
  from: z.enum(['bot', 'agent']),
  text: z.string().nullable(),
  name: z.string().optional(),
  delivery,
})
export type ReplayAgentMessage = z.output<typeof replayAgentMessageSchema>

/** `flows`: the dialogs of the release that it runs, at the revisions that ran. `words`: whether what was said may be read. */
export const conversationReplaySchema = z.object({
  conversation: z.string(),
  bot: z.string(),
  release: z.int(),
  words: z.boolean(),
  flows: z.array(z.object({ dialog: z.string(), name: z.string().nullable(), revision: z.int() })),
  turns: z.array(replayTurnSchema),
  /** Messages of chats with agents, in order. */
  agentsaid: z.array(replayAgentMessageSchema),
  /** Events of the desk, in order. */
  desk: z.array(replayDeskEventSchema),
})

const day = z.iso.date()

/** Days in America/Sao_Paulo, both included; `revision` of the dialog; `channel`: a type such as `webchat`. */
export const dropoffQuery = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  channel: id.optional(),
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
})

/** The same of a bot; `dialog` is one of its dialogs. */
export const botDropoffQuery = dropoffQuery.extend({ dialog: id })

const dropoffBlockSchema = z.object({
  block: z.string(),
  entered: count,
  /** Exits by output; `end` if it has none. */
  out: z.record(z.string(), count),
  answered: count,
  retried: count,
  gaveup: count,
  skipped: count,
  interrupted: count,
  /** Interrupted for good. */
  abandoned: count,
  /** The conversation ended by timeout or by the person while it waited there. */
  lost: count,
  agent: count,
  problems: count,
  waiting: count,
  /** ms until the answer. */
  p50: z.int().nullable(),
  p95: z.int().nullable(),
})

export type DropoffBlock = z.output<typeof dropoffBlockSchema>

const lossesSchema = z.object({ entered: count, lost: count })

/**
 * A block that loses a greater share of its people since a revision went live. `from`: the live revision before it;
 * `edit`: the last edit of the block between the two, of the newest 2,000; null if the block itself did not change.
 */
const worsenedSchema = z.object({
  block: z.string(),
  revision: z.int(),
  since: z.string(),
  from: z.int(),
  was: lossesSchema,
  is: lossesSchema,
  edit: z.object({ revision: z.int(), time: z.string(), authors: z.array(personSchema) }).nullable(),
})

/** `revisions`: those of the dialog that ran, the newest first, with when each went live. */
export const dropoffSchema = z.object({
  bot: z.string(),
  dialog: z.string(),
  from: z.string(),
  to: z.string(),
  revisions: z.array(z.object({ revision: z.int(), since: z.string() })),
  blocks: z.array(dropoffBlockSchema),
  days: z.array(z.object({ block: z.string(), day: z.string(), entered: count, lost: count })),
  /** Of all revisions in the period; the query's `revision` does not matter. */
  worsened: z.array(worsenedSchema),
})

export const forgetBody = named('ForgetConversation', z.strictObject({ confirm: z.literal('CONFIRM') }))
export const forgottenSchema = z.object({ forgotten: z.literal(true) })
