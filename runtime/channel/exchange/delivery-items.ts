import { channelType, isPushed, isWhatsapp } from '#schemas/channel-type.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '../../port.ts'
import type { ChannelAdapter, ProviderUser } from '../channel-port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { field } from '../shared/json-reader.ts'
import type { ExchangeIndex, SentPart } from './exchange-index.ts'

/** A message of the bot to send; `destination` is set when it is not for the person of the conversation. */
export interface Item {
  readonly message: ChatMessage
  readonly destination?: string
}

/** Unsettled messages in order. `isBrought`: includes those of the conversation itself, not only those elsewhere. */
const itemsOf = (held: FoldedConversation, settled: string, isBrought: boolean): readonly Item[] => {
  // A message of a campaign was sent by its run.
  const own: readonly Item[] = isBrought
    ? held.messages.filter(({ from, source }) => from !== 'user' && source === undefined).map(message => ({ message }))
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

/** Receiver of a message; else the reason it is not sent, such as a missing or disabled channel, or a closed window. */
export type Receiver =
  | {
      readonly ok: true
      readonly channel: ProviderChannel
      readonly adapter: ChannelAdapter
      readonly to: ProviderUser
    }
  | { readonly ok: false; readonly code: 'channel' | 'disabled' | 'window' | 'forgotten' }

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

/** On WhatsApp the id of a person is the number alone. */
const userIdOf = (type: string, address: string): string =>
  isWhatsapp(type) && /^\+?[\d\s()-]{7,25}$/u.test(address) ? address.replace(/\D/gu, '') : address

/** Finds the channel and the person of a message (RUNTIME 36), and whether it may be sent now (C-9.08, D-4.01). */
export const findReceiver = async (
  parts: ReceiverParts,
  held: FoldedConversation,
  destination: string | undefined,
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
  const hours = channelType(channel.type)?.windowHours
  if (hours !== undefined) {
    const own = held.messages.findLast(({ from }) => from === 'user' && destination === undefined)
    const last = Math.max(
      own === undefined ? 0 : Date.parse(own.time),
      index.lastWord(channel.id, await personOf(channel.id, id)),
    )
    if (now() - last > hours * HOUR_MS) return { ok: false, code: 'window' }
  }
  const to: ProviderUser = destination === undefined ? held.user : { id }
  return { ok: true, channel, adapter: channel.adapter, to }
}
