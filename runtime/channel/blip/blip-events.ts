import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, objectOf, scalarText, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent, ProviderUser } from '../channel-port.ts'
import { readActionValue } from '../shared/message-text.ts'

const LIME = 'application/vnd.lime.'

type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

const STATES: ReadonlyMap<string, Receipt['state']> = new Map([
  ['accepted', 'queued'],
  ['dispatched', 'sent'],
  ['received', 'delivered'],
  ['consumed', 'read'],
  ['failed', 'failed'],
])

/** A node without its instance, which changes per session; in a tunnel the instance identifies the person. */
const identityOf = (node: string): string => {
  const [identity = ''] = node.split('/', 1)
  return identity.endsWith('@tunnel.msging.net') ? node : identity
}

const userOf = (message: JsonObject): ProviderUser => {
  const [node, metadata] = [scalarText(message.from), objectOf(message.metadata)]
  const name = scalarText(metadata['#wa.contact.name']) || scalarText(metadata['#messageReceived.from.name'])
  return { id: identityOf(node), ...(name === '' ? {} : { name }), data: { node } }
}

const mediaOf = (content: JsonObject): ProviderContent | undefined => {
  const [ref, name, words] = [scalarText(content.uri), scalarText(content.title), scalarText(content.text)]
  if (ref === '') return undefined
  const media = [{ ref, type: scalarText(content.type), ...(name === '' ? {} : { name }) }]
  return { kind: 'media', media, ...(words === '' ? {} : { text: words }) }
}

const wordsOf = (words: string): ProviderContent | undefined => {
  if (words === '') return undefined
  // A pressed option arrives as text: the value it was sent with.
  return readActionValue(words) === undefined
    ? { kind: 'text', text: words }
    : { kind: 'choice', value: words, title: words }
}

const placeOf = (content: JsonObject): ProviderContent | undefined => {
  const place = coordinates(content.latitude, content.longitude)
  return place === undefined ? undefined : { kind: 'location', data: withoutEmpty({ ...place, address: content.text }) }
}

/** Content of a document; undefined for types that mean nothing to a bot. */
const contentOf = (type: string, content: Json | undefined): ProviderContent | undefined => {
  const held = objectOf(content)
  switch (type) {
    case 'text/plain':
      return wordsOf(scalarText(content))
    case `${LIME}media-link+json`:
      return mediaOf(held)
    case `${LIME}location+json`:
      return placeOf(held)
    case `${LIME}web-link+json`:
      return wordsOf(scalarText(held.uri))
    case `${LIME}contact+json`:
      return { kind: 'contacts', data: held }
    case `${LIME}reply+json`:
      return contentOf(scalarText(objectOf(held.replied).type), objectOf(held.replied).value)
    case `${LIME}input+json`:
    case 'application/json':
      return { kind: 'order', data: held }
    default:
      return undefined
  }
}

/** The bot's own messages, which return when it is a router of other bots. */
const isOwn = (from: string, account: string): boolean =>
  account !== '' && from.split('@', 1)[0]?.toLowerCase() === account.toLowerCase() && from.includes('@msging.net')

const messageEvent = (message: JsonObject, account: string): ProviderEvent => {
  const [id, type, from] = [scalarText(message.id), scalarText(message.type), userOf(message)]
  const to = identityOf(scalarText(message.to))
  if (isOwn(scalarText(message.from), account)) return { kind: 'echo', id, to: from.id }
  const held = objectOf(message.content)
  if (type === `${LIME}reaction+json`) {
    const of = scalarText(objectOf(held.inReactionTo).id)
    return { kind: 'reaction', id, to, from, ...(of === '' ? {} : { of }) }
  }
  const content = contentOf(type, message.content)
  if (content === undefined || from.id === '' || id === '') return { kind: 'unknown', type: type || 'message', to }
  const replyTo = scalarText(objectOf(held.inReplyTo).id)
  return {
    kind: 'message',
    id,
    from,
    to,
    time: Number(scalarText(objectOf(message.metadata)['#envelope.storageDate'])) || 0,
    content,
    ...(replyTo === '' ? {} : { replyTo }),
  }
}

/** Identifies the message by the id it was sent with, which is the key. */
const receiptEvent = (notification: JsonObject): ProviderEvent => {
  const [id, event] = [scalarText(notification.id), scalarText(notification.event)]
  const state = STATES.get(event)
  // The id is the key of the message: it tells whose it is.
  if (state === undefined || id === '') return { kind: 'unknown', type: `notification.${event}`, to: '' }
  const code = state === 'failed' ? scalarText(objectOf(notification.reason).code) : ''
  return { kind: 'receipt', id, to: '', state, time: 0, callback: id, ...(code === '' ? {} : { code }) }
}

/** Events of a Blip envelope: a message, a notification, or a response to a command. */
export const blipEvents = (envelope: JsonObject, account: string): readonly ProviderEvent[] => {
  if (envelope.event !== undefined) return [receiptEvent(envelope)]
  if (envelope.method !== undefined)
    return [{ kind: 'unknown', type: `command.${scalarText(envelope.method)}`, to: '' }]
  return [messageEvent(envelope, account)]
}
