import type { JsonObject } from '#schemas/event.ts'
import type { ProviderContent, ProviderEvent } from '../channel-port.ts'
import { coordinates, filled, group, groups, list, moment, text } from '../shared/json-reader.ts'

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['ACCEPTED', 'queued'],
  ['SENT', 'sent'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['CLICKED', 'read'],
  ['REJECTED', 'failed'],
  ['NOT_DELIVERED', 'failed'],
])

const contentOf = (content: JsonObject): ProviderContent | undefined => {
  switch (text(content.type)) {
    case 'text': {
      const [said, payload] = [text(content.text), text(content.payload)]
      if (payload !== '') return { kind: 'choice', value: payload, title: said || payload }
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'file': {
      const [ref, name, caption] = [text(content.fileUrl), text(content.fileName), text(content.fileCaption)]
      if (ref === '') return undefined
      const media = [{ ref, type: text(content.fileMimeType), ...(name === '' ? {} : { name }) }]
      return { kind: 'media', media, ...(caption === '' ? {} : { text: caption }) }
    }
    case 'location': {
      const place = coordinates(content.latitude, content.longitude)
      const about = { name: content.name, address: content.address, url: content.url }
      return place === undefined ? undefined : { kind: 'location', data: filled({ ...place, ...about }) }
    }
    case 'contacts':
      return list(content.contacts).length === 0 ? undefined : { kind: 'contacts', data: list(content.contacts) }
    case 'order':
      return { kind: 'order', data: content }
    default:
      return undefined
  }
}

/** One event per content: a message may have several. */
const messageEvents = (body: JsonObject, message: JsonObject): readonly ProviderEvent[] => {
  const id = text(message.id) || text(body.messageId) || text(body.id)
  const [from, to] = [text(message.from), text(message.to)]
  if (text(message.direction) === 'OUT' || text(body.direction) === 'OUT') return [{ kind: 'echo', id, to: from }]
  const name = text(group(message.visitor).name)
  const referral = group(message.referral)
  const payload = text(referral.sourceId) || text(referral.source_id)
  return groups(message.contents).map((held, at): ProviderEvent => {
    const content = contentOf(held)
    if (content === undefined || from === '' || id === '')
      return { kind: 'unknown', type: text(held.type) || 'message', to }
    return {
      kind: 'message',
      id: at === 0 ? id : `${id}.${at}`,
      from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
      to,
      time: moment(body.timestamp),
      content,
      ...(payload === '' ? {} : { payload }),
    }
  })
}

const receiptEvent = (body: JsonObject): ProviderEvent => {
  const [status, id] = [group(body.messageStatus), text(body.messageId)]
  const state = STATES.get(text(status.code))
  if (state === undefined || id === '') return { kind: 'unknown', type: `status.${text(status.code)}`, to: '' }
  const cause = groups(status.causes)[0] ?? {}
  const code = state === 'failed' ? text(cause.channelErrorCode) || text(cause.reason) || text(status.code) : ''
  const callback = text(body.externalId)
  return {
    kind: 'receipt',
    id,
    // A status names no sender: the message id tells whose it is.
    to: '',
    state,
    time: moment(status.timestamp ?? body.timestamp),
    ...(code === '' ? {} : { code }),
    ...(callback === '' ? {} : { callback }),
  }
}

/** Events of a Zenvia request. */
export const zenviaEvents = (body: JsonObject): readonly ProviderEvent[] => {
  const type = text(body.type)
  if (type === 'MESSAGE_STATUS') return [receiptEvent(body)]
  if (type !== 'MESSAGE') return [{ kind: 'unknown', type: type || 'event', to: '' }]
  // Some of Zenvia's documents put the message under the name of the status.
  const events = messageEvents(body, group(body.message ?? body.messageStatus))
  return events.length === 0 ? [{ kind: 'unknown', type: 'message', to: '' }] : events
}
