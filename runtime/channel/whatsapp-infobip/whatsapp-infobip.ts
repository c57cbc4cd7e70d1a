import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { ReceiptPricing } from '#schemas/events/campaign.ts'
import { listOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  ProviderAnswer,
  ProviderContent,
  ProviderEvent,
  ProviderRequest,
  ProviderUser,
} from '../channel-port.ts'
import { readProduct } from '../shared/message-text.ts'
import {
  baseUrl,
  byStatus,
  checked,
  field,
  objectBody,
  posting,
  reading,
  withBasic,
  withHeader,
} from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { placeContent } from '../whatsapp-cloud/cloud-events.ts'
import { CLOUD_CAPABILITIES } from '../whatsapp-cloud/cloud-messages.ts'
import { infobipStructure, infobipTemplate, infobipTemplates } from './infobip-templates.ts'

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
    case 'LOCATION':
      return placeContent(message)
    case 'CONTACT':
      return listOf(message.contacts).length === 0 ? undefined : { kind: 'contacts', data: listOf(message.contacts) }
    case 'ORDER':
      return { kind: 'order', data: message }
    default:
      return undefined
  }
}

const LEAST_DECIMALS = 7

/** The price of a report, as it came: a JSON number in decimals. */
const pricingOf = ({ pricePerMessage: price, currency }: JsonObject): ReceiptPricing => {
  const text = typeof price === 'number' ? String(price) : scalarText(price)
  const amount = text.includes('e') ? Number(text).toFixed(LEAST_DECIMALS) : text
  return amount === '' ? {} : { amount, currency: scalarText(currency) }
}

const receiptOf = (result: JsonObject): ProviderEvent => {
  const id = scalarText(result.messageId)
  const callback = scalarText(result.callbackData)
  // A report has the person in `to` and names no sender: the message id tells whose it is.
  const pricing = pricingOf(objectOf(result.price))
  const told = {
    to: '',
    ...(callback === '' ? {} : { callback }),
    ...(pricing.amount === undefined ? {} : { pricing }),
  }
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

/** A message for one of Infobip's endpoints. */
interface InfobipMessage {
  /** The part after `/whatsapp/1/message/`. */
  readonly path: string
  readonly content: JsonObject
}

const buttonsContent = ({ text, image, options }: Extract<OutgoingMessage, { kind: 'buttons' }>): InfobipMessage => {
  const header = image === undefined ? {} : { header: { type: 'IMAGE', mediaUrl: image } }
  const [first] = options
  if (first?.url !== undefined) {
    const action = { displayText: first.title, url: first.url }
    return { path: 'interactive/url-button', content: { body: { text }, action, ...header } }
  }
  const action = { buttons: options.map(({ id, title }) => ({ type: 'REPLY', id, title })) }
  return { path: 'interactive/buttons', content: { body: { text }, action, ...header } }
}

const productContent = ({ message }: Extract<OutgoingMessage, { kind: 'native' }>): InfobipMessage => {
  const { header, body, footer, catalog, product, sections } = readProduct(message)
  const words = { body: { text: body }, ...(footer === '' ? {} : { footer: { text: footer } }) }
  if (sections.length === 0) {
    const action = { catalogId: catalog, productRetailerId: product }
    return { path: 'interactive/product', content: { ...words, action } }
  }
  const made = sections.map(({ title, products }) => ({ title, productRetailerIds: products }))
  const action = { catalogId: catalog, sections: made }
  const above = { header: { type: 'TEXT', text: header || body.slice(0, 60) } }
  return { path: 'interactive/multi-product', content: { ...above, ...words, action } }
}

/** A message in Infobip's format; undefined when it has no equivalent. */
const infobipMessage = (message: OutgoingMessage): InfobipMessage | undefined => {
  switch (message.kind) {
    case 'text':
      return { path: 'text', content: { text: message.text, previewUrl: message.text.includes('://') } }
    case 'buttons':
      return buttonsContent(message)
    case 'list': {
      const rows = message.options.map(({ id, title, description }) => withoutEmpty({ id, title, description }))
      const action = { title: message.button, sections: [{ rows }] }
      return { path: 'interactive/list', content: { body: { text: message.text }, action } }
    }
    case 'media': {
      const { media, url, caption, name } = message
      const filename = media === 'document' ? name : ''
      return { path: media, content: withoutEmpty({ mediaUrl: url, caption, filename }) }
    }
    case 'location': {
      const { latitude, longitude, name, address } = message
      return { path: 'location', content: withoutEmpty({ latitude, longitude, name, address }) }
    }
    case 'askplace':
      return { path: 'interactive/location-request', content: { body: { text: message.text } } }
    case 'native':
      return productContent(message)
    case 'carousel':
      return undefined
    default:
      return message satisfies never
  }
}

/** Each account has its own host; this one forwards requests to it by the key. */
const USUAL_URL = 'https://api.infobip.com'
const MEDIA_HOST = /(?:^|\.)infobip\.com$/u

const url = (fields: JsonObject, path: string) => `${baseUrl(fields, USUAL_URL)}/whatsapp/1/message/${path}`

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest => {
  const key = field(fields, 'auth_token')
  return key === ''
    ? withBasic(request, field(fields, 'username'), field(fields, 'password'))
    : withHeader(request, 'authorization', `App ${key}`)
}

/** Infobip lets us choose ids of up to 50 characters: the same message always gets the same id. */
const messageId = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32)

const envelope = (content: JsonObject, to: ProviderUser, fields: JsonObject, key: string): JsonObject =>
  withoutEmpty({
    from: field(fields, 'sender_number'),
    to: to.id,
    messageId: messageId(key),
    content,
    callbackData: key,
    notifyUrl: field(fields, 'webhook'),
  })

/** The response to a single message, or to a list with one. */
const sentOf = (body: Json | undefined): JsonObject => objectsOf(objectOf(body).messages)[0] ?? objectOf(body)

const REFUSED_GROUPS: ReadonlySet<string> = new Set(['REJECTED', 'UNDELIVERABLE', 'EXPIRED'])

/** Code of an error that Infobip answers; empty: none. */
const errorOf = ({ body }: ProviderAnswer): string =>
  scalarText(objectOf(objectOf(objectOf(body).requestError).serviceException).messageId)

const classify = (answer: ProviderAnswer): Outcome => {
  const sent = sentOf(answer.body)
  const status = objectOf(sent.status)
  const isRefused = answer.status < 300 && REFUSED_GROUPS.has(scalarText(status.groupName))
  if (isRefused) return { kind: 'final', code: scalarText(status.name) || scalarText(status.groupName) }
  return byStatus(answer, body => scalarText(sentOf(body).messageId), errorOf(answer) || undefined)
}

const templatesUrl = (fields: JsonObject) =>
  `${baseUrl(fields, USUAL_URL)}/whatsapp/2/senders/${encodeURIComponent(field(fields, 'sender_number'))}/templates`

/** WhatsApp by Infobip. It does not sign requests. */
export const whatsappInfobip: ChannelAdapter = {
  capabilities: CLOUD_CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request) {
    const body = objectBody(request, ({ results }) => Array.isArray(results))
    return body.ok ? accepted(infobipEvents(body.value)) : body
  },
  render(message, to, fields, key) {
    const made = infobipMessage(message)
    const body = made === undefined ? undefined : envelope(made.content, to, fields, key)
    return posting(url(fields, made?.path ?? ''), body)
  },
  templates: {
    render(message, to, fields, key) {
      const sent = envelope(infobipTemplate(message), { id: to.replace('+', '') }, fields, key)
      return posting(url(fields, 'template'), { messages: [sent] })
    },
    read(answer) {
      const outcome = classify(answer)
      return outcome.kind === 'sent'
        ? { id: outcome.id, code: '' }
        : { id: '', code: outcome.kind === 'final' ? outcome.code : errorOf(answer) }
    },
    async list(fields, values) {
      const asked = await values.ask(authorized(reading(templatesUrl(fields)), fields))
      if (!asked.ok) return asked
      const { status, body } = asked.value
      return status === 200 && Array.isArray(objectOf(body).templates)
        ? accepted(infobipTemplates(objectOf(body)))
        : refused('channel.answer', { params: { status, error: errorOf(asked.value) || '—' } })
    },
    async submit(template, fields, values, linkOf) {
      const body = await infobipStructure(template, linkOf)
      if (!body.ok) return body
      const request = { method: 'POST', url: templatesUrl(fields), headers: [], body: body.value } as const
      const asked = await values.ask(authorized(request, fields))
      if (!asked.ok) return asked
      const { status, body: answer } = asked.value
      const { id, status: state } = objectOf(answer)
      return status < 300
        ? accepted({ id: scalarText(id), status: scalarText(state) || 'PENDING' })
        : refused('channel.answer', { params: { status, error: errorOf(asked.value) || '—' } })
    },
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify,
  mediaRequest(ref, fields) {
    const at = URL.canParse(ref) ? new URL(ref) : undefined
    const isOurs =
      at !== undefined && (MEDIA_HOST.test(at.hostname) || at.origin === new URL(baseUrl(fields, USUAL_URL)).origin)
    return accepted(isOurs ? authorized(reading(ref), fields) : reading(ref))
  },
  async check(fields, values) {
    const sender = encodeURIComponent(field(fields, 'sender_number'))
    const address = `${baseUrl(fields, USUAL_URL)}/whatsapp/1/senders/${sender}/business-info`
    return checked(await values.ask(authorized(reading(address), fields)), body =>
      scalarText(objectOf(body).displayName),
    )
  },
}
