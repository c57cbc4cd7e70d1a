import { type Draft, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { MessageTemplate } from '#domain/conversation/message.ts'
import { agentHours, channelType, isBrought, isPushed, isWhatsapp } from '#schemas/channel-type.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { type Claim, type DeliveryEventType, deliveryStream } from '#schemas/events/conversation.ts'
import { isObject, objectOf, textOf } from '#schemas/json.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import { exclusiveDrafts, type StreamAggregate, type StreamFact, streamAggregate } from '../../log/stream-aggregate.ts'
import type { ChatMessage } from '../../port.ts'
import type { ChannelAdapter, OutgoingMessage, ProviderUser, Recipient } from '../channel-port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { field } from '../shared/provider-call.ts'
import type { ExchangeIndex, SentPart } from './exchange-index.ts'

/** Limit of delivery states in memory. */
const MAX_CACHED = 1000

export type DeliveryStatus =
  | 'sending'
  | 'waiting'
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'played'
  | 'failed'
  | 'unknown'

/** A lower rank never overwrites a higher one, regardless of the order of arrival. */
const RANK: Readonly<Record<DeliveryStatus, number>> = {
  sending: 0,
  waiting: 0,
  unknown: 1,
  queued: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6,
  played: 7,
}

export const isHigher = (status: DeliveryStatus, than: DeliveryStatus): boolean => RANK[status] > RANK[than]

/** One message at a provider: a whole bot message, or one of its parts. */
interface DeliveredPart {
  readonly status: DeliveryStatus
  /** The provider's id; empty until it assigns one. */
  readonly id: string
  /** Reason of a failure. */
  readonly code: string
  /** ms since 1970 of the last change. */
  readonly time: number
  /** A receipt named its price. */
  readonly isPriced?: boolean
}

/** Delivery state of a conversation's messages, folded from `delivery-<conversation>`. */
export interface DeliveryState {
  readonly end: StreamEnd
  /** Position up to which all messages are settled. */
  readonly settled: string
  /** The part that is being sent, or waits for a retry. */
  readonly current:
    | { readonly message: string; readonly part: number; readonly tries: number; readonly at: number }
    | undefined
  readonly isSending: boolean
  readonly claim: Claim | undefined
  /** Keyed by `<message>.<part>`. */
  readonly parts: ReadonlyMap<string, DeliveredPart>
}

export const partKey = (message: string, part: number): string => `${message}.${part}`

const EMPTY: DeliveryState = {
  end: NO_EVENTS,
  settled: '',
  current: undefined,
  isSending: false,
  claim: undefined,
  parts: new Map(),
}

const withPart = (state: DeliveryState, { data }: StoredEvent, part: Partial<DeliveredPart>): DeliveryState => {
  const key = partKey(textOf(data.message), Number(data.part))
  const before = state.parts.get(key) ?? { status: 'sending', id: '', code: '', time: 0 }
  return { ...state, parts: new Map(state.parts).set(key, { ...before, ...part }) }
}

const ended = (state: DeliveryState): DeliveryState => ({ ...state, current: undefined, isSending: false })

const evolve = (state: DeliveryState, event: StoredEvent): DeliveryState => {
  const { type, data } = event
  const time = Date.parse(event.time)
  const of = { message: textOf(data.message), part: Number(data.part) }
  switch (type) {
    case 'DeliveryStarted': {
      const isSame = state.current?.message === of.message && state.current.part === of.part
      const current = { ...of, tries: (isSame ? (state.current?.tries ?? 0) : 0) + 1, at: 0 }
      const started = { ...state, current, isSending: true, claim: data.claim as Claim | undefined }
      return withPart(started, event, { status: 'sending', time })
    }
    case 'DeliverySent': {
      const before = state.parts.get(partKey(of.message, of.part))
      const status = before !== undefined && isHigher(before.status, 'sent') ? before.status : 'sent'
      return withPart(ended(state), event, { status, id: textOf(data.id), time })
    }
    case 'DeliveryDelayed':
      return withPart(
        { ...state, isSending: false, current: { ...of, tries: Number(data.tries), at: Number(data.at) } },
        event,
        { status: 'waiting', code: textOf(data.code), time },
      )
    case 'DeliveryFailed': {
      const before = state.parts.get(partKey(of.message, of.part))
      const status = data.code === 'unknown' ? 'unknown' : 'failed'
      const isKept = before !== undefined && isHigher(before.status, status)
      return withPart(ended(state), event, isKept ? {} : { status, code: textOf(data.code), time })
    }
    case 'DeliverySettled':
      return { ...ended(state), settled: textOf(data.position) }
    case 'DeliveryReceipt': {
      const before = state.parts.get(partKey(of.message, of.part))
      const status = textOf(data.status) as DeliveryStatus
      const price = data.price === undefined ? {} : { isPriced: true }
      if (before !== undefined && !isHigher(status, before.status)) return withPart(state, event, price)
      return withPart(state, event, { status, code: textOf(data.code), time: Number(data.time), ...price })
    }
    default:
      return state
  }
}

export const deliveryDrafts = (conversation: string, facts: readonly DeliveryFact[]) =>
  exclusiveDrafts(deliveryStream(conversation), facts)

/** Delivery states by stream. */
export const openDeliveryStates = (store: EventStore): StreamAggregate<DeliveryState, Draft> =>
  streamAggregate(store, { initial: EMPTY, fold: evolve, limit: MAX_CACHED })

/** Status of a whole message: its worst part, else the status that all its parts reached. */
export const messageStatus = ({ parts }: DeliveryState, message: string): Omit<DeliveredPart, 'id'> | undefined => {
  const of = [...parts].flatMap(([key, part]) => (key.startsWith(`${message}.`) ? [part] : []))
  const failed = of.find(({ status }) => status === 'failed') ?? of.find(({ status }) => status === 'unknown')
  if (failed !== undefined) return { status: failed.status, code: failed.code, time: failed.time }
  const [first, ...others] = of
  if (first === undefined) return undefined
  const lowest = others.reduce((least, part) => (isHigher(least.status, part.status) ? part : least), first)
  return { status: lowest.status, code: lowest.code, time: lowest.time }
}

/** Delivery status of a message at a provider; `code`: reason of a failure. `time`: ISO 8601 UTC. */
interface MessageDelivery {
  readonly status: string
  readonly code: string
  readonly time: string
}

/** Delivery status of a conversation's messages by their id; empty for channels that are not pushed to a provider. */
export const deliveriesOf = async (
  exchange: (() => Promise<{ state(conversation: string): Promise<DeliveryState> }>) | undefined,
  conversation: { readonly id: string; readonly channeltype: string },
): Promise<(message: unknown) => { readonly delivery?: MessageDelivery }> => {
  if (exchange === undefined || !isBrought(conversation.channeltype)) return () => ({})
  const state = await (await exchange()).state(conversation.id)
  return message => {
    const found = messageStatus(state, String(message))
    return found === undefined ? {} : { delivery: { ...found, time: new Date(found.time).toISOString() } }
  }
}

/** A message of the bot to send; `destination` is set when it is not for the person of the conversation. */
export interface Item {
  readonly message: ChatMessage
  readonly destination?: string
}

/** The message with the name of its agent, bold in Markdown, before its text, for channels that show no names. */
const withName = (message: ChatMessage): ChatMessage =>
  message.named === true && typeof message.name === 'string'
    ? { ...message, text: `**${message.name}:**\n${String(message.text ?? '')}` }
    : message

/** Unsettled messages in order. `isBrought`: includes those of the conversation itself, not only those elsewhere. */
const itemsOf = (held: FoldedConversation, settled: string, isBrought: boolean): readonly Item[] => {
  // A message of a campaign was sent by its run.
  const own: readonly Item[] = isBrought
    ? held.messages
        .filter(({ from, source }) => from !== 'user' && source === undefined)
        .map(message => ({ message: withName(message) }))
    : []
  return [...own, ...held.elsewhere]
    .filter(({ message }) => message.position > settled)
    .sort((one, other) => (one.message.position < other.message.position ? -1 : 1))
}

/** Whether a REST channel has a callback; without one it gets its messages only in responses. */
export const hasCallback = async (channels: Pick<Channels, 'get'>, channel: string): Promise<boolean> =>
  field((await channels.get(channel))?.fields ?? {}, 'callback_url') !== ''

/** Messages left to send. */
export const itemsFor = async (
  channels: Pick<Channels, 'get'>,
  held: FoldedConversation,
  settled: string,
): Promise<readonly Item[]> => {
  const isBrought =
    isPushed(held.channelType) || (held.channelType === 'rest' && (await hasCallback(channels, held.channel)))
  return itemsOf(held, settled, isBrought)
}

/** Label of the button that opens a list. */
const LIST_BUTTON: Readonly<Record<string, string>> = { en: 'Options', pt: 'Opções', es: 'Opciones' }

/** Channel settings for fitting a message. */
export const fittingOf = ({ id, locale }: FoldedConversation, { fields }: ProviderChannel) => ({
  conversation: id,
  prefix: typeof fields.message_prefix === 'string' ? fields.message_prefix : '',
  listButton: LIST_BUTTON[locale] ?? 'Opções',
})

/** Whether the person wrote after a message. */
export const hasSpokenAfter = ({ messages }: FoldedConversation, { position }: ChatMessage): boolean =>
  messages.some(message => message.from === 'user' && message.position > position)

const CALLBACK = /^([\w-]{1,60})\.([\w-]{1,60})\.(\d{1,4})$/u

/** The message part of a receipt, if the provider returns the callback text of the send. */
export const ofCallback = (callback: string | undefined): SentPart | undefined => {
  const [, conversation, message, part] = CALLBACK.exec(callback ?? '') ?? []
  return conversation === undefined || message === undefined ? undefined : { conversation, message, part: Number(part) }
}

const HOUR_MS = 3_600_000

interface OpenReceiver {
  readonly ok: true
  readonly channel: ProviderChannel
  readonly adapter: ChannelAdapter
  readonly to: Recipient
}

/** Receiver of a message; else the reason it is not sent, such as a missing or disabled channel, or a closed window. */
type Receiver =
  | OpenReceiver
  | { readonly ok: false; readonly code: 'channel' | 'disabled' | 'forgotten' }
  /** Only a template may be sent. */
  | { readonly ok: false; readonly code: 'window'; readonly outside: OpenReceiver }

interface ReceiverParts {
  readonly channels: Channels
  readonly channelsOf: (
    bot: string,
  ) => Promise<readonly { readonly id: string; readonly type: string; readonly name: string }[]>
  readonly personOf: (channel: string, user: string) => Promise<string>
  readonly index: Pick<ExchangeIndex, 'lastWord'>
  readonly now: () => number
}

/** `channel:address`, the channel by id, name, type or kind (whatsapp); other text: an address on the same channel. */
const DESTINATION = /^([\p{L}][\p{L}\p{N} _-]{0,80}|[0-9a-f-]{36}):(.{1,200})$/u

const addressed = async (
  { channelsOf }: ReceiverParts,
  { bot, channel }: FoldedConversation,
  destination: string,
): Promise<{ readonly channel: string; readonly address: string } | undefined> => {
  const [, named, address] = DESTINATION.exec(destination) ?? []
  if (named === undefined || address === undefined) return { channel, address: destination }
  const wanted = named.toLowerCase()
  const found = (await channelsOf(bot)).find(
    ({ id, type, name }) =>
      id === wanted || type === wanted || name.toLowerCase() === wanted || type.startsWith(`${wanted}_`),
  )
  return found === undefined ? undefined : { channel: found.id, address: address.trim() }
}

/** The provider's id of a person with this address. On WhatsApp it is the number alone. */
export const userIdOf = (type: string, address: string): string =>
  isWhatsapp(type) && /^\+?[\d\s()-]{7,25}$/u.test(address) ? address.replace(/\D/gu, '') : address

/**
 * Finds the channel and the person of a message, and whether it may be sent now (C-9.08, D-4.01). `isOfAgent`: an agent
 * wrote it, for which some channels have more time.
 */
export const findReceiver = async (
  parts: ReceiverParts,
  held: FoldedConversation,
  destination: string | undefined,
  isOfAgent = false,
): Promise<Receiver> => {
  const { channels, index, now, personOf } = parts
  if (destination === undefined && held.user.id === '') return { ok: false, code: 'forgotten' }
  const wanted =
    destination === undefined
      ? { channel: held.channel, address: held.user.id }
      : await addressed(parts, held, destination)
  const channel = wanted === undefined ? undefined : await channels.get(wanted.channel)
  if (wanted === undefined || channel === undefined || channel.bot !== held.bot) return { ok: false, code: 'channel' }
  if (!channel.isEnabled || channel.adapter === undefined) return { ok: false, code: 'disabled' }
  const id = destination === undefined ? wanted.address : userIdOf(channel.type, wanted.address)
  const to: ProviderUser = destination === undefined ? held.user : { id }
  const found: OpenReceiver = { ok: true, channel, adapter: channel.adapter, to }
  const hours = channelType(channel.type)?.windowHours
  if (hours !== undefined) {
    const own = held.messages.findLast(({ from }) => from === 'user' && destination === undefined)
    const last = Math.max(
      own === undefined ? 0 : Date.parse(own.time),
      index.lastWord(channel.id, await personOf(channel.id, id)),
    )
    const ago = now() - last
    const most = (isOfAgent ? agentHours(channel.type, channel.fields) : undefined) ?? hours
    if (ago > most * HOUR_MS) return { ok: false, code: 'window', outside: found }
    if (ago > hours * HOUR_MS) return { ...found, to: { ...to, isLate: true } }
  }
  return found
}

export interface DeliveryFact extends StreamFact {
  readonly type: DeliveryEventType
}

/** Whether no node started, ended or delayed a part between two states: each start has its own claim. */
export const isSameWork = (one: DeliveryState, other: DeliveryState): boolean =>
  one.claim?.node === other.claim?.node &&
  one.claim?.until === other.claim?.until &&
  one.current?.tries === other.current?.tries &&
  one.isSending === other.isSending &&
  one.settled === other.settled

/** Whether exactly these events started the current send: their append was stored although it reported an error. */
export const hasBegun = ({ isSending, claim }: DeliveryState, [fact]: readonly DeliveryFact[]): boolean => {
  const begun = fact?.type === 'DeliveryStarted' ? (fact.data.claim as unknown as Claim) : undefined
  return isSending && begun !== undefined && claim?.node === begun.node && claim.until === begun.until
}

/** The template of a message, for the time outside the window. */
export const templateIn = ({ template }: ChatMessage): MessageTemplate | undefined => {
  if (!isObject(template) || typeof template.id !== 'string') return undefined
  const values = Object.entries(objectOf(template.values)).map(([name, value]) => [name, textOf(value)] as const)
  return { id: template.id, values: Object.fromEntries(values) }
}

/** A part of a message with all that its sending needs. */
export interface Sending extends Pick<Extract<Receiver, { ok: true }>, 'channel' | 'to'> {
  readonly message: ChatMessage
  readonly part: number
  readonly content: OutgoingMessage
  readonly adapter: ChannelAdapter
  readonly to: Recipient
  /** Sent in place of `content`. */
  readonly template: MessageTemplate | undefined
}
