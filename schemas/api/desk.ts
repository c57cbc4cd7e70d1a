import { z } from 'zod'
import { DESK_SOUNDS } from '../entities/deskagent.ts'
import { RELEASED_WHY } from '../events/desk.ts'
import { RATING_SCALES, RATING_SUBJECTS } from '../rating.ts'
import { json, named } from './common.ts'
import { pageQuery } from './query.ts'

const id = z.string().max(200)
/** Id of the client's own event: a request that is repeated with it writes once. */
const eventId = z.uuid()

/** Longest text of an agent, of a note, and most files of a message. */
export const DESK_LIMITS = {
  text: 4000,
  note: 2000,
  files: 10,
  fileSize: 16 * 1_048_576,
  held: 20,
  reason: 300,
} as const

/** `finishing`: gets no new chats, and works on those it has. */
export const DESK_STATES = ['available', 'paused', 'finishing', 'offline'] as const
/** Reasons for a pause where no desk setting has others; `missed` is given by the router. */
export const PAUSE_REASONS = ['lunch', 'meeting', 'training', 'other'] as const
export const DESK_VIEWS = ['mine', 'waiting', 'snoozed', 'all', 'closed'] as const

const deskState = z.enum(DESK_STATES)

const holderSchema = z.object({ user: z.string(), name: z.string(), avatar: z.string().optional() })

const chatRow = {
  conversation: z.string(),
  /** Number of the turn that asked for the chat. */
  n: z.int(),
  /** Of the conversation, when the row was read. */
  revision: z.int(),
  bot: z.string(),
  botname: z.string(),
  channel: z.string(),
  channeltype: z.string(),
  queue: z.string().nullable(),
  queuename: z.string(),
  /** Name to show; a phone number is masked without `readconversation`. */
  person: z.string(),
  /** The data of the person were destroyed: names, words and values are empty. */
  forgotten: z.boolean(),
  status: z.enum(['waiting', 'held', 'snoozed', 'closed']),
  /** Time of the first `AgentQueued`: transfers and returns keep it. */
  since: z.string(),
  holder: holderSchema.nullable(),
  /** The holder has not been at the desk for as long as the queue allows; the chat is theirs until the person writes. */
  away: z.boolean(),
  mine: z.boolean(),
  maytake: z.boolean(),
  priority: z.int().min(0).max(3),
  last: z.object({ from: z.enum(['user', 'bot', 'agent']), text: z.string(), time: z.string() }).nullable(),
  /** Time of the first word of the person that no agent has answered; null: the person owes the next word. */
  unanswered: z.string().nullable(),
  /** End of the queue's goal for the first or the next answer; null without one. */
  goal: z.string().nullable(),
  /** End of twice the goal; both count only the hours of the queue. */
  overdue: z.string().nullable(),
  /** Until when the holder has to open it, where the queue gives them a time; null: they have opened it. */
  accept: z.string().nullable(),
  snoozeduntil: z.string().nullable(),
  /** End of the channel's window for free words; null: no window. */
  window: z.string().nullable(),
  tags: z.array(z.string()),
  /** Why it waits again. */
  returned: z.enum(RELEASED_WHY).nullable(),
}

const deskChatSchema = named('DeskChat', z.object(chatRow))
export type DeskChat = z.output<typeof deskChatSchema>

export const deskChatQuery = z.strictObject({
  view: z.enum(DESK_VIEWS).default('mine'),
  queue: id.optional(),
  bot: id.optional(),
  channeltype: id.optional(),
  search: id.optional(),
  ...pageQuery,
})

export const deskChatPageSchema = named(
  'DeskChatPage',
  z.object({ items: z.array(deskChatSchema), total: z.int(), page: z.int(), size: z.int() }),
)

const returnTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flow') }),
  z.object({ kind: z.literal('task'), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal('block'), dialog: z.string(), block: z.string(), name: z.string() }),
])

const messageSchema = z.object({
  id: z.string(),
  position: z.string(),
  time: z.string(),
  from: z.enum(['user', 'bot', 'agent']),
  type: z.string(),
  text: z.string(),
  name: z.string().optional(),
  avatar: z.string().optional(),
  attachments: z
    .array(z.object({ name: z.string(), contentType: z.string(), contentUrl: z.string(), size: z.number().optional() }))
    .optional(),
  place: z
    .object({
      name: z.string(),
      address: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      /** A map of the place. */
      url: z.string(),
    })
    .optional(),
  /** Labels of the options that it offered. */
  options: z.array(z.string()).optional(),
  status: z.enum(['sent', 'delivered', 'read', 'failed']).optional(),
  /** Title of the block that said it. */
  block: z.string().optional(),
})

/** A chat with all that its agent needs to answer. */
export const deskChatDetailSchema = named(
  'DeskChatDetail',
  z.object({
    ...chatRow,
    messages: z.array(messageSchema),
    notes: z.array(
      z.object({
        id: z.string(),
        time: z.string(),
        user: z.string(),
        name: z.string(),
        avatar: z.string().optional(),
        text: z.string(),
      }),
    ),
    /** Facts between the messages. */
    events: z.array(
      z.object({
        time: z.string(),
        kind: z.enum([
          ...['queued', 'assigned', 'released', 'snoozed', 'woken', 'connected', 'left', 'requested'],
          ...['tagged', 'prioritized', 'moved', 'revealed'],
          ...['asked', 'rated', 'unrated'],
        ] as const),
        queue: z.string().optional(),
        /** Of the holder. */
        name: z.string().optional(),
        /** Of the user who did it. */
        byname: z.string().optional(),
        how: z.string().optional(),
        why: z.string().optional(),
        reason: z.string().optional(),
        priority: z.int().optional(),
        tags: z.array(z.string()).optional(),
        /** Of a rating. */
        about: z.enum(RATING_SUBJECTS).optional(),
        scale: z.enum(RATING_SCALES).optional(),
        score: z.int().optional(),
        comment: z.string().optional(),
      }),
    ),
    /** Of the last message: the `seen` of the next one. */
    position: z.string(),
    /** Number of the person, with its last digits alone where `masked`; null: the channel has none. */
    number: z.object({ value: z.string(), masked: z.boolean() }).nullable(),
    /** Whether the caller may ask to see what is hidden here. */
    mayreveal: z.boolean(),
    /** Until when the caller sees it because they asked to. */
    revealed: z.string().nullable(),
    facts: z.array(z.object({ name: z.string(), value: z.string(), masked: z.boolean() })),
    /** The last blocks that the conversation entered. */
    path: z.array(z.object({ block: z.string(), title: z.string(), time: z.string() })),
    /** Earlier conversations of the person with the bot; empty without `readconversation`. */
    earlier: z.array(
      z.object({ id: z.string(), time: z.string(), endreason: z.string().nullable(), title: z.string() }),
    ),
    /** `csat`: closing for this reason asks for a rating. */
    reasons: z.array(z.object({ key: z.string(), name: z.string(), csat: z.boolean() })),
    /** Whether closing asks the person for a rating. */
    csat: z.boolean(),
    reasonrequired: z.boolean(),
    returntargets: z.array(returnTarget),
    /** The caller may decline it: a colleague passed it on. `to`: who gets it then; null: its queue. */
    decline: z.object({ by: z.string(), to: z.string().nullable() }).nullable(),
    transferto: z.object({
      /** Seconds that a colleague has to open it; 0: any time. */
      accept: z.int(),
      queues: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          open: z.boolean(),
          /** When it opens next; null: it is open, or never opens. */
          opens: z.string().nullable(),
          waiting: z.int(),
          /** Members who are available and present, and may see the bot. */
          available: z.int(),
        }),
      ),
      users: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          avatar: z.string().optional(),
          state: deskState,
          present: z.boolean(),
          /** Away for so long that the chat would return to its queue at once. */
          returns: z.boolean(),
          load: z.int(),
          capacity: z.int(),
        }),
      ),
    }),
    /** Members of the queue that a note can mention, by their username. */
    colleagues: z.array(
      z.object({ id: z.string(), name: z.string(), username: z.string(), avatar: z.string().optional() }),
    ),
    limits: z.object({ text: z.int(), files: z.array(z.string()), filesize: z.int() }),
  }),
)
export type DeskChatDetail = z.output<typeof deskChatDetailSchema>

/** `search`: in shortcuts and texts, without capitals and accents. */
export const deskCannedQuery = z.strictObject({
  search: z.string().max(100).default(''),
  size: z.coerce.number().int().min(1).max(50).default(20),
})

/** Canned answers that the holder of a chat may use in it, the best matches first. */
export const deskCannedSchema = named(
  'DeskCanned',
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        shortcut: z.string(),
        /** With its values filled in. */
        text: z.string(),
        /** Values that are not there: the text is refused until they are replaced. */
        missing: z.array(z.string()),
        attachments: z.array(json),
      }),
    ),
    /** Without a search. */
    total: z.int(),
  }),
)
export type DeskCanned = z.output<typeof deskCannedSchema>

/** Key of a reason for a pause, and its name in the desk setting; null: one of the usual reasons, `missed`, or a removed one. */
const pauseReason = { reason: z.string().nullable(), reasonname: z.string().nullable() }

const meSchema = z.object({
  state: deskState,
  ...pauseReason,
  since: z.string(),
  /** End of a pause, if it has one. */
  until: z.string().nullable(),
  load: z.int(),
  capacity: z.int(),
  present: z.boolean(),
  /** Whether they hold `answerconversation` and are a member of a queue. */
  isagent: z.boolean(),
  /** As people see it. */
  name: z.string(),
})
export const deskMeSchema = named('DeskMe', meSchema)
export type DeskMe = z.output<typeof deskMeSchema>

export const deskSummaryQuery = z.strictObject({ queue: id.optional() })

const countsSchema = z.object({ waiting: z.int(), mine: z.int(), snoozed: z.int(), all: z.int() })
type DeskCounts = z.output<typeof countsSchema>

export const deskSummarySchema = named(
  'DeskSummary',
  z.object({
    me: meSchema,
    counts: countsSchema,
    queues: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        open: z.boolean(),
        closesat: z.string().nullable(),
        waiting: z.int(),
        held: z.int(),
        /** Since when the first in it waits. */
        oldest: z.string().nullable(),
        /** Members that are available and present. */
        available: z.int(),
      }),
    ),
    agents: z.array(
      z.object({
        user: z.string(),
        name: z.string(),
        avatar: z.string().optional(),
        state: deskState,
        ...pauseReason,
        load: z.int(),
        capacity: z.int(),
        present: z.boolean(),
      }),
    ),
    /** Whether a queue exists in this level, above or below it, or has the caller as member. */
    enabled: z.boolean(),
    /** Reasons that the caller may give for a pause; without a name: a usual one. */
    pausereasons: z.array(z.object({ key: z.string(), name: z.string().nullable() })),
    /** The caller's own agent profile. */
    self: z.object({
      display_name: z.string().nullable(),
      capacity: z.int(),
      sound_chat: z.enum(DESK_SOUNDS),
      sound_message: z.enum(DESK_SOUNDS),
      sound_repeat: z.boolean(),
      show_words: z.boolean(),
      onphone: z.boolean(),
    }),
  }),
)
export type DeskSummary = z.output<typeof deskSummarySchema>

/** `user`: the state of another person, with `superviseconversation`. */
export const deskStateBody = z.strictObject({
  state: deskState,
  /** One of the user's `pausereasons`. */
  reason: z.string().max(40).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  user: id.optional(),
})

const sound = z.enum(DESK_SOUNDS)
/** A person's own agent profile: a member that is not given stays. */
export const deskSelfBody = z.strictObject({
  display_name: z.string().max(100).nullable().optional(),
  avatar: json.optional(),
  capacity: z.int().min(1).max(20).optional(),
  sound_chat: sound.optional(),
  sound_message: sound.optional(),
  sound_repeat: z.boolean().optional(),
  show_words: z.boolean().optional(),
  onphone: z.boolean().optional(),
})

export const deskEnableBody = z.strictObject({ bot: id })
export const deskEnabledSchema = named('DeskEnabled', z.object({ queue: z.string(), agentchannel: z.string() }))

/** Revision of the conversation, and position of the written event in the log. */
export const deskWrittenSchema = named('DeskWritten', z.object({ revision: z.int(), position: z.string() }))

export const deskEmptyBody = z.strictObject({})
export const deskMessageBody = z.strictObject({
  id: eventId,
  text: z.string().max(DESK_LIMITS.text),
  /** Ids of uploads of the caller, or of attachments of a canned answer. */
  attachments: z.array(id).max(DESK_LIMITS.files).optional(),
  /** Last position that the client showed. */
  seen: z.string().max(40),
})
/** Templates that may be sent in a chat now: registered at its channel, or at the account that the channel uses. */
export const deskTemplatesSchema = named(
  'DeskTemplates',
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        language: z.string(),
        category: z.string(),
        /** With the names of variables in double braces, as `values` takes them. */
        text: z.string(),
        /** Labels of buttons. */
        buttons: z.array(z.string()),
        /** Variables that need a value. */
        variables: z.array(z.string()),
      }),
    ),
  }),
)
/** Answered like a message. Outside the channel's window the template goes out, inside it its text. */
export const deskTemplateBody = z.strictObject({
  id: eventId,
  /** Registered at the channel of the chat, or at the account that the channel uses. */
  template: id,
  /** By variable: `1`, `name`, `header`, `button.1`, `code`. */
  values: z.record(z.string().max(120), z.string().max(1024)),
  seen: z.string().max(40),
})
export const deskNoteBody = z.strictObject({ id: eventId, text: z.string().min(1).max(DESK_LIMITS.note) })
export const revealBody = z.strictObject({ reason: z.string().trim().min(3).max(DESK_LIMITS.reason) })
/** Until when the caller sees the conversation. */
export const revealedSchema = z.object({ revealed: z.string() })
export const deskTypingBody = z.strictObject({ on: z.boolean() })
export const deskSnoozeBody = z.strictObject({ until: z.iso.datetime({ offset: true }).optional() })
const note = z.string().max(DESK_LIMITS.note).optional()
export const deskTransferBody = z.union([z.strictObject({ queue: id, note }), z.strictObject({ user: id, note })])
export const deskDeclineBody = z.strictObject({ note })
export const deskAssignBody = z.strictObject({ user: id.nullable() })
export const deskPriorityBody = z.strictObject({ priority: z.int().min(0).max(3) })
export const deskTagsBody = z.strictObject({ tags: z.array(z.string().min(1).max(100)).max(50) })
export const deskCloseBody = z.strictObject({
  reason: z.string().max(100).optional(),
  /** False: the person is not asked for a rating. */
  csat: z.boolean().optional(),
  note,
  return: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('flow') }),
      z.strictObject({ kind: z.literal('task'), id }),
      z.strictObject({ kind: z.literal('block'), dialog: id, block: id }),
    ])
    .optional(),
})

/** `to`: the queue that gets the chats. */
export const deskMoveBody = z.strictObject({ to: id })
export const deskMovedSchema = named('DeskMoved', z.object({ moved: z.int() }))

/**
 * First words to the person of an ended conversation. `conversation`: another one that is open with the person; null: none.
 * `window`: end of the time for free words; null: at any time.
 */
export const firstWordsSchema = named(
  'DeskFirstWords',
  z.object({
    conversation: z.string().nullable(),
    window: z.string().nullable(),
    templates: deskTemplatesSchema.shape.items,
  }),
)
/** Free words within the channel's window, a template at any time. `queue`: the queue of the new chat. */
export const firstWordsBody = z.union([
  z.strictObject({ id: eventId, text: z.string().min(1).max(DESK_LIMITS.text), queue: id.optional() }),
  deskTemplateBody.omit({ seen: true }).extend({ queue: id.optional() }),
])
/** `conversation`: the one in which the words were written. */
export const firstWordsWrittenSchema = named(
  'DeskFirstWordsWritten',
  deskWrittenSchema.extend({ conversation: z.string() }),
)

export const takeoverBody = z.strictObject({ queue: id.optional() })
export const takeoverSchema = named('DeskTakeover', z.object({ revision: z.int() }))

/** Frames of the socket `/botadmin/realtime/desk` that the server sends. */
export type DeskFrame =
  /** The row of a chat changed or was removed. */
  | { readonly kind: 'chat'; readonly conversation: string; readonly revision: number }
  | {
      readonly kind: 'typing'
      readonly conversation: string
      readonly from: 'user' | 'agent'
      readonly name?: string
      readonly on: boolean
    }
  | {
      readonly kind: 'viewing'
      readonly conversation: string
      readonly users: readonly { readonly user: string; readonly name: string }[]
    }
  | ({ readonly kind: 'state' } & DeskMe)
  | ({ readonly kind: 'counts' } & DeskCounts)

/** Frames that a client sends. */
export const deskClientFrame = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('view'), conversation: id.nullable() }),
  z.strictObject({ kind: z.literal('typing'), conversation: id, on: z.boolean() }),
])
