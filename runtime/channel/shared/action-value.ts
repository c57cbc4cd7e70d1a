/** Short name of a conversation: message numbers are only unique within one. */
const tagOf = (conversation: string): string => conversation.replace(/[^0-9a-z]/giu, '').slice(0, 8)

/** Value of a provider's button. It names the message, so that a press on an older one is recognized (RUNTIME 53). */
export const actionValue = (message: string, action: string, conversation?: string): string =>
  `${conversation === undefined ? '' : `${tagOf(conversation)}-`}${message}_${action}`

const ACTION_VALUE = /^(?:([0-9a-z]{1,8})-)?(\d{1,9})_([\w.]{1,40})$/iu

export interface PressedAction {
  readonly of: string
  readonly value: string
  /** Conversation of the message, shortened; absent where the value does not name it. */
  readonly tag?: string
}

/** The message and action of a pressed button; undefined for a value of another origin. */
export const readActionValue = (value: string): PressedAction | undefined => {
  const [, tag, of, action] = ACTION_VALUE.exec(value) ?? []
  if (of === undefined || action === undefined) return undefined
  return { of, value: action, ...(tag === undefined ? {} : { tag }) }
}

/** Whether the button may be of a message of this conversation. */
export const isOfConversation = ({ tag }: PressedAction, conversation: string): boolean =>
  tag === undefined || tag === tagOf(conversation)
