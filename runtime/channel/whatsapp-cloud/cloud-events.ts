import type { Json, JsonObject } from '#schemas/event.ts'
import type { ReceiptPricing } from '#schemas/events/campaign.ts'
import { coordinates, listOf, objectOf, objectsOf, parseJson, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent, ProviderUser } from '../channel-port.ts'

const MEDIA = new Set(['image', 'video', 'audio', 'document', 'sticker'])

const choice = (value: string, title: string): ProviderContent | undefined =>
  value === '' && title === '' ? undefined : { kind: 'choice', value: value || title, title: title || value }

/** Answers of a WhatsApp form: JSON within a text. */
const formAnswers = (written: Json | undefined): JsonObject => objectOf(parseJson(scalarText(written)))

const interactive = (held: JsonObject): ProviderContent | undefined => {
  const pressed = objectOf(held.button_reply ?? held.list_reply)
  if (held.nfm_reply !== undefined) {
    return { kind: 'order', data: { form: formAnswers(objectOf(held.nfm_reply).response_json) } }
  }
  return choice(scalarText(pressed.id), scalarText(pressed.title))
}

const mediaContent = (file: JsonObject): ProviderContent | undefined => {
  const ref = scalarText(file.id) || scalarText(file.url) || scalarText(file.link)
  if (ref === '') return undefined
  const [name, caption] = [scalarText(file.filename), scalarText(file.caption)]
  return {
    kind: 'media',
    media: [{ ref, type: scalarText(file.mime_type), ...(name === '' ? {} : { name }) }],
    ...(caption === '' ? {} : { text: caption }),
  }
}

/** A place with its name, address and link. */
export const placeContent = (place: JsonObject): ProviderContent | undefined => {
  const at = coordinates(place.latitude, place.longitude)
  return at === undefined
    ? undefined
    : { kind: 'location', data: withoutEmpty({ ...at, name: place.name, address: place.address, url: place.url }) }
}

/** Content of a Cloud API message; undefined for unknown types. */
const readContent = (message: JsonObject): ProviderContent | undefined => {
  const type = scalarText(message.type)
  if (MEDIA.has(type)) return mediaContent(objectOf(message[type]))
  switch (type) {
    case 'text': {
      const said = scalarText(objectOf(message.text).body)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'button':
      return choice(scalarText(objectOf(message.button).payload), scalarText(objectOf(message.button).text))
    case 'interactive':
      return interactive(objectOf(message.interactive))
    case 'location':
      return placeContent(objectOf(message.location))
    case 'contacts':
      return listOf(message.contacts).length === 0 ? undefined : { kind: 'contacts', data: listOf(message.contacts) }
    case 'order':
      return { kind: 'order', data: objectOf(message.order) }
    default:
      return undefined
  }
}

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'played', 'failed'])
const isState = (state: string): state is Receipt['state'] => STATES.has(state)

/** The sender of a message: since 2026 a business-scoped id may replace the number. */
const userOf = (message: JsonObject, value: JsonObject): ProviderUser => {
  const number = scalarText(message.from)
  const scoped = scalarText(message.from_user_id)
  const contacts = objectsOf(value.contacts)
  const contact =
    contacts.find(
      each => (number !== '' && scalarText(each.wa_id) === number) || (scoped !== '' && each.user_id === scoped),
    ) ?? (contacts.length === 1 ? contacts[0] : undefined)
  const bsuid = scoped || scalarText(contact?.user_id)
  const name = scalarText(objectOf(contact?.profile).name)
  const data = withoutEmpty({ phone: number || scalarText(contact?.wa_id), bsuid, parent: contact?.parent_user_id })
  return {
    id: number || scalarText(contact?.wa_id) || bsuid,
    ...(name === '' ? {} : { name }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  }
}

/** Payload of an advertisement, a shared link or a template's button, which may be mapped to a channel payload. */
const payloadOf = (message: JsonObject): string => {
  const referral = objectOf(message.referral)
  return scalarText(objectOf(message.button).payload) || scalarText(referral.ref) || scalarText(referral.source_id)
}

const ABOUT = { reaction: 'message_id', edit: 'original_message_id', revoke: 'original_message_id' } as const
const KINDS = { reaction: 'reaction', edit: 'edit', revoke: 'deletion' } as const

/** Number and business account of a change. */
type Address = Pick<ProviderEvent, 'to' | 'waba' | 'display'>

const addressOf = ({ metadata }: JsonObject, waba: string): Address => {
  const { phone_number_id: to, display_phone_number: display } = objectOf(metadata)
  return {
    to: scalarText(to),
    ...(scalarText(display) === '' ? {} : { display: scalarText(display) }),
    ...(waba === '' ? {} : { waba }),
  }
}

const messageEvent = (message: JsonObject, value: JsonObject, address: Address): ProviderEvent => {
  const [type, id, from] = [scalarText(message.type), scalarText(message.id), userOf(message, value)]
  if (type === 'reaction' || type === 'edit' || type === 'revoke') {
    const of = scalarText(objectOf(message[type])[ABOUT[type]])
    return { ...address, kind: KINDS[type], id, from, ...(of === '' ? {} : { of }) }
  }
  if (type === 'system') return { ...address, kind: 'account', name: 'system', data: objectOf(message.system) }
  const payload = payloadOf(message)
  const content = readContent(message) ?? (payload === '' ? undefined : { kind: 'opening' as const })
  const replyTo = scalarText(objectOf(message.context).id)
  if (content === undefined || id === '' || from.id === '') {
    const by = { ...(from.id === '' ? {} : { from }), ...(replyTo === '' ? {} : { replyTo }) }
    return { ...address, kind: 'unknown', type: type || 'message', ...by }
  }
  return {
    ...address,
    kind: 'message',
    id,
    from,
    time: timeOf(message.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(payload === '' ? {} : { payload }),
  }
}

/** Meta's words on the price of a message: it tells no amount. */
const pricingOf = ({ category, type, pricing_model: model, billable }: JsonObject): ReceiptPricing =>
  withoutEmpty({
    category: scalarText(category),
    type: scalarText(type) || scalarText(model),
    billable: typeof billable === 'boolean' ? billable : '',
  })

const receiptEvent = (status: JsonObject, address: Address): ProviderEvent => {
  // Gupshup identifies the message by the id in its own response.
  const [state, id] = [scalarText(status.status), scalarText(status.gs_id) || scalarText(status.id)]
  if (!isState(state) || id === '') return { ...address, kind: 'unknown', type: `status.${state}` }
  const code = scalarText(objectsOf(status.errors)[0]?.code)
  const callback = scalarText(status.biz_opaque_callback_data)
  const [recipient, scoped] = [scalarText(status.recipient_id), scalarText(status.recipient_user_id)]
  return {
    ...address,
    kind: 'receipt',
    id,
    state,
    time: timeOf(status.timestamp),
    ...(code === '' ? {} : { code }),
    ...(callback === '' ? {} : { callback }),
    ...(/^\d{5,20}$/u.test(recipient) ? { recipient } : {}),
    ...(scoped === '' ? {} : { scoped }),
    ...(status.pricing === undefined ? {} : { pricing: pricingOf(objectOf(status.pricing)) }),
  }
}

/** Events of a change's value, or of a body in the older flat format. */
const valueEvents = (value: JsonObject, waba: string): readonly ProviderEvent[] => {
  const address = addressOf(value, waba)
  return [
    ...objectsOf(value.messages).map(message => messageEvent(message, value, address)),
    ...objectsOf(value.statuses).map(status => receiptEvent(status, address)),
    ...objectsOf(value.message_echoes).map(
      ({ id }): ProviderEvent => ({ ...address, kind: 'echo', id: scalarText(id) }),
    ),
  ]
}

/** Changes about the account, a number or a template. */
const ABOUT_ACCOUNT =
  /^(?:account_|message_template_|template_|phone_number_|business_|user_preferences$|security$|group_)/u

const changeEvents = (change: JsonObject, entry: JsonObject): readonly ProviderEvent[] => {
  const [name, value, waba] = [scalarText(change.field), objectOf(change.value), scalarText(entry.id)]
  const address = addressOf(value, waba)
  if (ABOUT_ACCOUNT.test(name)) {
    const time = timeOf(entry.time)
    const news = { name, data: value, ...(time === 0 ? {} : { time }) }
    return [{ ...address, to: address.to || waba, kind: 'account', ...news }]
  }
  const events = valueEvents(value, waba)
  return events.length === 0 ? [{ ...address, kind: 'unknown', type: name || 'change' }] : events
}

/** Events of a Cloud API body: of several numbers, or of the single number of the older format. */
export const cloudEvents = (body: JsonObject): readonly ProviderEvent[] =>
  Array.isArray(body.entry)
    ? objectsOf(body.entry).flatMap(entry => objectsOf(entry.changes).flatMap(change => changeEvents(change, entry)))
    : valueEvents(body, '')

/** Whether a body has the Cloud API's format or its older one. */
export const isCloudBody = (body: JsonObject): boolean =>
  ['entry', 'messages', 'statuses'].some(name => Array.isArray(body[name]))
