import type { SendOutcome } from '#domain/campaign/delivery.ts'
import type { Template } from '#domain/template/template.ts'
import type { TemplateMessage } from '#domain/template/template-message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ReceiptPricing } from '#schemas/events/campaign.ts'
import type { Result } from '#schemas/refusal.ts'
import type { ChatMessage } from '../port.ts'

/** An unparsed request of a provider. */
export interface WebhookRequest {
  readonly method: 'GET' | 'POST'
  /** The address as called, starting at BOT_ROUTER_URL: some providers sign it. */
  readonly url: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Raw bytes: signatures cover them. */
  readonly body: Uint8Array
}

export interface WebhookAnswer {
  readonly status: number
  readonly type: 'text/plain' | 'application/json' | 'text/xml'
  readonly body: string
}

/** The sender, as identified by the provider. */
export interface ProviderUser {
  /** Unique on the channel; the address of answers. */
  readonly id: string
  readonly name?: string
  /** Further data from the provider, including data that answers need (a service address, a tenant). */
  readonly data?: JsonObject
}

/** The receiver of a message. */
export interface Recipient extends ProviderUser {
  /** An agent writes after the time in which the bot may: the provider asks for a mark. */
  readonly isLate?: true
}

/** A file that is still at the provider. */
export interface ProviderMedia {
  /** An address, or an id that `mediaRequest` resolves. */
  readonly ref: string
  /** Media type; empty when not known. */
  readonly type: string
  readonly name?: string
}

/** Content of a person's message. */
export type ProviderContent =
  | { readonly kind: 'text'; readonly text: string }
  /** A press of a button, a list row or a quick reply: `value` is the id it was sent with. */
  | { readonly kind: 'choice'; readonly value: string; readonly title: string }
  | { readonly kind: 'media'; readonly media: readonly ProviderMedia[]; readonly text?: string }
  | { readonly kind: 'location'; readonly data: JsonObject }
  | { readonly kind: 'order'; readonly data: JsonObject; readonly of?: string }
  | { readonly kind: 'contacts'; readonly data: Json }
  /** A link, an advertisement or a page plugin opened the chat: only the payload counts, the person said nothing. */
  | { readonly kind: 'opening' }

/** The address that an event is about: routing depends on it, never on the door that received the event. */
interface Addressed {
  /** Number, page or account that was written to; empty when the provider does not say. */
  readonly to: string
  /** WhatsApp business account of the number, if the provider says it. */
  readonly waba?: string
  /** Phone number of the address as people see it, if `to` is an id of the provider. */
  readonly display?: string
}

/**
 * An event of a request; one request may contain several, for several numbers. `id` is the provider's: together with
 * the address (and the state of a receipt) it identifies the event, which is processed once.
 */
export type ProviderEvent = Addressed & ProviderEventKind

type ProviderEventKind =
  | {
      readonly kind: 'message'
      readonly id: string
      readonly from: ProviderUser
      /** ms since 1970; 0 when the provider does not send it. */
      readonly time: number
      readonly content: ProviderContent
      /** The provider's id of the bot's message that it answers. */
      readonly replyTo?: string
      /** Payload of an advertisement, link or template button, tried as a channel payload. */
      readonly payload?: string
    }
  | {
      readonly kind: 'receipt'
      /** The provider's id of the message. */
      readonly id: string
      /** `queued`: accepted by the provider, not sent yet. */
      readonly state: 'queued' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
      readonly time: number
      /** The provider's error code. */
      readonly code?: string
      /** The callback text of the send, which the provider returns with each receipt. */
      readonly callback?: string
      /** Digits of the number that the message was sent to, if the provider says it. */
      readonly recipient?: string
      /** Meta's id of that person for the business. */
      readonly scoped?: string
      readonly pricing?: ReceiptPricing
    }
  /** Every message to this person up to a moment (ms since 1970) was delivered or read. */
  | { readonly kind: 'watermark'; readonly user: string; readonly state: 'delivered' | 'read'; readonly until: number }
  | {
      readonly kind: 'reaction' | 'edit' | 'deletion'
      readonly id: string
      readonly from: ProviderUser
      /** The message that it refers to. */
      readonly of?: string
    }
  /** A change of the account, a number or a template. */
  | {
      readonly kind: 'account'
      readonly name: string
      readonly data: JsonObject
      /** ms since 1970; absent when the provider does not send it. */
      readonly time?: number
    }
  /** The bot's own message, returned by the provider; dropped. */
  | { readonly kind: 'echo'; readonly id: string }
  /** Logged by its type and counted. `from`: the person, if it is a message of an unknown type. */
  | { readonly kind: 'unknown'; readonly type: string; readonly from?: ProviderUser; readonly replyTo?: string }

/** A button, or a row of a list. A press returns `id` (at most 100 of A-Z a-z 0-9 . _ -) as the `value` of a choice. */
export interface OutgoingOption {
  readonly id: string
  readonly title: string
  readonly description?: string
  /** Opens a page instead of answering. */
  readonly url?: string
}

/**
 * A message that fits the provider: unsupported content was turned into text before (`degrade.ts`), texts use its
 * `markup`. `url` of media is public and valid for as long as the provider needs it.
 */
export type OutgoingMessage =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'buttons'
      readonly text: string
      /** Address of an image above the text; absent: none. */
      readonly image?: string
      readonly options: readonly OutgoingOption[]
    }
  | {
      readonly kind: 'list'
      readonly text: string
      /** Label of the button that opens the list. */
      readonly button: string
      readonly options: readonly OutgoingOption[]
    }
  | {
      readonly kind: 'media'
      readonly media: 'image' | 'audio' | 'video' | 'document'
      readonly url: string
      /** Media type; empty when not known. */
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
        /** Address of an image; empty: none. */
        readonly image: string
        readonly options: readonly OutgoingOption[]
      }[]
    }
  /** Asks for a location with a button of the provider. */
  | { readonly kind: 'askplace'; readonly text: string }
  /** A type that the provider shows natively (`Capabilities.native`). */
  | { readonly kind: 'native'; readonly message: ChatMessage }

/** Features of a provider; other content becomes text (`degrade.ts`). */
export interface Capabilities {
  /** Messages are sent unchanged, with their delays: nothing becomes text. */
  readonly isWhole?: true
  /** Text markup: none, WhatsApp's (*bold* _italic_ ~struck~), or Markdown. */
  readonly markup: 'none' | 'whatsapp' | 'markdown'
  /** Characters of a message (`bytes`: of its UTF-8); longer ones are split. */
  readonly text: number
  readonly bytes?: true
  /** Maximum characters of the text of buttons and lists; a longer text is sent before them. */
  readonly body: number
  /** Maximum characters of a media caption; a longer one is sent after the file. */
  readonly caption: number
  /** Maximum number of buttons and characters per label; null: options become numbered lines. */
  readonly buttons: {
    readonly count: number
    readonly label: number
    /** Buttons that open pages: none, only alone, or beside reply buttons. */
    readonly links: 'none' | 'alone' | 'beside'
    /** Whether an image may be above the buttons. */
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
  /** Whether it can ask for a location with a button. */
  readonly askplace: boolean
  /** Message types that the adapter renders natively, as a whole. */
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
  /** JSON, a form, or raw bytes. */
  readonly body?: JsonObject | URLSearchParams | Uint8Array
}

/** Outcome of a send. `unknown`: it may have arrived, so it is never sent again automatically. */
export type Outcome =
  /** `id` is empty when the provider returns none; its receipts then carry the key. */
  | { readonly kind: 'sent'; readonly id: string }
  /** Certainly not accepted; retried after at least this many ms. */
  | { readonly kind: 'retry'; readonly after: number; readonly code?: string }
  /** Permanently refused. */
  | { readonly kind: 'final'; readonly code: string }
  /** The credentials are refused: no message of the channel will be accepted until they are replaced. */
  | { readonly kind: 'unauthorized'; readonly code: string }
  | { readonly kind: 'unknown'; readonly code?: string }

export interface ProviderAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Undefined when the body is not JSON. */
  readonly body: Json | undefined
}

/** A temporary value such as a token. Fetched once for all waiting callers; `stale` is not returned again. */
export interface ProviderValues {
  remember(
    name: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
    stale?: string,
  ): Promise<Result<string>>
  ask(request: ProviderRequest): Promise<Result<ProviderAnswer>>
  /** Downloads a file of at most `most` bytes; refuses with `channel.message` where there is none or it is larger. */
  download(url: string, most: number): Promise<Result<Uint8Array>>
  /** Evaluates JSONata over a value, within limits and in another thread; `channel.profile` on an error. */
  evaluate(source: string, input: Json): Promise<Result<Json>>
}

type Awaitable<T> = T | Promise<T>

/** An answer to a send. `code` is empty where the provider took the message or names no reason. */
export interface ReadAnswer {
  /** The provider's id of the message; empty: the answer has none. */
  readonly id: string
  readonly isHeld?: boolean
  readonly code: string
}

/** A template as a provider lists it, in fields of the entity `template`. */
export interface ListedTemplate {
  readonly fields: JsonObject
  /** The provider's id; empty where it names templates by name. */
  readonly id: string
  /** Word of the review, in Meta's spelling. */
  readonly status: string
  /** Why it was rejected; empty: none. */
  readonly reason: string
  /** Empty where the provider does not say. */
  readonly quality: string
}

/** A stored file as it goes to a provider. */
export interface TemplateFile {
  readonly name: string
  /** Media type. */
  readonly type: string
  readonly content: Uint8Array
}

export interface Submitted {
  readonly id: string
  readonly status: string
}

/**
 * Templates of one provider: its requests, and what its answers mean. `channelTemplateSender` makes the calls and sends
 * the files.
 */
export interface TemplateAdapter {
  /**
   * The request that sends a message; `to`: E.164 with its plus. A refusal proves that nothing was sent:
   * `channel.message` for good, `channel.answer` by the `code` in its parameters.
   */
  render(
    message: TemplateMessage,
    to: string,
    fields: JsonObject,
    key: string,
    values: ProviderValues,
  ): Awaitable<Result<ProviderRequest>>
  read(answer: ProviderAnswer, key: string, fields: JsonObject, values: ProviderValues): Awaitable<ReadAnswer>
  /** The request that uploads a file, whose answer has its `id`. */
  upload?(file: TemplateFile, fields: JsonObject): ProviderRequest
  list?(fields: JsonObject, values: ProviderValues): Promise<Result<readonly ListedTemplate[]>>
  /** `linkOf`: a signed address of a stored file. */
  submit?(
    template: Template,
    fields: JsonObject,
    values: ProviderValues,
    linkOf: (file: string) => Promise<Result<string>>,
  ): Promise<Result<Submitted>>
}

/**
 * Adapter of a provider for an incoming channel: pure functions over its requests and responses, except for tokens and
 * `values`. `fields` of the channel have decrypted secrets, `webhook` as an absolute address. All I/O is done by
 * `runtime/channel/`.
 */
export interface ChannelAdapter {
  readonly capabilities: Capabilities
  /** The other side recognizes duplicates by the key, so a message that may have arrived is sent again. */
  readonly isRepeatable?: true
  /** Response to a request that only verifies the webhook; undefined for all others. */
  handshake(request: WebhookRequest, fields: JsonObject): WebhookAnswer | undefined
  /** Refuses with `channel.signature` when the request is not the provider's. */
  verify(request: WebhookRequest, fields: JsonObject, values: ProviderValues): Awaitable<Result<Record<never, never>>>
  /** Refuses with `channel.body` when the body is not the provider's. Never throws. */
  parse(
    request: WebhookRequest,
    fields: JsonObject,
    values: ProviderValues,
  ): Awaitable<Result<readonly ProviderEvent[]>>
  /** Response that the provider expects; default: an empty 200. */
  acknowledge?(request: WebhookRequest): WebhookAnswer
  /**
   * The request that sends a message. Receipts return `key` (conversation, message and part, at most 100 of A-Z a-z 0-9
   * . -) if the provider supports it. A refusal (`channel.message`) is final.
   */
  render(
    message: OutgoingMessage,
    to: Recipient,
    fields: JsonObject,
    key: string,
    values: ProviderValues,
  ): Awaitable<Result<ProviderRequest>>
  /** Message templates of WhatsApp; absent when the provider has none. */
  readonly templates?: TemplateAdapter
  /**
   * Adds the credentials: a header, or a token kept by `values`. `refused`: the authorized request that was answered
   * with 401; its token is fetched again.
   */
  authorize(
    request: ProviderRequest,
    fields: JsonObject,
    values: ProviderValues,
    refused?: ProviderRequest,
  ): Awaitable<Result<ProviderRequest>>
  /** `unauthorized` is found by `sendPart` for all providers. */
  classify(answer: ProviderAnswer, fields: JsonObject, values: ProviderValues): Awaitable<Outcome>
  /** Resolves a media reference to the authorized request for its bytes. */
  mediaRequest?(ref: string, fields: JsonObject, values: ProviderValues): Awaitable<Result<ProviderRequest>>
  /** Whether an event was written to another number or account than the channel's; absent: `isForeignPhone`. */
  isForeign?(event: ProviderEvent, fields: JsonObject): boolean
  /** Ids of the channel's page or account, as its events name it. Kept for a day by `values`. */
  addresses?(fields: JsonObject, values: ProviderValues): Promise<Result<readonly string[]>>
  /** When the token ends, in ms since 1970; undefined: never. Absent when the provider does not say. */
  tokenEnds?(fields: JsonObject, values: ProviderValues): Promise<Result<number | undefined>>
  /**
   * The request that shows "typing" to the person for some seconds. `answered`: the provider's id of the person's last
   * message; undefined: not known. Undefined is returned where nothing can be shown.
   */
  typing?(to: ProviderUser, fields: JsonObject, answered: string | undefined): ProviderRequest | undefined
  /** Registers the channel's webhook at the provider; may be repeated. Present where the declaration `connects`. */
  connect?(fields: JsonObject, values: ProviderValues): Promise<Result<string>>
  /** Tests whether the provider accepts the settings. Changes nothing there. */
  check?(fields: JsonObject, values: ProviderValues): Promise<Result<string>>
}

/** Result of a send. `isHeld`: the provider checks the message before it passes it on. */
export type SendResult = { readonly kind: 'accepted'; readonly id: string; readonly isHeld: boolean } | SendOutcome

/** Sends the templates that are registered at one account or channel. */
export interface TemplateSender {
  /** Channel type; `whatsapp_meta` for accounts. */
  readonly provider: string
  /** A receipt settles a send whose answer was lost. */
  readonly settles: boolean
  /** `to`: E.164 with its plus. `key` returns with receipts where the provider supports it. Never throws for answers. */
  send(message: TemplateMessage, to: string, key: string): Promise<SendResult>
  /** Absent: the provider has no list. */
  list?(): Promise<Result<readonly ListedTemplate[]>>
  /** Absent: the provider takes no templates from outside. */
  submit?(template: Template): Promise<Result<Submitted>>
}
