import type { JsonObject } from '#schemas/event.ts'
import type { PersonIdentifiers } from '../audience/person-digests.ts'

/** Ids of people on WhatsApp: digits, with a prefix or a host at some providers. */
const WHATSAPP_NUMBER = /^(?:whatsapp:)?\+?(\d{7,15})(?:@wa\.gw\.msging\.net)?$/u
const BLIP_WHATSAPP = '@wa.gw.'
/** Meta's id of a person for one business. */
const SCOPED = /^[A-Z]{2}\.[\w.-]{1,128}$/u

const textAt = (object: JsonObject | undefined, name: string): string => {
  const value = object?.[name]
  return typeof value === 'string' ? value : ''
}

/** A person as the provider of a channel names them. */
interface ProviderPerson {
  /** Type of the channel, such as `whatsapp_meta`. */
  readonly type: string
  /** Id of the channel; empty: no bot has the number. */
  readonly channel: string
  readonly user: { readonly id: string; readonly data?: JsonObject }
}

/** The number and the ids of a person, as far as a provider tells. */
export const identifyPerson = ({ type, channel, user: { id, data } }: ProviderPerson): PersonIdentifiers => {
  const on = channel === '' ? {} : { on: { channel, user: id } }
  if (!type.startsWith('whatsapp') && !id.includes(BLIP_WHATSAPP)) return on
  const scoped = SCOPED.test(id) ? id : textAt(data, 'bsuid')
  const number = (text: string) => WHATSAPP_NUMBER.exec(text.replaceAll(/[\s()-]/gu, ''))?.[1]
  const phone = number(id) ?? number(textAt(data, 'phone'))
  return { ...on, ...(phone === undefined ? {} : { phone }), ...(scoped === '' ? {} : { scoped }) }
}
