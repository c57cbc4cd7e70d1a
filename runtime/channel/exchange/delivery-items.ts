import { isPushed } from '#schemas/channel-type.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '../../port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { field } from '../shared/member.ts'
import type { SentPart } from './exchange-index.ts'

/** A message of the bot that is to be sent, to another address than the person's where there is one. */
export interface Item {
  readonly message: ChatMessage
  readonly destination?: string
}

/** What is not settled yet, in the order in which it was said. `isBrought`: its own messages go out too, beside those elsewhere. */
const itemsOf = (held: FoldedConversation, settled: string, isBrought: boolean): readonly Item[] => {
  const own: readonly Item[] = isBrought
    ? held.messages.filter(({ from }) => from !== 'user').map(message => ({ message }))
    : []
  return [...own, ...held.elsewhere]
    .filter(({ message }) => message.position > settled)
    .sort((one, other) => (one.message.position < other.message.position ? -1 : 1))
}

/** What is left to send. A REST channel without a callback is told in answers alone. */
export const itemsFor = async (
  channels: Pick<Channels, 'get'>,
  held: FoldedConversation,
  settled: string,
): Promise<readonly Item[]> => {
  const isCalled = async () => field((await channels.get(held.channel))?.fields ?? {}, 'callback_url') !== ''
  const isBrought = isPushed(held.channelType) || (held.channelType === 'rest' && (await isCalled()))
  return itemsOf(held, settled, isBrought)
}

/** Words of the button that opens a list. */
const LIST_BUTTON: Readonly<Record<string, string>> = { en: 'Options', pt: 'Opções', es: 'Opciones' }

/** What a message is fitted to a channel with. */
export const fittingOf = ({ locale }: FoldedConversation, { fields }: ProviderChannel) => ({
  prefix: typeof fields.message_prefix === 'string' ? fields.message_prefix : '',
  listButton: LIST_BUTTON[locale] ?? 'Opções',
})

/** Whether the person wrote after a message. */
export const hasSpokenAfter = ({ messages }: FoldedConversation, { position }: ChatMessage): boolean =>
  messages.some(message => message.from === 'user' && message.position > position)

const CALLBACK = /^([\w-]{1,60})\.([\w-]{1,60})\.(\d{1,4})$/u

/** The part that a receipt is of, where the provider tells again what it was given. */
export const ofCallback = (callback: string | undefined): SentPart | undefined => {
  const [, conversation, message, part] = CALLBACK.exec(callback ?? '') ?? []
  return conversation === undefined || message === undefined ? undefined : { conversation, message, part: Number(part) }
}
