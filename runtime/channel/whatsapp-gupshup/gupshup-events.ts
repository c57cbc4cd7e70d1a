import type { JsonObject } from '#schemas/event.ts'
import { coordinates, listOf, objectOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent } from '../channel-port.ts'

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['enqueued', 'queued'],
  ...(['sent', 'delivered', 'read', 'failed'] as const).map(state => [state, state] as const),
])

const MEDIA = new Set(['image', 'file', 'audio', 'video', 'sticker'])
const ACCOUNT = new Set(['user-event', 'template-event', 'account-event', 'billing-event', 'system-event'])

const contentOf = (type: string, held: JsonObject): ProviderContent | undefined => {
  if (MEDIA.has(type)) {
    const [ref, name, caption] = [scalarText(held.url), scalarText(held.name), scalarText(held.caption)]
    if (ref === '') return undefined
    const media = [{ ref, type: scalarText(held.contentType), ...(name === '' ? {} : { name }) }]
    // A document without a caption has its name as the caption.
    return { kind: 'media', media, ...(caption === '' || caption === name ? {} : { text: caption }) }
  }
  switch (type) {
    case 'text': {
      const said = scalarText(held.text)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'button_reply':
    case 'list_reply': {
      const value = scalarText(held.postbackText) || scalarText(held.id) || scalarText(held.title)
      return value === '' ? undefined : { kind: 'choice', value, title: scalarText(held.title) || value }
    }
    case 'quick_reply': {
      const [title, payload] = [scalarText(held.text), scalarText(held.payload)]
      return title === '' && payload === ''
        ? undefined
        : { kind: 'choice', value: payload || title, title: title || payload }
    }
    case 'location': {
      const place = coordinates(held.latitude, held.longitude)
      const about = { name: held.name, address: held.address }
      return place === undefined ? undefined : { kind: 'location', data: withoutEmpty({ ...place, ...about }) }
    }
    case 'contact':
      return listOf(held.contacts).length === 0 ? undefined : { kind: 'contacts', data: listOf(held.contacts) }
    case 'order':
      return { kind: 'order', data: held }
    default:
      return undefined
  }
}

const messageEvent = (body: JsonObject, payload: JsonObject): ProviderEvent => {
  const [type, id, held] = [scalarText(payload.type), scalarText(payload.id), objectOf(payload.payload)]
  const sender = objectOf(payload.sender)
  const from = scalarText(payload.source) || scalarText(sender.phone)
  const content = contentOf(type, held)
  if (content === undefined || id === '' || from === '')
    return { kind: 'unknown', type: type || 'message', to: scalarText(body.app) }
  const name = scalarText(sender.name)
  const context = objectOf(payload.context)
  const replyTo = scalarText(context.gsId) || scalarText(context.id)
  const value = type === 'quick_reply' && content.kind === 'choice' ? content.value : ''
  return {
    kind: 'message',
    id,
    from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
    to: scalarText(body.app),
    time: timeOf(body.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(value === '' ? {} : { payload: value }),
  }
}

/** Identifies the message by the id in Gupshup's response: `gsId`, but `id` before WhatsApp accepted the message. */
const receiptEvent = (body: JsonObject, payload: JsonObject): ProviderEvent => {
  const [type, held] = [scalarText(payload.type), objectOf(payload.payload)]
  const state = STATES.get(type)
  const id = scalarText(payload.gsId) || scalarText(payload.id)
  const to = scalarText(body.app)
  if (state === undefined || id === '') return { kind: 'unknown', type: `status.${type}`, to }
  const code = state === 'failed' ? scalarText(held.code) || scalarText(held.reason) : ''
  return { kind: 'receipt', id, to, state, time: timeOf(held.ts ?? body.timestamp), ...(code === '' ? {} : { code }) }
}

/** Events of a request in Gupshup's own format (version 2). */
export const gupshupEvents = (body: JsonObject): readonly ProviderEvent[] => {
  const [type, payload] = [scalarText(body.type), objectOf(body.payload)]
  if (type === 'message') return [messageEvent(body, payload)]
  if (type === 'message-event') return [receiptEvent(body, payload)]
  if (ACCOUNT.has(type))
    return [{ kind: 'account', name: `${type}.${scalarText(payload.type)}`, data: payload, to: scalarText(body.app) }]
  return [{ kind: 'unknown', type: type || 'event', to: scalarText(body.app) }]
}
