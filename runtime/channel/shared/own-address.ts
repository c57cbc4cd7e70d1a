import type { JsonObject } from '#schemas/event.ts'
import type { ProviderEvent } from '../channel-port.ts'
import { field } from './provider-call.ts'

/** Digits of a text that can only be a phone number, in one of its spellings; empty for others. */
export const phoneDigits = (text: string): string => {
  const digits = text.replaceAll(/[\s()+.-]/gu, '')
  if (!/^\d{8,15}$/u.test(digits)) return ''
  // Brazil with and without the ninth digit, Mexico with and without the 1, Argentina with and without the 9.
  return digits
    .replace(/^(55)?([1-9]\d)9(\d{8})$/u, '$1$2$3')
    .replace(/^521(\d{10})$/u, '52$1')
    .replace(/^549(\d{10})$/u, '54$1')
}

/** Whether two names of an address are the same. */
export const isSameAddress = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** Whether two addresses are both phone numbers, and different ones. */
export const areOtherPhones = (one: string, other: string): boolean => {
  const [left, right] = [phoneDigits(one), phoneDigits(other)]
  // A number may be written without its country.
  return left !== '' && right !== '' && !left.endsWith(right) && !right.endsWith(left)
}

/** Whether an event was written to another phone number than the channel's. */
export const isForeignPhone = ({ to }: ProviderEvent, fields: JsonObject): boolean =>
  areOtherPhones(to, field(fields, 'sender_number'))
