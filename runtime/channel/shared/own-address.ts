import { phoneVariants } from '#domain/audience/phone.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ProviderEvent } from '../channel-port.ts'
import { field } from './provider-call.ts'

const COUNTRY = '55'

/** Digits of the forms under which a phone number is written; none for a text that can be no phone number. */
const phoneForms = (text: string): readonly string[] => {
  const digits = text.replaceAll(/[\s()+.-]/gu, '')
  // A number may be written without its country.
  return /^\d{8,15}$/u.test(digits) ? [...phoneVariants(digits), ...phoneVariants(COUNTRY + digits)] : []
}

export const isPhone = (text: string): boolean => phoneForms(text).length > 0

/** Whether two names of an address are the same. */
export const isSameAddress = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** Whether two addresses are both phone numbers, and different ones. */
export const areOtherPhones = (one: string, other: string): boolean => {
  const [left, right] = [phoneForms(one), phoneForms(other)]
  const isSame = left.some(a => right.some(b => a.endsWith(b) || b.endsWith(a)))
  return left.length > 0 && right.length > 0 && !isSame
}

/** Whether an event was written to another phone number than the channel's. */
export const isForeignPhone = ({ to }: ProviderEvent, fields: JsonObject): boolean =>
  areOtherPhones(to, field(fields, 'sender_number'))
