/**
 * Event of a provider, one stream each: `inbox-<family>-<address>-<hash of the provider's id>`. The door that received
 * it is not part of the name, so the same event through two doors is stored once. Until November 2026 the name was
 * `inbox-<channel>-<hash>`.
 */
export const INBOX_PREFIX = 'inbox-'
export const inboxStream = (address: string, hash: string): string => `${INBOX_PREFIX}${address}-${hash}`

/** Delivery of the bot's messages of a conversation to a provider (RUNTIME 58, 68). */
export const DELIVERY_PREFIX = 'delivery-'
export const deliveryStream = (conversation: string): string => DELIVERY_PREFIX + conversation

/**
 * `Started` is written before a request: without a later outcome the message may have arrived, and is never sent again.
 * `Settled`: nothing up to a position is left to be sent.
 */
export type DeliveryEventType =
  | 'DeliveryStarted'
  | 'DeliverySent'
  | 'DeliveryDelayed'
  | 'DeliveryFailed'
  | 'DeliverySettled'
  | 'DeliveryReceipt'

/** `Handled` with `left`: these followers failed and try again. `Unrouted`: no channel has the number. */
export type InboxEventType =
  | 'ChannelEventReceived'
  | 'ChannelEventTaken'
  | 'ChannelEventHandled'
  | 'ChannelEventUnrouted'
