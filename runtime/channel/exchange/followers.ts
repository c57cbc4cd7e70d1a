import type { ProviderChannel } from '../open-channels.ts'
import type { ProviderEvent } from '../port.ts'

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

/** Reads the inbox beside the bot. Each follower is tried again by itself, so it must be idempotent by event id. */
interface InboxFollower {
  readonly name: string
  /** A stored message. `isForBot: false` keeps it from the bot. */
  message?(heard: Heard<PersonEvent>): Promise<{ readonly isForBot: boolean } | undefined>
  /** A reaction, an edit, a deletion, or a message of an unknown type; not stored in the inbox. */
  other?(heard: Heard<OtherPersonEvent>): Promise<void>
  /** Stores the receipts of its own messages; returns for each whether it belongs to this follower. */
  receipts?(heard: readonly Heard<ReceiptEvent>[]): Promise<readonly boolean[]>
  /** News of an account, a number or a person's preferences. */
  news?(heard: Heard<EventOf<'account'>>): Promise<void>
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
