/** Value of a provider's button. It names the message, so that a press on an older one is recognized (RUNTIME 53). */
export const actionValue = (message: string, action: string): string => `${message}_${action}`

const ACTION_VALUE = /^(\d{1,9})_([\w.]{1,40})$/u

/** The message and action of a pressed button; undefined for a value of another origin. */
export const readActionValue = (value: string): { readonly of: string; readonly value: string } | undefined => {
  const [, of, action] = ACTION_VALUE.exec(value) ?? []
  return of === undefined || action === undefined ? undefined : { of, value: action }
}
