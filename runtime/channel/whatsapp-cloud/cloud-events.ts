import type { Json, JsonObject } from '#schemas/event.ts'
import type { ProviderContent, ProviderEvent, ProviderUser } from '../channel-port.ts'
import { coordinates, filled, group, groups, list, moment, text } from '../shared/json-reader.ts'

const MEDIA = new Set(['image', 'video', 'audio', 'document', 'sticker'])

const choice = (value: string, title: string): ProviderContent | undefined =>
  value === '' && title === '' ? undefined : { kind: 'choice', value: value || title, title: title || value }

/** Answers of a WhatsApp form: JSON within a text. */
const formAnswers = (written: Json | undefined): JsonObject => {
  try {
    return group(JSON.parse(text(written)) as Json)
  } catch {
    return {}
  }
}

const interactive = (held: JsonObject): ProviderContent | undefined => {
  const pressed = group(held.button_reply ?? held.list_reply)
  if (held.nfm_reply !== undefined) {
    return { kind: 'order', data: { form: formAnswers(group(held.nfm_reply).response_json) } }
  }
  return choice(text(pressed.id), text(pressed.title))
}

const mediaContent = (file: JsonObject): ProviderContent | undefined => {
  const ref = text(file.id) || text(file.url) || text(file.link)
  if (ref === '') return undefined
  const [name, caption] = [text(file.filename), text(file.caption)]
  return {
    kind: 'media',
    media: [{ ref, type: text(file.mime_type), ...(name === '' ? {} : { name }) }],
    ...(caption === '' ? {} : { text: caption }),
  }
}

const placeContent = (place: JsonObject): ProviderContent | undefined => {
  const at = coordinates(place.latitude, place.longitude)
  return at === undefined
    ? undefined
    : { kind: 'location', data: filled({ ...at, name: place.name, address: place.address, url: place.url }) }
}

/** Content of a Cloud API message; undefined for unknown types. */
const readContent = (message: JsonObject): ProviderContent | undefined => {
  const type = text(message.type)
  if (MEDIA.has(type)) return mediaContent(group(message[type]))
  switch (type) {
    case 'text': {
      const said = text(group(message.text).body)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'button':
      return choice(text(group(message.button).payload), text(group(message.button).text))
    case 'interactive':
      return interactive(group(message.interactive))
    case 'location':
      return placeContent(group(message.location))
    case 'contacts':
      return list(message.contacts).length === 0 ? undefined : { kind: 'contacts', data: list(message.contacts) }
    case 'order':
      return { kind: 'order', data: group(message.order) }
    default:
      return undefined
  }
}

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'played', 'failed'])
const isState = (state: string): state is Receipt['state'] => STATES.has(state)

/** The sender of a message: since 2026 a business-scoped id may replace the number. */
const userOf = (message: JsonObject, value: JsonObject): ProviderUser => {
  const number = text(message.from)
  const scoped = text(message.from_user_id)
  const contacts = groups(value.contacts)
  const contact =
    contacts.find(
      each => (number !== '' && text(each.wa_id) === number) || (scoped !== '' && each.user_id === scoped),
    ) ?? (contacts.length === 1 ? contacts[0] : undefined)
  const bsuid = scoped || text(contact?.user_id)
  const name = text(group(contact?.profile).name)
  const data = filled({ phone: number || text(contact?.wa_id), bsuid, parent: contact?.parent_user_id })
  return {
    id: number || text(contact?.wa_id) || bsuid,
    ...(name === '' ? {} : { name }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  }
}

/** Payload of an advertisement, a shared link or a template's button, which may be mapped to a channel payload. */
const payloadOf = (message: JsonObject): string => {
  const referral = group(message.referral)
  return text(group(message.button).payload) || text(referral.ref) || text(referral.source_id)
}

const ABOUT = { reaction: 'message_id', edit: 'original_message_id', revoke: 'original_message_id' } as const
const KINDS = { reaction: 'reaction', edit: 'edit', revoke: 'deletion' } as const

/** Number and business account of a change. */
type Address = Pick<ProviderEvent, 'to' | 'waba' | 'display'>

const addressOf = ({ metadata }: JsonObject, waba: string): Address => {
  const { phone_number_id: to, display_phone_number: display } = group(metadata)
  return {
    to: text(to),
    ...(text(display) === '' ? {} : { display: text(display) }),
    ...(waba === '' ? {} : { waba }),
  }
}

const messageEvent = (message: JsonObject, value: JsonObject, address: Address): ProviderEvent => {
  const [type, id, from] = [text(message.type), text(message.id), userOf(message, value)]
  if (type === 'reaction' || type === 'edit' || type === 'revoke') {
    const of = text(group(message[type])[ABOUT[type]])
    return { ...address, kind: KINDS[type], id, from, ...(of === '' ? {} : { of }) }
  }
  if (type === 'system') return { ...address, kind: 'account', name: 'system', data: group(message.system) }
  const payload = payloadOf(message)
  const content = readContent(message) ?? (payload === '' ? undefined : { kind: 'opening' as const })
  const replyTo = text(group(message.context).id)
  if (content === undefined || id === '' || from.id === '') {
    const by = { ...(from.id === '' ? {} : { from }), ...(replyTo === '' ? {} : { replyTo }) }
    return { ...address, kind: 'unknown', type: type || 'message', ...by }
  }
  return {
    ...address,
    kind: 'message',
    id,
    from,
    time: moment(message.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(payload === '' ? {} : { payload }),
  }
}

const receiptEvent = (status: JsonObject, address: Address): ProviderEvent => {
  // Gupshup identifies the message by the id in its own response.
  const [state, id] = [text(status.status), text(status.gs_id) || text(status.id)]
  if (!isState(state) || id === '') return { ...address, kind: 'unknown', type: `status.${state}` }
  const code = text(groups(status.errors)[0]?.code)
  const callback = text(status.biz_opaque_callback_data)
  const [recipient, scoped] = [text(status.recipient_id), text(status.recipient_user_id)]
  return {
    ...address,
    kind: 'receipt',
    id,
    state,
    time: moment(status.timestamp),
    ...(code === '' ? {} : { code }),
    ...(callback === '' ? {} : { callback }),
    ...(/^\d{5,20}$/u.test(recipient) ? { recipient } : {}),
    ...(scoped === '' ? {} : { scoped }),
  }
}

/** Events of a change's value, or of a body in the older flat format. */
const valueEvents = (value: JsonObject, waba: string): readonly ProviderEvent[] => {
  const address = addressOf(value, waba)
  return [
    ...groups(value.messages).map(message => messageEvent(message, value, address)),
    ...groups(value.statuses).map(status => receiptEvent(status, address)),
    ...groups(value.message_echoes).map(({ id }): ProviderEvent => ({ ...address, kind: 'echo', id: text(id) })),
  ]
}

/** Changes about the account, a number or a template. */
const ABOUT_ACCOUNT =
  /^(?:account_|message_template_|template_|phone_number_|business_|user_preferences$|security$|group_)/u

const changeEvents = (change: JsonObject, entry: JsonObject): readonly ProviderEvent[] => {
  const [name, value, waba] = [text(change.field), group(change.value), text(entry.id)]
  const address = addressOf(value, waba)
  if (ABOUT_ACCOUNT.test(name)) {
    const time = moment(entry.time)
    const news = { name, data: value, ...(time === 0 ? {} : { time }) }
    return [{ ...address, to: address.to || waba, kind: 'account', ...news }]
  }
  const events = valueEvents(value, waba)
  return events.length === 0 ? [{ ...address, kind: 'unknown', type: name || 'change' }] : events
}

/** Events of a Cloud API body: of several numbers, or of the single number of the older format. */
export const cloudEvents = (body: JsonObject): readonly ProviderEvent[] =>
  Array.isArray(body.entry)
    ? groups(body.entry).flatMap(entry => groups(entry.changes).flatMap(change => changeEvents(change, entry)))
    : valueEvents(body, '')

/** Whether a body has the Cloud API's format or its older one. */
export const isCloudBody = (body: JsonObject): boolean =>
  ['entry', 'messages', 'statuses'].some(name => Array.isArray(body[name]))
