import type { JsonObject } from '#schemas/event.ts'
import type { ProviderEvent, ProviderUser } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'

/** Destination of an event by the number table: the bot's channel, the account of campaigns, or both. */
export interface EventRoute {
  /** Type of the channels that share the provider's addresses, such as `whatsapp_meta`. */
  readonly family: string
  /** Address that was written to; empty when the provider has none. */
  readonly to: string
  readonly channel?: ProviderChannel | undefined
  /** Id of the Meta account whose campaigns send from the number. */
  readonly account?: string | undefined
  /** Hierarchy level of the channel's bot, else of the account. */
  readonly level?: string | null | undefined
}

type EventOf<Kind extends ProviderEvent['kind']> = Extract<ProviderEvent, { readonly kind: Kind }>

export type PersonEvent = EventOf<'message'>
export type ReceiptEvent = EventOf<'receipt'>
/** Events of a person that are no message for the bot. */
export type OtherPersonEvent = EventOf<'reaction' | 'edit' | 'deletion'> | EventOf<'unknown'>

export interface Heard<Event> {
  readonly route: EventRoute
  readonly event: Event
}

/** A stored message. `outcome`: code of the bot's handling; undefined before it. */
export interface InboxMessage extends Heard<PersonEvent> {
  readonly outcome?: string | undefined
}

/** A message of a bot that its provider refused for good. */
export interface RefusedSend {
  readonly channel: ProviderChannel
  readonly user: ProviderUser
  /** The provider's code. */
  readonly code: string
}

interface FollowedMessage {
  /** False keeps the message from the bot. */
  readonly isForBot: boolean
  /** The campaign that it answers, for the bot to read. */
  readonly campaign?: JsonObject | undefined
}

/** Reads the inbox beside the bot. Each follower is retried separately, so it must be idempotent by event id. */
export interface InboxFollower {
  readonly name: string
  /** It gets a message once more if the bot does not take it. */
  readonly hearsUntaken?: true
  message?(heard: InboxMessage): Promise<FollowedMessage | undefined>
  /** A reaction, an edit, a deletion, or a message of an unknown type; not stored in the inbox. */
  other?(heard: Heard<OtherPersonEvent>): Promise<void>
  /** Stores the receipts of its messages; returns for each whether it belongs to this follower. */
  receipts?(heard: readonly Heard<ReceiptEvent>[]): Promise<readonly boolean[]>
  /** News of an account, a number or a person's preferences. */
  news?(heard: Heard<EventOf<'account'>>): Promise<void>
  /** A message of a bot was refused, at once or by a receipt. */
  refused?(send: RefusedSend): Promise<void>
}

/** Followers of the inbox, registered before the first event is read. */
export class InboxFollowers {
  readonly #followers: InboxFollower[] = []

  add(follower: InboxFollower): void {
    this.#followers.push(follower)
  }

  get all(): readonly InboxFollower[] {
    return this.#followers
  }
}
