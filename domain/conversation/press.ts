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
    unnumbered,
  }: Pick<ConversationState, 'frames'> & Partial<Pick<ConversationState, 'buttons' | 'heard' | 'unnumbered'>>,
  input: TurnInput,
  newestOnly: boolean,
): boolean => {
  if (input.kind !== 'choice' && input.kind !== 'order' && input.kind !== 'submit') return false
  const { message, question: own } = input
  if (message === undefined) return false
  const isUnnumbered = unnumbered !== undefined && message > unnumbered.from && message <= unnumbered.to
  const question = own ?? (isUnnumbered ? unnumbered.question : undefined)
  if (question !== undefined && question !== frames.at(-1)?.wait?.question) return true
  return newestOnly && (message < buttons || (question === undefined && message <= heard))
}

/**
 * Numbers the question that waits, if it was asked before questions had numbers: a second press on one of its buttons is
 * then known to come too late.
 */
export const withNumberedQuestion = (state: ConversationState): ConversationState => {
  const { frames, heard = 0, messages } = state
  const frame = frames.at(-1)
  if (frame?.wait === undefined || frame.wait.question !== undefined) return state
  // Numbers of later questions are greater: each is the number of its first message.
  const wait = { ...frame.wait, question: messages }
  return {
    ...state,
    frames: [...frames.slice(0, -1), { ...frame, wait }],
    unnumbered: { from: heard, to: messages, question: messages },
  }
}
