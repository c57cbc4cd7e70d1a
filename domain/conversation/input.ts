import type { Json, JsonObject } from '#schemas/event.ts'
import type { SaidInput } from './answer/read-answer.ts'
import type { OfferedAction } from './state.ts'

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
  /** The agent left or never came; `text` replaces the bot's message. */
  | { readonly kind: 'agentleft'; readonly reason: string; readonly text?: string }

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
export const saidOf = (input: TurnInput): SaidInput => {
  switch (input.kind) {
    case 'text':
      return { text: input.text }
    case 'choice':
      return { text: input.action.title, value: input.action.value }
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
