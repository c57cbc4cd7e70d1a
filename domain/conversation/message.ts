import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, parseJson } from '#schemas/json.ts'
import type { ChatRating } from '#schemas/rating.ts'
import type { AnswerInput } from './answer/read-answer.ts'
import type { ConversationState, OfferedAction, ReturnTarget } from './state.ts'

/** Days that a question for a date takes, as `YYYY-MM-DD`. */
export interface ChoosableDays {
  readonly from?: string
  readonly to?: string
  /** Only these. */
  readonly only?: readonly string[]
  /** All but these. */
  readonly except?: readonly string[]
}

const DAY = /^\d{4}-\d\d-\d\d$/

const dayOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && DAY.test(value.slice(0, 10)) ? value.slice(0, 10) : undefined
const daysOf = (value: Json | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.flatMap(day => dayOf(day) ?? []) : undefined

const parsed = (schema: Json | undefined): Json | undefined => (typeof schema === 'string' ? parseJson(schema) : schema)

/** The days that a variable's schema, or the JSON text of one, lets through; undefined where it lets through all. */
export const choosableDays = (given: Json | undefined): ChoosableDays | undefined => {
  const schema = parsed(given)
  if (!isObject(schema)) return undefined
  const [from, to, only] = [dayOf(schema.formatMinimum), dayOf(schema.formatMaximum), daysOf(schema.enum)]
  const except = isObject(schema.not) ? daysOf(schema.not.enum) : undefined
  if (from === undefined && to === undefined && only === undefined && except === undefined) return undefined
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(only === undefined ? {} : { only }),
    ...(except === undefined ? {} : { except }),
  }
}

/** Whether a day, or the day of a moment, can be chosen. */
export const isChoosable = (day: string, days: ChoosableDays | undefined): boolean => {
  const { from, to, only, except } = days ?? {}
  if (from !== undefined && day < from) return false
  if (to !== undefined && day > to) return false
  return (only === undefined || only.includes(day)) && except?.includes(day) !== true
}

export interface MediaContent {
  readonly title: string
  readonly text: string
  readonly url: string
  readonly kind: string
  readonly aspectRatio: string
}

export interface CardContent {
  readonly title: string
  readonly subtitle: string
  readonly text: string
  readonly image: string
  readonly thumbnail: boolean
  readonly actions: readonly OfferedAction[]
}

/** Content of a message by type. Texts are limited Markdown. */
export type MessageContent =
  | { readonly type: 'text'; readonly text: string; readonly attachments?: readonly JsonObject[] }
  | ({ readonly type: 'card' } & Omit<CardContent, 'actions'>)
  | { readonly type: 'carousel'; readonly cards: readonly (CardContent & { readonly media?: MediaContent })[] }
  | ({ readonly type: 'media' } & MediaContent)
  | {
      readonly type: 'location'
      readonly address: string
      readonly latitude: number | null
      readonly longitude: number | null
    }
  | { readonly type: 'receipt'; readonly family: string; readonly receipt: JsonObject }
  | { readonly type: 'product'; readonly product: JsonObject }
  | { readonly type: 'adaptive'; readonly body: Json; readonly actions: Json; readonly submit: boolean }

/** Input control in the widget. */
export interface AnswerPrompt {
  readonly kind: string
  readonly list: string
  readonly mask: boolean
  readonly skip: boolean
  readonly unit: string
  readonly calendar: string
  /** Days that can be chosen; absent where all can. */
  readonly days?: ChoosableDays
}

/** A message of the bot, in sending order. */
export interface BotMessage {
  /** Counted from 1 within the conversation. */
  readonly id: number
  /** The block that says it; null for the bot itself. */
  readonly block: string | null
  /** ms after the message before it. */
  readonly delay: number
  readonly content: MessageContent
  readonly actions: readonly OfferedAction[]
  readonly asks?: AnswerPrompt
  /** Its buttons answer only this question (see `Wait.question`); if absent, any waiting block. */
  readonly question?: number
  /** Number of the message in the conversation of the bot that said it. */
  readonly linked?: number
  /** For another address than the person's: `channel:address`, or on the same channel. */
  readonly destination?: string
  /** Sent in place of the text outside the channel's window. */
  readonly template?: MessageTemplate
}

/** A template of WhatsApp with the values of its variables. */
export type MessageTemplate = {
  readonly id: string
  /** By variable: `1`, `name`, `header`, `button.1`, `code`. */
  readonly values: { readonly [variable: string]: string }
}

/** Every button of a message, those of its cards included. */
export const actionsOf = ({ actions, content }: Pick<BotMessage, 'actions' | 'content'>): readonly OfferedAction[] =>
  content.type === 'carousel' ? [...actions, ...content.cards.flatMap(card => card.actions)] : actions

/** Whether a press on a message is an input: a button, the form of an adaptive card, or a product. */
export const isPressable = (message: Pick<BotMessage, 'actions' | 'content'>): boolean =>
  message.content.type === 'adaptive' || message.content.type === 'product' || actionsOf(message).length > 0

/** Actions as clients read them: those of an adaptive card, then those that its block offers. */
export const shownActions = ({ actions, content }: Pick<BotMessage, 'actions' | 'content'>): readonly Json[] => [
  ...(content.type === 'adaptive' && Array.isArray(content.actions) ? content.actions : []),
  ...actions.map(({ id, type, title, value }) => ({ id, type, title, value })),
]

/** A press as the person's words: an imBack says its value, the others their title. */
export const pressedWords = ({ type, title, value }: OfferedAction): string =>
  type === 'imBack' && value !== '' ? value : title

/** Input of a turn. */
export type TurnInput =
  /** A chat is opened, or opened again by a link, without a word. */
  | { readonly kind: 'open'; readonly payload?: string }
  /** `payload`: of the button, link or advertisement that the text came with. */
  | { readonly kind: 'text'; readonly text: string; readonly payload?: string }
  /** A pressed button or option of the message with this id, and the question that the message asks. */
  | {
      readonly kind: 'choice'
      readonly message: number
      readonly action: OfferedAction
      readonly question?: number
      /** Number of the message in the conversation of a linked bot. */
      readonly linked?: number
    }
  | { readonly kind: 'location'; readonly location: JsonObject }
  | { readonly kind: 'attachment'; readonly attachments: readonly JsonObject[]; readonly text?: string }
  /** Products chosen, or the inputs of an adaptive card. */
  | {
      readonly kind: 'order' | 'submit'
      readonly data: Json
      readonly title?: string
      readonly message?: number
      readonly question?: number
    }
  | { readonly kind: 'menu'; readonly command: 'restart' | 'agent' | 'bot' }
  | { readonly kind: 'menu'; readonly command: 'task'; readonly task: string }
  /** The person has been silent for `usertimeout`, or for `endconversationtimeout`. */
  | { readonly kind: 'reminder' | 'timeout' }
  /** The person ends the conversation. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'schedule'; readonly id: string }
  /** Runs the present stack: the conversation begins at a chosen block. */
  | { readonly kind: 'resume' }
  /** A restart of the bot removed the waiting block. */
  | { readonly kind: 'moved' }
  /** The agent left or never came; `text` replaces the bot's message. The bot asks for a `rating` before the flow continues. */
  | {
      readonly kind: 'agentleft'
      readonly reason: string
      readonly text?: string
      readonly return?: ReturnTarget
      readonly chat?: EndedChat
      readonly rating?: ChatRating
    }
  /** An agent takes the conversation over. */
  | { readonly kind: 'takeover'; readonly channel: string; readonly queue: string }

/** A chat with an agent as flows read it under `agent`, with its number. */
export type EndedChat = {
  readonly n: number
  /** Key of the reason for which the agent closed it; empty: none. */
  readonly reason: string
  /** Of the last agent; empty: none came, or the system does not say. */
  readonly name: string
  /** Seconds until an agent came; null: none came. */
  readonly wait: number | null
  readonly score: null
}

/** A person's input that another bot may receive. */
export type PersonInput = Extract<
  TurnInput,
  { readonly kind: 'text' | 'choice' | 'location' | 'attachment' | 'order' | 'submit' }
>

/** The words of an input, '' for none. */
export const textOfInput = (input: TurnInput): string => {
  switch (input.kind) {
    case 'text':
      return input.text
    case 'choice':
      // Only its system reads the value of such an option.
      if (input.action.system !== undefined) return input.action.title
      return input.action.type === 'postBack' ? input.action.value : input.action.value || input.action.title
    case 'attachment':
      return input.text ?? ''
    case 'order':
    case 'submit':
      return input.title ?? ''
    case 'open':
      return ''
    default:
      return ''
  }
}

/** An input as a question reads it. */
export const answerInputOf = (input: TurnInput): AnswerInput => {
  switch (input.kind) {
    case 'text':
      return { text: input.text }
    case 'choice':
      return {
        text: input.action.title,
        ...(input.action.system === undefined ? { value: input.action.value } : {}),
      }
    case 'location':
      return { location: input.location }
    case 'attachment':
      return { ...(input.text === undefined ? {} : { text: input.text }), attachments: input.attachments }
    case 'order':
    case 'submit':
      return { value: input.data }
    default:
      return {}
  }
}

type PressedMessage = Pick<BotMessage, 'id' | 'question' | 'linked'>

const pressed = ({ id, question }: PressedMessage) => ({
  message: id,
  ...(question === undefined ? {} : { question }),
})

/** The press of a button of a message. */
export const pressOf = (message: PressedMessage, action: OfferedAction): Extract<TurnInput, { kind: 'choice' }> => ({
  kind: 'choice',
  ...pressed(message),
  action,
  ...(message.linked === undefined ? {} : { linked: message.linked }),
})

/** The data that a card or product sends; `message` is undefined where the client names none. */
export const dataOf = (kind: 'order' | 'submit', data: Json, message: PressedMessage | undefined): TurnInput => ({
  kind,
  data,
  ...(message === undefined ? {} : pressed(message)),
})

/**
 * Whether a press came too late: its message asks another question than the one that waits. `newestOnly`:
 * also one on an older message, which the person has answered or which newer buttons follow.
 */
export const isStalePress = (
  {
    frames,
    buttons = 0,
    heard = 0,
    unnumbered,
    rating,
  }: Pick<ConversationState, 'frames'> &
    Partial<Pick<ConversationState, 'buttons' | 'heard' | 'unnumbered' | 'rating'>>,
  input: TurnInput,
  newestOnly: boolean,
): boolean => {
  if (input.kind !== 'choice' && input.kind !== 'order' && input.kind !== 'submit') return false
  const { message, question: own } = input
  if (message === undefined) return false
  const isUnnumbered = unnumbered !== undefined && message > unnumbered.from && message <= unnumbered.to
  const question = own ?? (isUnnumbered ? unnumbered.question : undefined)
  if (question !== undefined && question !== (rating ?? frames.at(-1)?.wait)?.question) return true
  return newestOnly && (message < buttons || (question === undefined && message <= heard))
}

/**
 * Numbers the question that waits, if it was asked before questions had numbers: a second press on one of its buttons is
 * then known to come too late.
 */
export const withNumberedQuestion = (state: ConversationState): ConversationState => {
  const { frames, heard = 0, messages } = state
  const frame = frames.at(-1)
  if (frame?.wait === undefined || frame.wait.question !== undefined) return state
  // Numbers of later questions are greater: each is the number of its first message.
  const wait = { ...frame.wait, question: messages }
  return {
    ...state,
    frames: [...frames.slice(0, -1), { ...frame, wait }],
    unnumbered: { from: heard, to: messages, question: messages },
  }
}
