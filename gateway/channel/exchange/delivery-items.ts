import { isPushed } from '#schemas/channel-type.ts'
import type { FoldedConversation } from '../../runtime/conversation/folded-conversation.ts'
import type { ChatMessage } from '../../runtime/port.ts'
import type { SentPart } from './exchange-index.ts'

/** A message of the bot that is to be sent, to another address than the person's where there is one. */
export interface Item {
  readonly message: ChatMessage
  readonly destination?: string
}

/** What is not settled yet, in the order in which it was said. */
export const itemsOf = (held: FoldedConversation, settled: string): readonly Item[] => {
  const own: readonly Item[] = isPushed(held.channelType)
    ? held.messages.filter(({ from }) => from !== 'user').map(message => ({ message }))
    : []
  return [...own, ...held.elsewhere]
    .filter(({ message }) => message.position > settled)
    .sort((one, other) => (one.message.position < other.message.position ? -1 : 1))
}

/** Whether the person wrote after a message. */
export const hasSpokenAfter = ({ messages }: FoldedConversation, { position }: ChatMessage): boolean =>
  messages.some(message => message.from === 'user' && message.position > position)

const CALLBACK = /^([\w-]{1,60})\.([\w-]{1,60})\.(\d{1,4})$/u

/** The part that a receipt is of, where the provider tells again what it was given. */
export const ofCallback = (callback: string | undefined): SentPart | undefined => {
  const [, conversation, message, part] = CALLBACK.exec(callback ?? '') ?? []
  return conversation === undefined || message === undefined ? undefined : { conversation, message, part: Number(part) }
}
