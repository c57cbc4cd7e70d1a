import { isPushed } from '#schemas/channel-type.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '../../port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { field } from '../shared/json-reader.ts'
import type { SentPart } from './exchange-index.ts'

/** A message of the bot to send; `destination` is set when it is not for the person of the conversation. */
export interface Item {
  readonly message: ChatMessage
  readonly destination?: string
}

/** The message with the name of its agent before its text, for channels that show no names (D28). */
const withName = (message: ChatMessage): ChatMessage =>
  message.named === true && typeof message.name === 'string'
    ? { ...message, text: `*${message.name}:*\n${String(message.text ?? '')}` }
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
