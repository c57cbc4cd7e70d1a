import type { JsonObject } from '#schemas/event.ts'
import type { ProviderEvent } from '../channel-port.ts'
import { field } from '../shared/json-reader.ts'

/** Digits of a text that can only be a phone number, in one of its spellings; empty for others. */
const phoneDigits = (text: string): string => {
  const digits = text.replaceAll(/[\s()+.-]/gu, '')
  if (!/^\d{8,15}$/u.test(digits)) return ''
  // Brazil with and without the ninth digit, Mexico with and without the 1, Argentina with and without the 9.
  return digits
    .replace(/^(55)?([1-9]\d)9(\d{8})$/u, '$1$2$3')
    .replace(/^521(\d{10})$/u, '52$1')
    .replace(/^549(\d{10})$/u, '54$1')
}

const folded = (text: string): string => text.trim().toLowerCase()

/** Whether two addresses are both phone numbers, and different ones. */
const areOtherPhones = (one: string, other: string): boolean => {
  const [left, right] = [phoneDigits(one), phoneDigits(other)]
  // A number may be written without its country.
  return left !== '' && right !== '' && !left.endsWith(right) && !right.endsWith(left)
}

const BLIP_HOST = '@msging.net'
const TEAMS_BOT = /^28:([0-9a-f-]{36})$/iu

/** By type: whether an address is that of another number. Only addresses of the same kind can be compared. */
const isOther: Readonly<Record<string, (fields: JsonObject, event: ProviderEvent) => boolean>> = {
  whatsapp_360dialog: (fields, { to, display = '' }) =>
    areOtherPhones(display, field(fields, 'sender_number')) || areOtherPhones(to, field(fields, 'account_id')),
  whatsapp_gupshup: (fields, { to, display = '' }) =>
    display === ''
      ? folded(to) !== folded(field(fields, 'account_id')) && phoneDigits(to) === ''
      : areOtherPhones(display, field(fields, 'sender_number')),
  whatsapp_zenvia: (fields, { to }) => {
    const own = field(fields, 'sender_number')
    return phoneDigits(to) === '' && phoneDigits(own) === '' ? folded(to) !== folded(own) : areOtherPhones(to, own)
  },
  blip: (fields, { to }) =>
    to.endsWith(BLIP_HOST) && folded(to.split('@', 1)[0] ?? '') !== folded(field(fields, 'account_id')),
  microsoft(fields, { to }) {
    const [, app] = TEAMS_BOT.exec(to) ?? []
    return app !== undefined && folded(app) !== folded(field(fields, 'channel_id'))
  },
}

const isOtherPhone = (fields: JsonObject, { to }: ProviderEvent): boolean =>
  areOtherPhones(to, field(fields, 'sender_number'))

/**
 * Whether an event that a channel's own credentials prove was written to another number than the channel's. False when
 * the provider or the channel does not name one (R3).
 */
export const isForeign = (type: string, fields: JsonObject, event: ProviderEvent): boolean =>
  event.to !== '' && (isOther[type] ?? isOtherPhone)(fields, event)
