import { z } from 'zod'
import { json, named } from './common.ts'

const id = z.string().max(200)
/** For callers who may not read conversations rounded to a multiple of five; null: fewer than five. */
const count = z.int().nullable()

/** Flows that run as drawn; without them all of the bot's. All others run as published. */
export const rehearsalBody = named(
  'NewRehearsal',
  z.strictObject({ dialogs: z.array(id).max(1000).optional(), handlers: z.array(id).max(1000).optional() }),
)

/** `group`: its place among all groups, from 1. */
export const rehearsalWaysQuery = z.strictObject({ group: z.coerce.number().int().min(1).max(1000) })
export const rehearsedQuery = z.strictObject({ conversation: id })

const place = z.object({ dialog: z.string(), block: z.string(), title: z.string(), type: z.string() })

/**
 * `over`: nothing waits for the person; `left`: a question waits, or its person left it; `agent`: a person took over;
 * `failed`: the bot apologised.
 */
const end = z.object({ kind: z.enum(['over', 'left', 'agent', 'failed']), at: place.nullable() })

const group = z.object({
  /** Counted from 1: its place among all groups, of which the largest come first. */
  n: z.int(),
  /** The block behind which the paths part. */
  parts: place,
  today: end,
  after: end,
  count,
  /** The conversation stops at a question or with an error after it, and ended well before. */
  lost: z.boolean(),
  /** The newest 100; without `readconversation` none. */
  conversations: z.array(z.object({ id: z.string(), started: z.iso.datetime(), channeltype: z.string() })),
})

/**
 * Why the outcome of a conversation is not known. `call`: a service, a model or another bot has no recorded answer;
 * `question`: the draft asks something that the person was never asked; `refused`: it asks more often than the person
 * answered; `hidden`: an answer that cannot be read any more decides; `record`: the conversation does not run again as it
 * ran, with the settings of today; `older`: it ran another version, and its answers do not fit the one on air.
 */
const UNKNOWN = ['call', 'question', 'refused', 'hidden', 'record', 'older', 'time'] as const

export const rehearsalSchema = named(
  'Rehearsal',
  z.object({
    rehearsal: z.string(),
    bot: z.string(),
    /** `late`: its time was over; `failed`: no process could run it. Counts are of the conversations that were run. */
    state: z.enum(['running', 'done', 'stopped', 'late', 'failed']),
    /** Conversations to run, and those that were. */
    total: count,
    done: count,
    /** ms so far. */
    ms: z.int(),
    /** Start of the oldest and of the newest conversation. */
    from: z.iso.datetime().nullable(),
    to: z.iso.datetime().nullable(),
    same: count,
    /** The same end by other blocks. */
    ways: count,
    elsewhere: count,
    /** Conversations whose end is not known, by reason; reasons without any are absent. */
    unknown: z.array(z.object({ why: z.enum(UNKNOWN), count })),
    /** Of those that end elsewhere: how many a person took over, today and after. */
    handed: z.object({ today: count, after: count }),
    groups: z.array(group),
    /** Whether the caller may read conversations. */
    words: z.boolean(),
  }),
)
export type UnknownReason = (typeof UNKNOWN)[number]
export type RehearsalView = z.output<typeof rehearsalSchema>

const step = z.object({ dialog: z.string(), block: z.string(), out: z.string().nullable() })

/** Conversations of a group that left a block by an output; those below five are left out for who may not read them. */
export const rehearsalWaysSchema = named(
  'RehearsalWays',
  z.object({ ways: z.array(step.extend({ today: z.int(), after: z.int() })) }),
)

const turn = z.object({
  /** Words or button of the person; null: none, or they cannot be shown. */
  input: z.string().nullable(),
  kind: z.string(),
  said: z.array(z.object({ block: z.string().nullable(), content: json, actions: z.array(z.string()) })),
})

/** A conversation of a rehearsal with what was said, on both paths. */
export const rehearsedSchema = named(
  'RehearsedConversation',
  z.object({
    bot: z.string(),
    conversation: z.string(),
    started: z.iso.datetime(),
    channeltype: z.string(),
    outcome: z.enum(['same', 'way', 'elsewhere', 'unknown']),
    why: z.enum(UNKNOWN).nullable(),
    parts: place.nullable(),
    today: z.object({ path: z.array(step), turns: z.array(turn) }),
    after: z.object({ path: z.array(step), turns: z.array(turn) }),
  }),
)
export type RehearsedView = z.output<typeof rehearsedSchema>
