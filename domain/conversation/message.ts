import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { OfferedAction } from './state.ts'

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

const parsed = (schema: Json | undefined): Json | undefined => {
  if (typeof schema !== 'string') return schema
  try {
    return JSON.parse(schema) as Json
  } catch {
    return undefined
  }
}

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

/** Content of a message by type (RUNTIME 77). Texts are limited Markdown. */
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
  /** Number of the message in the conversation of the bot that said it (RUNTIME 50). */
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

/** A press as the person's words: an imBack says its value, the others their title (RUNTIME 52). */
export const pressedWords = ({ type, title, value }: OfferedAction): string =>
  type === 'imBack' && value !== '' ? value : title
