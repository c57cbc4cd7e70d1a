import type { ParserName, PathParserName } from '#domain/expression/engine.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { TemplateKind } from '../expression/template.ts'
import type { AnswerPrompt, BotMessage, MessageContent, PersonInput } from './message.ts'
import type { ConversationState, OfferedAction, SystemOption, ValueChange } from './state.ts'
import type { Step } from './step.ts'

/** One expression of a block. `path` selects a list from `input`, `pattern` matches `input` against it. */
export type EvaluationJob =
  | { readonly kind: 'template'; readonly text: string; readonly template: TemplateKind; readonly parser: ParserName }
  | { readonly kind: 'expression'; readonly text: string; readonly parser: ParserName }
  | { readonly kind: 'pattern'; readonly text: string; readonly input: string }
  | { readonly kind: 'path'; readonly text: string; readonly parser: PathParserName; readonly input: Json }

export type Evaluated = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly fault: string }

/** Why a call brought no result, as a flow reads it in its error variable. */
export interface CallError {
  readonly code: string
  readonly message: string
  readonly status?: number
  readonly body?: Json
}

export type CallResult =
  | { readonly ok: true; readonly status: number; readonly body: Json }
  | { readonly ok: false; readonly error: CallError }

export interface FeedItem {
  readonly title: string
  readonly description: string
  readonly link: string
  readonly image: string
}

/** A model's reading of a text. Confidences are from 0 to 1. */
export interface Understood {
  readonly intents: readonly { readonly name: string; readonly confidence: number }[]
  readonly entities: readonly { readonly name: string; readonly value: Json; readonly confidence: number }[]
}

/** A text of an ML system, with the options below it. */
export type SystemText = string | { readonly text: string; readonly options: readonly SystemOption[] }

/** A message of a linked bot. */
export interface LinkedMessage {
  /** Counted from 1 within the linked conversation. */
  readonly id: number
  readonly content: MessageContent
  readonly actions: readonly OfferedAction[]
  readonly asks?: AnswerPrompt
}

/**
 * Effects that the interpreter requests, by kind: the request (`give`) and the answer (`take`). `context`
 * has the values that expressions read; the caller adds secrets to it.
 */
interface EffectKinds {
  evaluate: {
    readonly give: { readonly jobs: readonly EvaluationJob[]; readonly context: JsonObject }
    readonly take: { readonly values: readonly Evaluated[] }
  }
  script: {
    readonly give: { readonly source: string; readonly parameters: readonly Json[]; readonly slow: boolean }
    readonly take: { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string }
  }
  rest: {
    readonly give: {
      readonly properties: JsonObject
      readonly parser: ParserName
      readonly context: JsonObject
      /** Sent as `Idempotency-Key`, the same with every attempt. */
      readonly key: string
      /** It changes the world: it is recorded before it is made. */
      readonly changes: boolean
    }
    readonly take: CallResult
  }
  feed: {
    readonly give: { readonly properties: JsonObject; readonly parser: ParserName; readonly context: JsonObject }
    readonly take:
      | { readonly ok: true; readonly items: readonly FeedItem[] }
      | { readonly ok: false; readonly code: string }
  }
  nlu: {
    readonly give: { readonly text: string; readonly locale: string; readonly session: string }
    /** `threshold`: below it the model itself would say nothing. */
    readonly take:
      | ({ readonly ok: true; readonly threshold?: number } & Understood)
      | { readonly ok: false; readonly code: string }
  }
  /** The brain's answer to a question. `intent`: the matched question, null if unknown. */
  brain: {
    readonly give: { readonly text: string; readonly locale: string }
    readonly take:
      | {
          readonly ok: true
          readonly intent: string | null
          readonly confidence: number
          readonly answers: readonly string[]
        }
      | { readonly ok: false; readonly code: string }
  }
  ml: {
    /** `session`: the conversation, under which the system keeps its own. */
    readonly give: {
      readonly system: string
      readonly text: string
      /** Value of the system's option that the person chose with the text. */
      readonly chosen?: string
      readonly session: string
      readonly locale: string
    }
    readonly take:
      | ({ readonly ok: true; readonly texts: readonly SystemText[]; readonly payload: Json } & Understood)
      | { readonly ok: false; readonly code: string }
  }
  /** Another bot, in a conversation that is linked to this one. */
  bot: {
    readonly give: {
      readonly bot: string
      /** The message to it, and its text. */
      readonly input: PersonInput
      readonly text: string
      /** Its message that an input of kind `choice` answers; null where it offered nothing. */
      readonly of: number | null
      /** Each visit of the block has a separate linked conversation. */
      readonly visit: string
      /** The same when the turn is run again. */
      readonly key: string
      /** The linked conversation, where it is kept with the state of this one; null before its first turn. */
      readonly linked: Json
    }
    /** `messages`: its turn, where more than its texts is known. `waits`: it asks for more, `masked` for a secret. */
    readonly take:
      | {
          readonly ok: true
          readonly texts: readonly string[]
          readonly messages?: readonly LinkedMessage[]
          readonly waits: boolean
          readonly masked?: boolean
          readonly linked?: Json
        }
      | { readonly ok: false; readonly code: string }
  }
  agent: {
    readonly give: {
      readonly system: string
      readonly queue: string
      readonly fields: JsonObject
      readonly transcript: boolean
      /** From 0 to 3, the most urgent. */
      readonly priority?: number
    }
    /** Nothing is opened yet: `channel` is the one that will take the person, where there are real ones. */
    readonly take: { readonly ok: true; readonly channel?: string } | { readonly ok: false; readonly code: string }
  }
  /** Before each block, if the turn runs step by step: its results so far. */
  pause: {
    readonly give: {
      readonly dialog: string
      readonly block: string
      readonly frame: number
      readonly state: ConversationState
      readonly said: readonly BotMessage[]
      readonly steps: readonly Step[]
    }
    /** With a change it asks again, before the same block. */
    readonly take: { readonly change?: ValueChange }
  }
  /** Which of some days, as YYYY-MM-DD, are holidays there. */
  holiday: {
    readonly give: {
      readonly country: string
      readonly state: string
      readonly kinds: readonly string[]
      readonly years: readonly number[]
    }
    readonly take: { readonly days: readonly string[] }
  }
}

export type EffectKind = keyof EffectKinds
export type EffectOf<K extends EffectKind> = { readonly kind: K } & EffectKinds[K]['give']
/** `ms`: duration, measured or from the recording. `waited`: ms in a queue before that. */
export type AnswerOf<K extends EffectKind> = {
  readonly kind: K
  readonly ms: number
  readonly waited?: number
} & EffectKinds[K]['take']
export type Effect = { [K in EffectKind]: EffectOf<K> }[EffectKind]
export type EffectAnswer = { [K in EffectKind]: AnswerOf<K> }[EffectKind]

/** A computation that may ask for effects on its way. */
export type Steps<T> = Generator<Effect, T, EffectAnswer>
