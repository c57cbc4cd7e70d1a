import type { JsonObject } from '#schemas/event.ts'
import type { ProviderContent, ProviderEvent } from '../channel-port.ts'
import { coordinates, filled, group, list, moment, text } from '../shared/json-reader.ts'

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['enqueued', 'queued'],
  ...(['sent', 'delivered', 'read', 'failed'] as const).map(state => [state, state] as const),
])

const MEDIA = new Set(['image', 'file', 'audio', 'video', 'sticker'])
const ACCOUNT = new Set(['user-event', 'template-event', 'account-event', 'billing-event', 'system-event'])

const contentOf = (type: string, held: JsonObject): ProviderContent | undefined => {
  if (MEDIA.has(type)) {
    const [ref, name, caption] = [text(held.url), text(held.name), text(held.caption)]
    if (ref === '') return undefined
    const media = [{ ref, type: text(held.contentType), ...(name === '' ? {} : { name }) }]
    // A document without a caption has its name as the caption.
    return { kind: 'media', media, ...(caption === '' || caption === name ? {} : { text: caption }) }
  }
  switch (type) {
    case 'text': {
      const said = text(held.text)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'button_reply':
    case 'list_reply': {
      const value = text(held.postbackText) || text(held.id) || text(held.title)
      return value === '' ? undefined : { kind: 'choice', value, title: text(held.title) || value }
    }
    case 'quick_reply': {
      const [title, payload] = [text(held.text), text(held.payload)]
      return title === '' && payload === ''
        ? undefined
        : { kind: 'choice', value: payload || title, title: title || payload }
    }
    case 'location': {
      const place = coordinates(held.latitude, held.longitude)
      const about = { name: held.name, address: held.address }
      return place === undefined ? undefined : { kind: 'location', data: filled({ ...place, ...about }) }
    }
    case 'contact':
      return list(held.contacts).length === 0 ? undefined : { kind: 'contacts', data: list(held.contacts) }
    case 'order':
      return { kind: 'order', data: held }
    default:
      return undefined
  }
}

const messageEvent = (body: JsonObject, payload: JsonObject): ProviderEvent => {
  const [type, id, held] = [text(payload.type), text(payload.id), group(payload.payload)]
  const sender = group(payload.sender)
  const from = text(payload.source) || text(sender.phone)
  const content = contentOf(type, held)
  if (content === undefined || id === '' || from === '')
    return { kind: 'unknown', type: type || 'message', to: text(body.app) }
  const name = text(sender.name)
  const context = group(payload.context)
  const replyTo = text(context.gsId) || text(context.id)
  const value = type === 'quick_reply' && content.kind === 'choice' ? content.value : ''
  return {
    kind: 'message',
    id,
    from: { id: from, ...(name === '' ? {} : { name }), data: { phone: from } },
    to: text(body.app),
    time: moment(body.timestamp),
    content,
    ...(replyTo === '' ? {} : { replyTo }),
    ...(value === '' ? {} : { payload: value }),
  }
}

/** Identifies the message by the id in Gupshup's response: `gsId`, but `id` before WhatsApp accepted the message. */
const receiptEvent = (body: JsonObject, payload: JsonObject): ProviderEvent => {
  const [type, held] = [text(payload.type), group(payload.payload)]
  const state = STATES.get(type)
  const id = text(payload.gsId) || text(payload.id)
  const to = text(body.app)
  if (state === undefined || id === '') return { kind: 'unknown', type: `status.${type}`, to }
  const code = state === 'failed' ? text(held.code) || text(held.reason) : ''
  return { kind: 'receipt', id, to, state, time: moment(held.ts ?? body.timestamp), ...(code === '' ? {} : { code }) }
}

/** Events of a request in Gupshup's own format (version 2). */
export const gupshupEvents = (body: JsonObject): readonly ProviderEvent[] => {
  const [type, payload] = [text(body.type), group(body.payload)]
  if (type === 'message') return [messageEvent(body, payload)]
  if (type === 'message-event') return [receiptEvent(body, payload)]
  if (ACCOUNT.has(type))
    return [{ kind: 'account', name: `${type}.${text(payload.type)}`, data: payload, to: text(body.app) }]
  return [{ kind: 'unknown', type: type || 'event', to: text(body.app) }]
}
