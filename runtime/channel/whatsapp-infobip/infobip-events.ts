import type { JsonObject } from '#schemas/event.ts'
import type { ProviderContent, ProviderEvent } from '../channel-port.ts'
import { coordinates, filled, group, groups, list, moment, text } from '../shared/json-reader.ts'

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
  const [type, url] = [text(message.type), text(message.url)]
  if (MEDIA.has(type)) {
    const caption = text(message.caption)
    const media = [{ ref: url, type: text(message.contentType) }]
    return url === '' ? undefined : { kind: 'media', media, ...(caption === '' ? {} : { text: caption }) }
  }
  switch (type) {
    case 'TEXT': {
      const said = text(message.text)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'BUTTON':
    case 'BUTTON_REPLY':
      return choice(text(message.payload), text(message.text))
    case 'INTERACTIVE_BUTTON_REPLY':
    case 'INTERACTIVE_LIST_REPLY':
      return choice(text(message.id), text(message.title))
    case 'LOCATION': {
      const place = coordinates(message.latitude, message.longitude)
      const about = { name: message.name, address: message.address, url: message.url }
      return place === undefined ? undefined : { kind: 'location', data: filled({ ...place, ...about }) }
    }
    case 'CONTACT':
      return list(message.contacts).length === 0 ? undefined : { kind: 'contacts', data: list(message.contacts) }
    case 'ORDER':
      return { kind: 'order', data: message }
    default:
      return undefined
  }
}

const receiptOf = (result: JsonObject): ProviderEvent => {
  const id = text(result.messageId)
  const callback = text(result.callbackData)
  // A report has the person in `to` and names no sender: the message id tells whose it is.
  const told = { to: '', ...(callback === '' ? {} : { callback }) }
  if (result.seenAt !== undefined) return { kind: 'receipt', id, state: 'read', time: moment(result.seenAt), ...told }
  const status = group(result.status)
  const state = STATES.get(text(status.groupName))
  if (state === undefined || id === '') return { kind: 'unknown', type: `status.${text(status.groupName)}`, to: '' }
  const error = group(result.error)
  const code = state === 'failed' ? text(error.name) || text(status.name) : ''
  const time = moment(result.doneAt ?? result.sentAt)
  return { kind: 'receipt', id, state, time, ...(code === '' ? {} : { code }), ...told }
}

const messageOf = (result: JsonObject, message: JsonObject, part: number): ProviderEvent => {
  const [content, from] = [contentOf(message), text(result.from) || text(result.sender)]
  const id = text(result.messageId)
  const to = text(result.to) || text(result.destination)
  if (content === undefined || from === '' || id === '')
    return { kind: 'unknown', type: text(message.type) || 'message', to }
  const name = text(group(result.contact).name)
  const replyTo = text(group(message.context).id)
  const payload = text(message.payload) || text(group(message.referral).sourceId)
  return {
    kind: 'message',
    id: part === 0 ? id : `${id}.${part}`,
    from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
    to,
    time: moment(result.receivedAt),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(payload === '' ? {} : { payload }),
  }
}

/** Events of Infobip's results: messages of both of its APIs, and reports. */
export const infobipEvents = (body: JsonObject): readonly ProviderEvent[] =>
  groups(body.results).flatMap(result => {
    if (result.status !== undefined || result.seenAt !== undefined) return [receiptOf(result)]
    const parts = Array.isArray(result.content) ? groups(result.content) : [group(result.message)]
    return parts.map((part, at) => messageOf(result, part, at))
  })
