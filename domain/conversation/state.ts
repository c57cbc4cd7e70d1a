import { withAssigned } from '#domain/flow/variable/variable-use.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual, record } from '#schemas/json.ts'
import type { RatingOf } from '#schemas/rating.ts'
import type { Release } from './release.ts'

/** Status of a conversation. `active`: a turn runs; `idle`: no block waits, any input may come. */
export type ConversationStatus = 'active' | 'waiting' | 'idle' | 'agent' | 'ended'

export type FrameKind = 'root' | 'sub' | 'context' | 'task' | 'interrupt'

/** A button or an option that a message offers. A `skip` leaves an optional question unanswered. */
export interface OfferedAction {
  /** Unique within its message: its place, from 1. */
  readonly id: string
  readonly type: 'reply' | 'imBack' | 'postBack' | 'openUrl' | 'skip' | 'affirm' | 'deny'
  readonly title: string
  readonly value: string
  /** The linked output of its option or button. */
  readonly out?: string
  /** The ML system that offers it, and that reads its value. */
  readonly system?: string
}

/** An option that an ML system offers: `value` is what the system reads when a person chooses it. */
export interface SystemOption {
  readonly title: string
  readonly value: string
  /** It opens a page instead. */
  readonly url?: string
}

/** Options of the newest answer of an ML system: a person may write the title of one in place of pressing it. */
interface SystemChoices {
  readonly system: string
  readonly options: readonly SystemOption[]
  /** Number of options in the last message: channels without buttons number them. */
  readonly last: number
  /** Messages of the person since then. */
  readonly heard: number
}

/** Pending input of a block. Times are milliseconds since 1970. */
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
  /** Number of a rating; with its score, the block waits for a comment. */
  readonly rating?: { readonly id: number; readonly score?: number }
}

/** Place where the bot continues after an agent: the flow, a task, or a block of its release. */
export type ReturnTarget =
  | { readonly kind: 'flow' }
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'block'; readonly dialog: string; readonly block: string }

/** Rating of a chat at the desk that waits for its score, or with one for its comment. The flow continues behind it. */
export interface OpenRating extends RatingOf {
  /** Number of the question, which its message carries. */
  readonly question: number
  /** ms since 1970 */
  readonly since: number
  readonly offered: readonly OfferedAction[]
  /** Question for a comment; empty: none. */
  readonly comment: string
  readonly score?: number
  readonly return?: ReturnTarget
}

/** A dialog that is running. */
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

/** An answered question, kept for going back. */
interface AnsweredQuestion {
  readonly frame: number
  readonly dialog: string
  readonly block: string
  /** The variable of the answer, if it has one, and what it held before. */
  readonly variable?: string
  readonly before?: Json
}

/** Something that runs later. */
interface PendingSchedule {
  /** The block that planned it: a conversation has one of each at a time. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly task: string
  readonly dialog: string | null
  /** It is skipped while the person is in conversation. */
  readonly skipWhenBusy: boolean
  /** Its dialog has a message with a template: it is run outside the channel's window too. */
  readonly hasTemplate?: true
}

/** The last thing that was said, as expressions read it under `input`. */
export interface Said {
  readonly text: string
  readonly value: Json
  readonly type: string
  readonly attachments: readonly JsonObject[]
  readonly location: JsonObject | null
  /** The ML system that offered the pressed option. */
  readonly system?: string
}

/** A conversation between two turns: plain JSON. */
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
  /** No input has reached the bot so far: the next one begins its default task, unless a flow ran meanwhile. */
  readonly unheard?: boolean
  /** The same, of conversations that agents began in older versions. */
  readonly begunByAgent?: true
  /** Null once it has ended. */
  readonly rating?: OpenRating | null
  /** Null once an answer came without options. */
  readonly choices?: SystemChoices | null
  /** The campaign that the person answered last: id, run, template, button. */
  readonly campaign?: JsonObject
  /** Conversations with other bots by visit, where they are kept with this one (test mode). */
  readonly linked?: JsonObject
  /** Names of variables that hold masked answers. */
  readonly masked: readonly string[]
  /** A block marked it as solved without an agent. */
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

type Beginning = Pick<ConversationState, 'turns' | 'pushed' | 'unheard' | 'begunByAgent'>

/** Whether the input of this turn is the first that can reach the bot. */
export const isFirstWord = ({ turns, pushed, unheard, begunByAgent }: Beginning): boolean =>
  turns === 1 || (pushed === 0 && (unheard ?? begunByAgent) === true)

/** State after a turn whose input did not reach the bot. */
export const stillUnheard = (state: Beginning): Pick<ConversationState, 'unheard'> =>
  isFirstWord(state) ? { unheard: true } : {}

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

/** A value that a tester of a conversation replaces. */
export interface ValueChange {
  readonly scope: 'dialog' | 'conversation' | 'user'
  /** A variable, or a place in one: `order.total`. */
  readonly name: string
  readonly value: Json
}

/** The state with a value changed: with the person, the conversation, or the dialog that runs. */
export const withValue = (state: ConversationState, { scope, name, value }: ValueChange): ConversationState => {
  if (scope === 'user') return { ...state, userdata: withAssigned(state.userdata, name, value) }
  if (scope === 'conversation') return { ...state, variables: withAssigned(state.variables, name, value) }
  const top = state.frames.at(-1)
  const holder = top?.localsOf ?? top?.id
  const frames = state.frames.map(frame =>
    frame.id === holder ? { ...frame, locals: withAssigned(frame.locals, name, value) } : frame,
  )
  return { ...state, frames }
}

interface MovedState {
  readonly state: ConversationState
  /** The other release lacks the waiting block: the person restarts. */
  readonly isLost: boolean
}

const typeAt = ({ dialogs }: Release, { dialog, block }: Frame): string | undefined =>
  block === null ? undefined : dialogs.get(dialog)?.blocks.get(block)?.type

/** A frame continues if its block exists, with the same type; an ended one needs only its dialog. */
const goesOn = (frame: Frame, from: Release, to: Release): boolean => {
  if (frame.block === null) return to.dialogs.has(frame.dialog)
  const type = typeAt(to, frame)
  return type !== undefined && type === typeAt(from, frame)
}

/**
 * Moves a conversation to another release: keeps the stack from the waiting block down to the first dialog
 * that cannot continue. If the waiting block was removed, the whole stack is dropped.
 */
export const moveState = (state: ConversationState, from: Release, to: Release): MovedState => {
  const { frames } = state
  const gap = frames.findLastIndex(frame => !goesOn(frame, from, to))
  const kept = frames.slice(gap + 1)
  if (frames.length > 0 && kept.length === 0) return { state: { ...state, frames: [], asked: [] }, isLost: true }
  const ids = new Set(kept.map(({ id }) => id))
  return { state: { ...state, frames: kept, asked: state.asked.filter(({ frame }) => ids.has(frame)) }, isLost: false }
}

/** Members of a state that hold values by name: only the names that changed are written. */
const NAMED = ['variables', 'userdata'] as const

const namedChange = (before: JsonObject, after: JsonObject): JsonObject => {
  const put = Object.entries(after).filter(
    ([name, value]) => !(Object.hasOwn(before, name) && jsonEqual(before[name] ?? null, value)),
  )
  const drop = Object.keys(before).filter(name => !Object.hasOwn(after, name))
  return { put: record(put), drop }
}

const isNothing = ({ put = {}, drop = [] }: JsonObject): boolean =>
  Object.keys(put as JsonObject).length === 0 && (drop as readonly Json[]).length === 0

/** Changes of a state in a turn, as JSON: {@link changedState} applies them to the state before. */
export const stateChange = (before: ConversationState, after: ConversationState): JsonObject => {
  const members = Object.entries(after).filter(([name, value]) => {
    if (NAMED.some(named => named === name)) return false
    return !jsonEqual(before[name as keyof ConversationState] as unknown as Json, value as Json)
  })
  const named = NAMED.map(name => [name, namedChange(before[name], after[name])] as const)
  return {
    ...record(members as (readonly [string, Json])[]),
    ...record(named.filter(([, change]) => !isNothing(change))),
  }
}

const withNamed = (held: JsonObject, change: Json | undefined): JsonObject => {
  if (change === undefined) return held
  const { put = {}, drop = [] } = change as { readonly put?: JsonObject; readonly drop?: readonly string[] }
  return record([...Object.entries(held).filter(([name]) => !drop.includes(name)), ...Object.entries(put)])
}

export const changedState = (before: ConversationState, change: JsonObject): ConversationState => ({
  ...before,
  ...change,
  variables: withNamed(before.variables, change.variables),
  userdata: withNamed(before.userdata, change.userdata),
})
