import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf, scalarText, withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  OutgoingOption,
  ProviderAnswer,
  ProviderRequest,
} from '../channel-port.ts'
import { isSameAddress } from '../shared/own-address.ts'
import { baseUrl, byStatus, checked, field, objectBody, posting, reading, withHeader } from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { cloudTemplate } from '../whatsapp-cloud/cloud-messages.ts'
import { blipEvents } from './blip-events.ts'

const BLIP_HOST = '@msging.net'
const LIME = 'application/vnd.lime.'
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
  renderTemplate(template, to, fields, key) {
    // Blip addresses a number together with its network.
    const address = to.id.includes('@') ? to.id : `${to.id.replaceAll(/\D/gu, '')}${WHATSAPP_DOMAIN}`
    if (!address.endsWith(WHATSAPP_DOMAIN)) return refused('channel.message')
    const { name, language, ...rest } = cloudTemplate(template)
    const shown = { name: name ?? '', language: { policy: 'deterministic', ...objectOf(language) }, ...rest }
    return sending(fields, key, address, { type: 'application/json', content: { type: 'template', template: shown } })
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
