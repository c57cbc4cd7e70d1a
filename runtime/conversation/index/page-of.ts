import { isObject } from '#domain/flow/document/json.ts'
import type { Row } from '#projections/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ChatPage, SentMessage } from '../../port.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'

/** `active` from the acceptance of a message until its turn is stored. */
export const stateOf = (held: FoldedConversation): ChatPage['state'] => {
  if (held.ended !== undefined) return 'ended'
  return held.inbox.length > 0 || held.state.status === 'active' ? 'active' : held.state.status
}

export const pageOf = (held: FoldedConversation, messages: ChatPage['messages'], after: string): ChatPage => ({
  messages,
  watermark: messages.at(-1)?.position ?? after,
  state: stateOf(held),
  wait:
    ((held.state.status === 'waiting'
      ? held.messages.findLast(({ wait }) => wait !== undefined)?.wait
      : null) as JsonObject | null) ?? null,
  agent:
    held.agent === undefined
      ? null
      : { name: '', avatar: '', ...held.agent.agent, isWaiting: held.agent.connected === undefined },
})

const isFilled = (value: Json | undefined): boolean => Array.isArray(value) && value.length > 0

/** Whether a message has buttons, below it or on one of its cards. */
const hasButtons = ({ actions, cards }: ChatPage['messages'][number]): boolean =>
  isFilled(actions) || (Array.isArray(cards) && cards.some(card => isObject(card) && isFilled(card.actions)))

/** Whether a press is on a message that is not the last one with buttons (RUNTIME 53). */
export const isStale = (held: FoldedConversation, bot: Row, { type, of }: SentMessage): boolean => {
  if (type !== 'choice' || bot.disable_buttons_from_previous_messages !== true) return false
  return held.messages.findLast(message => message.from === 'bot' && hasButtons(message))?.id !== of
}
