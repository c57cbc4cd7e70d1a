import type { JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent } from '../channel-port.ts'

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

/** States by the group of a report's status. */
const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['PENDING', 'sent'],
  ['DELIVERED', 'delivered'],
  ...['UNDELIVERABLE', 'EXPIRED', 'REJECTED'].map(name => [name, 'failed'] as const),
])

const MEDIA = new Set(['IMAGE', 'VIDEO', 'AUDIO', 'VOICE', 'DOCUMENT', 'STICKER'])

const choice = (value: string, title: string): ProviderContent | undefined =>
  value === '' && title === '' ? undefined : { kind: 'choice', value: value || title, title: title || value }

const contentOf = (message: JsonObject): ProviderContent | undefined => {
  const [type, url] = [scalarText(message.type), scalarText(message.url)]
  if (MEDIA.has(type)) {
    const caption = scalarText(message.caption)
    const media = [{ ref: url, type: scalarText(message.contentType) }]
    return url === '' ? undefined : { kind: 'media', media, ...(caption === '' ? {} : { text: caption }) }
  }
  switch (type) {
    case 'TEXT': {
      const said = scalarText(message.text)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'BUTTON':
    case 'BUTTON_REPLY':
      return choice(scalarText(message.payload), scalarText(message.text))
    case 'INTERACTIVE_BUTTON_REPLY':
    case 'INTERACTIVE_LIST_REPLY':
      return choice(scalarText(message.id), scalarText(message.title))
    case 'LOCATION': {
      const place = coordinates(message.latitude, message.longitude)
      const about = { name: message.name, address: message.address, url: message.url }
      return place === undefined ? undefined : { kind: 'location', data: withoutEmpty({ ...place, ...about }) }
    }
    case 'CONTACT':
      return listOf(message.contacts).length === 0 ? undefined : { kind: 'contacts', data: listOf(message.contacts) }
    case 'ORDER':
      return { kind: 'order', data: message }
    default:
      return undefined
  }
}

const receiptOf = (result: JsonObject): ProviderEvent => {
  const id = scalarText(result.messageId)
  const callback = scalarText(result.callbackData)
  // A report has the person in `to` and names no sender: the message id tells whose it is.
  const told = { to: '', ...(callback === '' ? {} : { callback }) }
  if (result.seenAt !== undefined) return { kind: 'receipt', id, state: 'read', time: timeOf(result.seenAt), ...told }
  const status = objectOf(result.status)
  const state = STATES.get(scalarText(status.groupName))
  if (state === undefined || id === '')
    return { kind: 'unknown', type: `status.${scalarText(status.groupName)}`, to: '' }
  const error = objectOf(result.error)
  const code = state === 'failed' ? scalarText(error.name) || scalarText(status.name) : ''
  const time = timeOf(result.doneAt ?? result.sentAt)
  return { kind: 'receipt', id, state, time, ...(code === '' ? {} : { code }), ...told }
}

const messageOf = (result: JsonObject, message: JsonObject, part: number): ProviderEvent => {
  const [content, from] = [contentOf(message), scalarText(result.from) || scalarText(result.sender)]
  const id = scalarText(result.messageId)
  const to = scalarText(result.to) || scalarText(result.destination)
  if (content === undefined || from === '' || id === '')
    return { kind: 'unknown', type: scalarText(message.type) || 'message', to }
  const name = scalarText(objectOf(result.contact).name)
  const replyTo = scalarText(objectOf(message.context).id)
  const payload = scalarText(message.payload) || scalarText(objectOf(message.referral).sourceId)
  return {
    kind: 'message',
    id: part === 0 ? id : `${id}.${part}`,
    from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
    to,
    time: timeOf(result.receivedAt),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(payload === '' ? {} : { payload }),
  }
}

/** Events of Infobip's results: messages of both of its APIs, and reports. */
export const infobipEvents = (body: JsonObject): readonly ProviderEvent[] =>
  objectsOf(body.results).flatMap(result => {
    if (result.status !== undefined || result.seenAt !== undefined) return [receiptOf(result)]
    const parts = Array.isArray(result.content) ? objectsOf(result.content) : [objectOf(result.message)]
    return parts.map((part, at) => messageOf(result, part, at))
  })
