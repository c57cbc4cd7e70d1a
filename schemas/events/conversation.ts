/** Events of a conversation, in `conversation-<id>`. Texts are sealed under the person's own key. */
export const CONVERSATION_PREFIX = 'conversation-'
/** Between the id of a conversation and the number of a part, in names of streams. */
const PART_MARK = '.'

/** Stream of a part of a conversation, counted from 1: one of very many turns has several. */
export const conversationStream = (id: string, part = 1): string =>
  CONVERSATION_PREFIX + id + (part === 1 ? '' : `${PART_MARK}${part}`)

/** The conversation and the part that a stream holds. */
export const conversationPart = (stream: string): { readonly id: string; readonly part: number } => {
  const [id = '', part = '1'] = stream.slice(CONVERSATION_PREFIX.length).split(PART_MARK)
  return { id, part: Number(part) }
}

/** A bot's data about a person in all conversations, in `botuser-<bot>-<person>`. */
export const botUserStream = (bot: string, person: string): string => `botuser-${bot}-${person}`

/** Conversations of a person on a channel that opens one with the first message, one `ConversationAssigned` each. */
export const chatPersonStream = (channel: string, person: string): string => `chatperson-${channel}-${person}`

/** Counts of conversations that were removed, one `ConversationSummed` each, in `conversationday-<bot>`. */
export const CONVERSATION_DAY_PREFIX = 'conversationday-'
export const conversationDayStream = (bot: string): string => CONVERSATION_DAY_PREFIX + bot

/** Origins of conversations. `trial`: a user of the console tries the bot; `simulated`: a persona of a simulated number. */
export const CONVERSATION_ORIGINS = ['person', 'campaign', 'agent', 'schedule', 'trial', 'simulated'] as const
/** Origins that count by default: those of the bot's own conversations. */
export const COUNTED_ORIGINS: readonly ConversationOrigin[] = ['person', 'campaign']
export type ConversationOrigin = (typeof CONVERSATION_ORIGINS)[number]

/** Kinds of a turn's input, in clear. `form`: products chosen, or inputs of a card; `open`: no word yet. */
export type InputKind = 'text' | 'choice' | 'place' | 'file' | 'form' | 'menu' | 'open' | 'timer' | 'schedule' | 'agent'

/** Events that begin a turn; a conversation that was opened without a word begins one itself. */
export type ConversationEventType =
  | 'ConversationStarted'
  | 'MessageReceived'
  | 'TimerFired'
  | 'ScheduleFired'
  | 'ScheduleSkipped'
  | 'EffectRequested'
  | 'ClaimTaken'
  | 'TurnTaken'
  | 'TurnFailed'
  | 'ConversationMoved'
  | 'AgentRequested'
  | 'AgentLeased'
  | 'AgentWaiting'
  | 'AgentConnected'
  | 'AgentSaid'
  | 'AgentLeft'
  | 'AgentQueued'
  | 'AgentAssigned'
  | 'AgentOpened'
  | 'AgentReleased'
  | 'AgentNoted'
  | 'AgentSnoozed'
  | 'AgentWoken'
  | 'AgentTagged'
  | 'AgentPrioritized'
  | 'AgentMoved'
  | 'ChatRevealed'
  | 'RatingAsked'
  | 'ConversationRated'
  | 'RatingSkipped'
  | 'TakeoverAsked'
  | 'ConversationEnded'
  | 'PersonForgotten'
  | 'ConversationPartEnded'
  | 'ConversationContinued'

/** Node that runs the turns of a conversation, and the end of its claim. */
export interface Claim {
  readonly node: string
  /** ms since 1970 */
  readonly until: number
}

/**
 * Event of a provider, one stream each: `inbox-<family>-<address>-<hash of the provider's id>`. The door that received
 * it is not part of the name, so the same event through two doors is stored once. Until November 2026 the name was
 * `inbox-<channel>-<hash>`.
 */
export const INBOX_PREFIX = 'inbox-'
export const inboxStream = (address: string, hash: string): string => `${INBOX_PREFIX}${address}-${hash}`

/** Delivery of the bot's messages of a conversation to a provider. */
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
