import type { Json, JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { ChatMessage } from '../port.ts'
import type { TemplateMessage } from './shared/template-message.ts'

/** A request of a provider as it came. */
export interface WebhookRequest {
  readonly method: 'GET' | 'POST'
  /** As the provider called it, from BOT_ROUTER_URL on: some sign it. */
  readonly url: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Unread: signatures are over these bytes. */
  readonly body: Uint8Array
}

export interface WebhookAnswer {
  readonly status: number
  readonly type: 'text/plain' | 'application/json' | 'text/xml'
  readonly body: string
}

/** Who wrote, as the provider names them. */
export interface ProviderUser {
  /** Unique on the channel; where answers go. */
  readonly id: string
  readonly name?: string
  /** What else the provider tells of them and what answers need (a service address, a tenant). */
  readonly data?: JsonObject
}

/** A file at the provider, until it is fetched. */
export interface ProviderMedia {
  /** An address, or an id that `mediaRequests` resolves. */
  readonly ref: string
  /** Media type; empty: not told. */
  readonly type: string
  readonly name?: string
}

/** What a person sent. */
export type ProviderContent =
  | { readonly kind: 'text'; readonly text: string }
  /** A button, a row of a list or a quick reply: `value` is what was given to it. */
  | { readonly kind: 'choice'; readonly value: string; readonly title: string }
  | { readonly kind: 'media'; readonly media: readonly ProviderMedia[]; readonly text?: string }
  | { readonly kind: 'location'; readonly data: JsonObject }
  | { readonly kind: 'order'; readonly data: JsonObject }
  | { readonly kind: 'contacts'; readonly data: Json }

/**
 * What a request told. One call may tell several things, of several numbers. `id` is the provider's: with the channel
 * (and the state of a receipt) it is the identity of the event, which is worked off once.
 */
export type ProviderEvent =
  | {
      readonly kind: 'message'
      readonly id: string
      readonly from: ProviderUser
      /** Number or account that was written to; empty where a channel has one alone. */
      readonly to: string
      /** ms since 1970; 0 where the provider does not tell. */
      readonly time: number
      readonly content: ProviderContent
      /** Message of the bot that it answers, by the provider's id. */
      readonly replyTo?: string
      /** Of the advertisement, link or template button that it came by: tried as a channel payload (RUNTIME 15d). */
      readonly payload?: string
    }
  | {
      readonly kind: 'receipt'
      /** The provider's id of the message. */
      readonly id: string
      /** `queued`: accepted by the provider, not sent yet. */
      readonly state: 'queued' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
      readonly time: number
      /** The provider's code of a failure. */
      readonly code?: string
      /** What was given to the provider to be told again with each receipt. */
      readonly callback?: string
    }
  /** Every message to this person up to a moment, ms since 1970, was delivered or read. */
  | { readonly kind: 'watermark'; readonly user: string; readonly state: 'delivered' | 'read'; readonly until: number }
  | {
      readonly kind: 'reaction' | 'edit' | 'deletion'
      readonly id: string
      readonly from: ProviderUser
      /** Message that it is about. */
      readonly of?: string
    }
  /** Of the account, a number or a template. */
  | { readonly kind: 'account'; readonly name: string; readonly data: JsonObject }
  /** The bot's own words come back; dropped. */
  | { readonly kind: 'echo'; readonly id: string }
  /** Kept in the log by its type and counted. */
  | { readonly kind: 'unknown'; readonly type: string }

/** A button, or a row of a list. `id` (at most 100 of A-Z a-z 0-9 . _ -) comes back as the `value` of a choice. */
export interface OutgoingOption {
  readonly id: string
  readonly title: string
  readonly description?: string
  /** Opens a page instead of answering. */
  readonly url?: string
}

/**
 * A message that fits the provider: what does not was told in words before (`degrade.ts`), texts are in its `markup`. `url`
 * of media is public and good for as long as the provider needs it.
 */
export type OutgoingMessage =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'buttons'
      readonly text: string
      /** Address of a picture above them; absent: none. */
      readonly image?: string
      readonly options: readonly OutgoingOption[]
    }
  | {
      readonly kind: 'list'
      readonly text: string
      /** Of the button that opens it. */
      readonly button: string
      readonly options: readonly OutgoingOption[]
    }
  | {
      readonly kind: 'media'
      readonly media: 'image' | 'audio' | 'video' | 'document'
      readonly url: string
      /** Media type; empty: not known. */
      readonly type: string
      readonly name: string
      /** Empty for audio. */
      readonly caption: string
    }
  | {
      readonly kind: 'location'
      readonly latitude: number
      readonly longitude: number
      readonly name: string
      readonly address: string
    }
  | {
      readonly kind: 'carousel'
      readonly cards: readonly {
        readonly title: string
        readonly text: string
        /** Address of a picture; empty: none. */
        readonly image: string
        readonly options: readonly OutgoingOption[]
      }[]
    }
  /** Asks for a place by a button of the provider's. */
  | { readonly kind: 'askplace'; readonly text: string }
  /** One of the types that the provider shows as they are (`Capabilities.native`). */
  | { readonly kind: 'native'; readonly message: ChatMessage }

/** What a provider can carry; the rest is told in words (rule 40 and channels' degrading). */
export interface Capabilities {
  /** Messages go as bots said them, with their delays: nothing is told in other words. */
  readonly isWhole?: true
  /** How texts are marked up: not at all, as WhatsApp does (*bold* _italic_ ~struck~), or in Markdown. */
  readonly markup: 'none' | 'whatsapp' | 'markdown'
  /** Characters of a message (`bytes`: of its UTF-8); longer ones are split. */
  readonly text: number
  readonly bytes?: true
  /** Characters of the text of buttons and lists; a longer one is sent before them. */
  readonly body: number
  /** Characters of the caption of a medium; a longer one is sent after it. */
  readonly caption: number
  /** At most so many buttons with labels of so many characters; none: options are numbered lines. */
  readonly buttons: {
    readonly count: number
    readonly label: number
    /** Buttons that open pages: none, one that stands alone, or beside those that answer. */
    readonly links: 'none' | 'alone' | 'beside'
    /** A picture may stand above them. */
    readonly image: boolean
  } | null
  readonly list: { readonly count: number; readonly label: number; readonly description: number } | null
  readonly carousel: {
    readonly cards: number
    readonly buttons: number
    readonly title: number
    readonly text: number
  } | null
  readonly media: readonly ('image' | 'audio' | 'video' | 'document')[]
  readonly location: boolean
  /** It can ask for a place by a button. */
  readonly askplace: boolean
  /** Types of messages that its adapter renders by itself, whole. */
  readonly native: readonly (
    | 'text'
    | 'card'
    | 'carousel'
    | 'media'
    | 'receipt'
    | 'receipt.facebook'
    | 'product'
    | 'adaptive'
  )[]
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON, a form, or bytes as they are. */
  readonly body?: JsonObject | URLSearchParams | Uint8Array
}

/** What an answer to a sent message means. `unknown`: it may have arrived, so it is never sent again by itself. */
export type Outcome =
  /** `id` is empty where the provider tells none; its receipts then tell the key. */
  | { readonly kind: 'sent'; readonly id: string }
  /** Surely not taken; again after so many ms at the earliest. */
  | { readonly kind: 'retry'; readonly after: number }
  /** Not taken for good. */
  | { readonly kind: 'final'; readonly code: string }
  | { readonly kind: 'unknown' }

export interface ProviderAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Undefined where it is no JSON. */
  readonly body: Json | undefined
}

/** A value that lives for a while: a token. Fetched once for all who wait; `stale` is not given again. */
export interface ProviderValues {
  remember(
    name: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
    stale?: string,
  ): Promise<Result<string>>
  ask(request: ProviderRequest): Promise<Result<ProviderAnswer>>
  /** Evaluates JSONata over a value, within limits and apart from this thread; `channel.profile` on a fault. */
  evaluate(source: string, input: Json): Promise<Result<Json>>
}

type Awaitable<T> = T | Promise<T>

/**
 * A provider of an incoming channel: pure functions over its requests and answers, but for tokens and what `values`
 * keeps. `fields` of the channel have their secrets in clear, `webhook` as an absolute address. All input and output is
 * done by `runtime/channel/`.
 */
export interface ChannelAdapter {
  readonly capabilities: Capabilities
  /** The other side knows by the key what it has: what may have arrived is sent again. */
  readonly isRepeatable?: true
  /** What a request is answered that only asks whether somebody is there; undefined for all others. */
  handshake(request: WebhookRequest, fields: JsonObject): WebhookAnswer | undefined
  /** `channel.signature` where it is not the provider's. */
  verify(request: WebhookRequest, fields: JsonObject, values: ProviderValues): Awaitable<Result<Record<never, never>>>
  /** `channel.body` for what is no body of the provider. It never throws. */
  parse(
    request: WebhookRequest,
    fields: JsonObject,
    values: ProviderValues,
  ): Awaitable<Result<readonly ProviderEvent[]>>
  /** What the provider expects back; an empty 200 where it is left out. */
  acknowledge?(request: WebhookRequest): WebhookAnswer
  /**
   * The request that sends a message. `key` (conversation, message and part, at most 100 of A-Z a-z 0-9 . -) is told again
   * with receipts where the provider does so. A refusal (`channel.message`) is final.
   */
  render(
    message: OutgoingMessage,
    to: ProviderUser,
    fields: JsonObject,
    key: string,
    values: ProviderValues,
  ): Awaitable<Result<ProviderRequest>>
  /** The request that sends a template of WhatsApp; left out where the provider has none. */
  renderTemplate?(
    template: TemplateMessage,
    to: ProviderUser,
    fields: JsonObject,
    key: string,
  ): Awaitable<Result<ProviderRequest>>
  /**
   * Adds what proves who sends: a header, or a token that `values` keeps. `refused`: what was authorized before and
   * answered with 401; a token in it is fetched again.
   */
  authorize(
    request: ProviderRequest,
    fields: JsonObject,
    values: ProviderValues,
    refused?: ProviderRequest,
  ): Awaitable<Result<ProviderRequest>>
  classify(answer: ProviderAnswer, fields: JsonObject, values: ProviderValues): Awaitable<Outcome>
  /** Resolves a media reference to the authorized request that brings its bytes. */
  mediaRequest?(ref: string, fields: JsonObject, values: ProviderValues): Awaitable<Result<ProviderRequest>>
  /** Looks whether the provider can be reached with what is given. Changes nothing there. */
  check?(fields: JsonObject, values: ProviderValues): Promise<Result<string>>
}
