import type { Json, JsonObject } from '#schemas/event.ts'

/** Status of a conversation (RUNTIME 9). `active`: a turn runs; `idle`: no block waits, any input may come. */
export type ConversationStatus = 'active' | 'waiting' | 'idle' | 'agent' | 'ended'

export type FrameKind = 'root' | 'sub' | 'context' | 'task' | 'interrupt'

/** A button or an option that a message offers. A `skip` leaves an optional question unanswered. */
export interface OfferedAction {
  /** Unique within its message: its place, from 1. */
  readonly id: string
  readonly type: 'reply' | 'imBack' | 'postBack' | 'openUrl' | 'skip' | 'affirm' | 'deny'
  readonly title: string
  readonly value: string
}

/** Pending input of a block (RUNTIME 11). Times are milliseconds since 1970. */
export interface Wait {
  readonly block: string
  /** Kind of answer: one of the prompt's kinds, or `card`. */
  readonly kind: string
  readonly offered: readonly OfferedAction[]
  /** Answers that were refused so far. */
  readonly tries: number
  readonly since: number
  readonly remindAt?: number
  readonly endAt?: number
  readonly masked: boolean
  /** Number of the question, which its messages carry; the same while it is asked again. */
  readonly question?: number
  /** The block asks whether a value that it has already is still right. */
  readonly confirming?: boolean
  /** The other bot that waits, the visit of the block, and the newest message of that bot. */
  readonly linked?: { readonly bot: string; readonly visit: string; readonly message: number }
  /** A context dialog ran over it: a value that its variable has now counts as the answer. */
  readonly answerable?: boolean
}

/** A dialog that is running (RUNTIME 10). */
export interface Frame {
  readonly id: number
  readonly kind: FrameKind
  readonly task: string | null
  readonly dialog: string
  /** The block to run next, or that waits; null if the dialog ended. */
  readonly block: string | null
  /** Variables that live as long as the frame. */
  readonly locals: JsonObject
  /** The frame whose `locals` it uses: the caller of a context dialog. */
  readonly localsOf?: number
  /** The caller's output that it leaves by when this frame ends; null for a frame that nobody called. */
  readonly returns: string | null
  /** Names of answers that frames called from here may read, by the kind of the called frame. */
  readonly shared: { readonly sub: readonly string[]; readonly task: readonly string[] }
  readonly wait?: Wait
}

/** An answered question (RUNTIME 11), kept for going back. */
interface AnsweredQuestion {
  readonly frame: number
  readonly dialog: string
  readonly block: string
  /** The variable of the answer, if it has one, and what it held before. */
  readonly variable?: string
  readonly before?: Json
}

/** Something that runs later (RUNTIME 28). */
interface PendingSchedule {
  /** The block that planned it: a conversation has one of each at a time. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly task: string
  readonly dialog: string | null
  /** It is skipped while the person is in conversation. */
  readonly skipWhenBusy: boolean
}

/** The last thing that was said, as expressions read it under `input`. */
export interface Said {
  readonly text: string
  readonly value: Json
  readonly type: string
  readonly attachments: readonly JsonObject[]
  readonly location: JsonObject | null
}

/** A conversation between two turns (RUNTIME 8): plain JSON. */
export interface ConversationState {
  readonly id: string
  readonly status: ConversationStatus
  /** Milliseconds since 1970. */
  readonly started: number
  readonly channel: { readonly id: string; readonly type: string }
  readonly user: JsonObject
  readonly locale: string
  /** The stack, its bottom first. */
  readonly frames: readonly Frame[]
  readonly variables: JsonObject
  readonly userdata: JsonObject
  readonly tags: readonly string[]
  readonly asked: readonly AnsweredQuestion[]
  readonly schedules: readonly PendingSchedule[]
  readonly said: Said
  readonly intent: JsonObject
  readonly entities: JsonObject
  readonly handler: JsonObject
  readonly agent: JsonObject
  /** The campaign that the person answered last: id, run, template, button. */
  readonly campaign?: JsonObject
  /** Conversations with other bots by visit, where they are kept with this one (test mode). */
  readonly linked?: JsonObject
  /** Names of variables that hold masked answers (RUNTIME 85). */
  readonly masked: readonly string[]
  /** A block marked it as solved without an agent (RUNTIME 22). */
  readonly retained: boolean
  /** Turns so far, messages of the bot so far, and frames so far: ids are counted on from them. */
  readonly turns: number
  readonly messages: number
  readonly pushed: number
  /** The newest message of the bot with buttons, and its newest one before the person spoke last. */
  readonly buttons: number
  readonly heard: number
  /** Messages after `from`, up to `to`, that were said before questions had numbers: their buttons answer this question. */
  readonly unnumbered?: { readonly from: number; readonly to: number; readonly question: number }
}

export const NOTHING_SAID: Said = { text: '', value: null, type: 'text', attachments: [], location: null }

/** A conversation before its first turn. */
export const newConversation = (
  opened: Pick<ConversationState, 'id' | 'started' | 'channel' | 'user' | 'locale'> & {
    readonly userdata?: JsonObject
  },
): ConversationState => ({
  status: 'idle',
  frames: [],
  variables: {},
  userdata: {},
  tags: [],
  asked: [],
  schedules: [],
  said: NOTHING_SAID,
  intent: {},
  entities: {},
  handler: {},
  agent: {},
  masked: [],
  retained: false,
  turns: 0,
  messages: 0,
  pushed: 0,
  buttons: 0,
  heard: 0,
  ...opened,
})
