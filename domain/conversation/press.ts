import type { Json } from '#schemas/event.ts'
import type { TurnInput } from './input.ts'
import type { BotMessage } from './message.ts'
import type { ConversationState, OfferedAction } from './state.ts'

type PressedMessage = Pick<BotMessage, 'id' | 'question' | 'linked'>

const pressed = ({ id, question }: PressedMessage) => ({
  message: id,
  ...(question === undefined ? {} : { question }),
})

/** The press of a button of a message. */
export const pressOf = (message: PressedMessage, action: OfferedAction): Extract<TurnInput, { kind: 'choice' }> => ({
  kind: 'choice',
  ...pressed(message),
  action,
  ...(message.linked === undefined ? {} : { linked: message.linked }),
})

/** The data that a card or product sends; `message` is undefined where the client names none. */
export const dataOf = (kind: 'order' | 'submit', data: Json, message: PressedMessage | undefined): TurnInput => ({
  kind,
  data,
  ...(message === undefined ? {} : pressed(message)),
})

/**
 * Whether a press came too late (RUNTIME 53): its message asks another question than the one that waits. `newestOnly`:
 * also one on an older message, which the person has answered or which newer buttons follow.
 */
export const isStalePress = (
  {
    frames,
    buttons = 0,
    heard = 0,
  }: Pick<ConversationState, 'frames'> & Partial<Pick<ConversationState, 'buttons' | 'heard'>>,
  input: TurnInput,
  newestOnly: boolean,
): boolean => {
  if (input.kind !== 'choice' && input.kind !== 'order' && input.kind !== 'submit') return false
  const { message, question } = input
  if (message === undefined) return false
  if (question !== undefined && question !== frames.at(-1)?.wait?.question) return true
  return newestOnly && (message < buttons || (question === undefined && message <= heard))
}
