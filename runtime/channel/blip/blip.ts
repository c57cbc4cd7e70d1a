import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, objectOf, scalarText, withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  OutgoingOption,
  ProviderAnswer,
  ProviderContent,
  ProviderEvent,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
} from '../channel-port.ts'
import { readActionValue } from '../shared/message-text.ts'
import { isSameAddress } from '../shared/own-address.ts'
import { baseUrl, byStatus, checked, field, objectBody, posting, reading, withHeader } from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { cloudTemplate } from '../whatsapp-cloud/cloud-messages.ts'

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

const BLIP_HOST = '@msging.net'
const PLAIN = 'text/plain'
const MEDIA_TYPES = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
} as const

/** Content and its type, as in LIME. */
interface BlipDocument {
  readonly type: string
  readonly content: JsonObject | string
}

const cardOption = ({ id, title, url }: OutgoingOption): JsonObject =>
  url === undefined
    ? { label: { type: PLAIN, value: title }, value: { type: PLAIN, value: id } }
    : { label: { type: `${LIME}web-link+json`, value: { title, uri: url } } }

type Card = Extract<OutgoingMessage, { kind: 'carousel' }>['cards'][number]

const cardOf = ({ title, text, image, options }: Card): JsonObject => {
  const shown = withoutEmpty({ title, text, type: image === '' ? '' : MEDIA_TYPES.image, uri: image })
  const header =
    image === ''
      ? { type: PLAIN, value: [title, text].filter(words => words !== '').join('\n') }
      : { type: `${LIME}media-link+json`, value: shown }
  return { header, options: options.map(cardOption) }
}

/** A message in Blip's format; undefined when Blip has no equivalent. */
const blipDocument = (message: OutgoingMessage): BlipDocument | undefined => {
  switch (message.kind) {
    case 'text':
      return { type: PLAIN, content: message.text }
    case 'buttons': {
      const options = message.options.map(({ id, title }, at) => ({
        order: at + 1,
        text: title,
        type: PLAIN,
        value: id,
      }))
      return { type: `${LIME}select+json`, content: { scope: 'immediate', text: message.text, options } }
    }
    case 'media': {
      const { media, url, type, name, caption } = message
      const title = media === 'document' ? name : ''
      const content = withoutEmpty({ title, text: caption, type: type || MEDIA_TYPES[media], uri: url })
      return { type: `${LIME}media-link+json`, content }
    }
    case 'location': {
      const { latitude, longitude, address } = message
      return { type: `${LIME}location+json`, content: withoutEmpty({ latitude, longitude, text: address }) }
    }
    case 'carousel': {
      const items = message.cards.map(cardOf)
      return { type: `${LIME}collection+json`, content: { itemType: `${LIME}document-select+json`, items } }
    }
    default:
      return undefined
  }
}

const USUAL_URL = 'https://http.msging.net'
const WHATSAPP_DOMAIN = '@wa.gw.msging.net'

const url = (fields: JsonObject, path: string) => `${baseUrl(fields, USUAL_URL)}/${path}`

/** The key as shown in Blip's portal (`Key …`), the part after it, or the access key from which it is made. */
const keyOf = (fields: JsonObject): string => {
  const [account, token] = [field(fields, 'account_id'), field(fields, 'auth_token')]
  if (token.startsWith('Key ')) return token
  const read = Buffer.from(token, 'base64').toString('utf8')
  return `Key ${read.startsWith(`${account}:`) ? token : Buffer.from(`${account}:${token}`).toString('base64')}`
}

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withHeader(request, 'authorization', keyOf(fields))

/** A response to a message has no body: the message is identified by the id it was sent with. */
const classify = (answer: ProviderAnswer): Outcome => {
  if (answer.status >= 200 && answer.status < 300) return { kind: 'sent', id: '' }
  return byStatus(answer, () => '', scalarText(objectOf(objectOf(answer.body).reason).code) || undefined)
}

const sending = (
  fields: JsonObject,
  key: string,
  to: string,
  document: { readonly type: string; readonly content: Json } | undefined,
): Result<ProviderRequest> =>
  posting(url(fields, 'messages'), document === undefined ? undefined : { id: key, to, ...document })

/** The node of a number on WhatsApp, which Blip's gateway knows. */
const whatsappNode = async (to: string, fields: JsonObject, values: ProviderValues): Promise<Result<string>> => {
  const body = {
    id: randomUUID(),
    to: `postmaster${WHATSAPP_DOMAIN}`,
    method: 'get',
    uri: `lime://${WHATSAPP_DOMAIN.slice(1)}/accounts/${to}`,
  }
  const asked = await values.ask(
    authorized({ method: 'POST', url: url(fields, 'commands'), headers: [], body }, fields),
  )
  if (!asked.ok) return asked
  const { status, body: answer } = asked.value
  const { reason, resource } = objectOf(answer)
  const node = scalarText(objectOf(resource).identity)
  if (status < 300 && node !== '') return accepted(node)
  const code = scalarText(objectOf(reason).code)
  const told = code === '' ? `http.${status}` : `blip.${code}`
  return refused('channel.answer', { params: { code: told, error: scalarText(objectOf(reason).description) || told } })
}

/** Blip (LIME over HTTP). It signs nothing. */
export const blip: ChannelAdapter = {
  capabilities: {
    markup: 'none',
    text: 4096,
    body: 1024,
    caption: 1024,
    buttons: { count: 11, label: 20, links: 'none', image: false },
    list: null,
    carousel: { cards: 10, buttons: 3, title: 80, text: 80 },
    media: ['image', 'audio', 'video', 'document'],
    location: true,
    askplace: false,
    native: [],
  },
  handshake: () => undefined,
  verify: verifyToken,
  parse(request, fields) {
    const body = objectBody(request, ({ from, event, method }) =>
      [from, event, method].some(each => typeof each === 'string'),
    )
    return body.ok ? accepted(blipEvents(body.value, field(fields, 'account_id'))) : body
  },
  isForeign: ({ to }, fields) =>
    to.endsWith(BLIP_HOST) && !isSameAddress(to.split('@', 1)[0] ?? '', field(fields, 'account_id')),
  render: (message, to, fields, key) => sending(fields, key, scalarText(to.data?.node) || to.id, blipDocument(message)),
  templates: {
    async render(message, to, fields, key, values) {
      const address = await whatsappNode(to, fields, values)
      if (!address.ok) return address
      const content = { type: 'template', template: cloudTemplate(message) }
      return sending(fields, key, address.value, { type: 'application/json', content })
    },
    read({ status, body }, key) {
      const code = scalarText(objectOf(objectOf(body).reason).code)
      // Its answer has no body: the message keeps the id it was sent with.
      return status < 300 && code === '' ? { id: key, code: '' } : { id: '', code: code === '' ? '' : `blip.${code}` }
    },
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify,
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const body = { id: randomUUID(), method: 'get', uri: '/account' }
    const asked = await values.ask(
      authorized({ method: 'POST', url: url(fields, 'commands'), headers: [], body }, fields),
    )
    if (asked.ok && objectOf(asked.value.body).status === 'failure') {
      const reason = objectOf(objectOf(asked.value.body).reason)
      return refused('channel.answer', {
        params: { error: scalarText(reason.description) || scalarText(reason.code) || '—' },
      })
    }
    return checked(asked, held => scalarText(objectOf(objectOf(held).resource).fullName))
  },
}
