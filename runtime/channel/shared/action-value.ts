/** Short name of a conversation: message numbers are only unique within one. */
const tagOf = (conversation: string): string => conversation.replace(/[^0-9a-z]/giu, '').slice(0, 8)

/** A message with its conversation. */
export const messageName = (message: string, conversation?: string): string =>
  conversation === undefined ? message : `${tagOf(conversation)}-${message}`

/** The message of a name as it is numbered in this conversation: '0', which none has, for one of another conversation. */
export const messageOf = (name: string, conversation: string): string => {
  const [message = '', tag] = name.split('-').toReversed()
  return tag === undefined || tag === tagOf(conversation) ? message : '0'
}

/** Value of a provider's button. It names the message, so that a press on an older one is recognized (RUNTIME 53). */
export const actionValue = (message: string, action: string, conversation?: string): string =>
  `${messageName(message, conversation)}_${action}`

const ACTION_VALUE = /^((?:[0-9a-z]{1,8}-)?\d{1,9})_([\w.]{1,40})$/iu

/** The message, by its name, and the action of a pressed button; undefined for a value of another origin. */
export const readActionValue = (value: string): { readonly of: string; readonly value: string } | undefined => {
  const [, of, action] = ACTION_VALUE.exec(value) ?? []
  return of === undefined || action === undefined ? undefined : { of, value: action }
}
