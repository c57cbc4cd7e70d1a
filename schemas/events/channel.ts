/** What a provider told of a channel, a stream each: `inbox-<channel>-<hash of the provider's id>`. */
export const INBOX_PREFIX = 'inbox-'
export const inboxStream = (channel: string, hash: string): string => `${INBOX_PREFIX}${channel}-${hash}`

/** What became of the bot's messages of a conversation on their way to a provider (RUNTIME 58, 68). */
export const DELIVERY_PREFIX = 'delivery-'
export const deliveryStream = (conversation: string): string => DELIVERY_PREFIX + conversation

/**
 * `Started` is written before a request is made: what has no outcome after that may have arrived, and is never sent
 * again. `Settled`: nothing up to a position is left to be sent.
 */
export type DeliveryEventType =
  | 'DeliveryStarted'
  | 'DeliverySent'
  | 'DeliveryDelayed'
  | 'DeliveryFailed'
  | 'DeliverySettled'
  | 'DeliveryReceipt'

export type InboxEventType = 'ChannelEventReceived' | 'ChannelEventTaken' | 'ChannelEventHandled'
