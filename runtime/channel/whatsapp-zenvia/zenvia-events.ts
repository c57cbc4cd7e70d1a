import type { JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent } from '../channel-port.ts'

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
  switch (scalarText(content.type)) {
    case 'text': {
      const [said, payload] = [scalarText(content.text), scalarText(content.payload)]
      if (payload !== '') return { kind: 'choice', value: payload, title: said || payload }
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'file': {
      const [ref, name, caption] = [
        scalarText(content.fileUrl),
        scalarText(content.fileName),
        scalarText(content.fileCaption),
      ]
      if (ref === '') return undefined
      const media = [{ ref, type: scalarText(content.fileMimeType), ...(name === '' ? {} : { name }) }]
      return { kind: 'media', media, ...(caption === '' ? {} : { text: caption }) }
    }
    case 'location': {
      const place = coordinates(content.latitude, content.longitude)
      const about = { name: content.name, address: content.address, url: content.url }
      return place === undefined ? undefined : { kind: 'location', data: withoutEmpty({ ...place, ...about }) }
    }
    case 'contacts':
      return listOf(content.contacts).length === 0 ? undefined : { kind: 'contacts', data: listOf(content.contacts) }
    case 'order':
      return { kind: 'order', data: content }
    default:
      return undefined
  }
}

/** One event per content: a message may have several. */
const messageEvents = (body: JsonObject, message: JsonObject): readonly ProviderEvent[] => {
  const id = scalarText(message.id) || scalarText(body.messageId) || scalarText(body.id)
  const [from, to] = [scalarText(message.from), scalarText(message.to)]
  if (scalarText(message.direction) === 'OUT' || scalarText(body.direction) === 'OUT')
    return [{ kind: 'echo', id, to: from }]
  const name = scalarText(objectOf(message.visitor).name)
  const referral = objectOf(message.referral)
  const payload = scalarText(referral.sourceId) || scalarText(referral.source_id)
  return objectsOf(message.contents).map((held, at): ProviderEvent => {
    const content = contentOf(held)
    if (content === undefined || from === '' || id === '')
      return { kind: 'unknown', type: scalarText(held.type) || 'message', to }
    return {
      kind: 'message',
      id: at === 0 ? id : `${id}.${at}`,
      from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
      to,
      time: timeOf(body.timestamp),
      content,
      ...(payload === '' ? {} : { payload }),
    }
  })
}

const receiptEvent = (body: JsonObject): ProviderEvent => {
  const [status, id] = [objectOf(body.messageStatus), scalarText(body.messageId)]
  const state = STATES.get(scalarText(status.code))
  if (state === undefined || id === '') return { kind: 'unknown', type: `status.${scalarText(status.code)}`, to: '' }
  const cause = objectsOf(status.causes)[0] ?? {}
  const code =
    state === 'failed' ? scalarText(cause.channelErrorCode) || scalarText(cause.reason) || scalarText(status.code) : ''
  const callback = scalarText(body.externalId)
  return {
    kind: 'receipt',
    id,
    // A status names no sender: the message id tells whose it is.
    to: '',
    state,
    time: timeOf(status.timestamp ?? body.timestamp),
    ...(code === '' ? {} : { code }),
    ...(callback === '' ? {} : { callback }),
  }
}

/** Events of a Zenvia request. */
export const zenviaEvents = (body: JsonObject): readonly ProviderEvent[] => {
  const type = scalarText(body.type)
  if (type === 'MESSAGE_STATUS') return [receiptEvent(body)]
  if (type !== 'MESSAGE') return [{ kind: 'unknown', type: type || 'event', to: '' }]
  // Some of Zenvia's documents put the message under the name of the status.
  const events = messageEvents(body, objectOf(body.message ?? body.messageStatus))
  return events.length === 0 ? [{ kind: 'unknown', type: 'message', to: '' }] : events
}
