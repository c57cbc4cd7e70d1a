import type { TemplateMessage } from '#domain/template/template-message.ts'
import type { JsonObject } from '#schemas/event.ts'
import { listOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type {
  Capabilities,
  ChannelAdapter,
  OutgoingMessage,
  ProviderContent,
  ProviderEvent,
  ProviderRequest,
  ProviderUser,
} from '../channel-port.ts'
import { readProduct } from '../shared/message-text.ts'
import { areOtherPhones, isPhone, isSameAddress } from '../shared/own-address.ts'
import { baseUrl, byStatus, checked, field, objectBody, posting, reading, withHeader } from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { placeContent } from '../whatsapp-cloud/cloud-events.ts'
import { CLOUD_CAPABILITIES } from '../whatsapp-cloud/cloud-messages.ts'

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
    case 'location':
      return placeContent(content)
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

const productContent = ({ message }: Extract<OutgoingMessage, { kind: 'native' }>): JsonObject => {
  const { header, body, footer, catalog, product, sections } = readProduct(message)
  if (sections.length === 0)
    return withoutEmpty({ type: 'product', body, footer, catalogId: catalog, productId: product })
  const made = sections.map(({ title, products }) => ({
    title,
    productItems: products.map(productId => ({ productId })),
  }))
  return withoutEmpty({
    type: 'product_list',
    header: header || body.slice(0, 60),
    body,
    footer,
    catalogId: catalog,
    sections: made,
  })
}

/** A message in Zenvia's format; undefined when it has no equivalent. */
const zenviaContent = (message: OutgoingMessage): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { type: 'text', text: message.text }
    case 'buttons': {
      const header = message.image === undefined ? undefined : { type: 'file', fileUrl: message.image }
      const buttons = message.options.map(({ id, title }) => ({ id, title }))
      return withoutEmpty({ type: 'button', header, body: message.text, buttons })
    }
    case 'list': {
      const rows = message.options.map(({ id, title, description }) => withoutEmpty({ id, title, description }))
      return { type: 'list', body: message.text, button: message.button, sections: [{ title: message.button, rows }] }
    }
    case 'media': {
      const { url, type, caption, name } = message
      return withoutEmpty({ type: 'file', fileUrl: url, fileMimeType: type, fileCaption: caption, fileName: name })
    }
    case 'location': {
      const { latitude, longitude, name, address } = message
      return withoutEmpty({ type: 'location', latitude, longitude, name, address })
    }
    case 'native':
      return productContent(message)
    case 'askplace':
    case 'carousel':
      return undefined
    default:
      return message satisfies never
  }
}

/**
 * A template in Zenvia's format: by id, with fields by name. Undefined for parts that its documents do not describe:
 * files above the text, cards, and buttons with values.
 */
const zenviaTemplate = ({ id, header, body, buttons, cards }: TemplateMessage): JsonObject | undefined => {
  const isUntold = buttons.some(({ kind, value }) => kind !== 'reply' || value !== '')
  if (id === '' || isUntold || cards.length > 0 || (header !== undefined && header.kind !== 'text')) return undefined
  const values = [...(header === undefined ? [] : [header]), ...body]
  const fields = Object.fromEntries(values.map(({ name, text }) => [name, text]))
  return { type: 'template', templateId: id, fields }
}

const USUAL_URL = 'https://api.zenvia.com/v2'

const CAPABILITIES: Capabilities = {
  ...CLOUD_CAPABILITIES,
  buttons: { count: 3, label: 20, links: 'none', image: true },
  askplace: false,
}

const sendUrl = (fields: JsonObject) => `${baseUrl(fields, USUAL_URL)}/channels/whatsapp/messages`

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withHeader(request, 'x-api-token', field(fields, 'auth_token'))

const envelope = (content: JsonObject, to: ProviderUser, fields: JsonObject, key: string): JsonObject => ({
  externalId: key,
  from: field(fields, 'sender_number'),
  to: to.id,
  contents: [content],
})

/** WhatsApp by Zenvia. It does not sign requests. */
export const whatsappZenvia: ChannelAdapter = {
  capabilities: CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request) {
    const body = objectBody(request, ({ type, message, messageStatus }) => {
      const isTold = [message, messageStatus].some(each => typeof each === 'object' && each !== null)
      return typeof type === 'string' && isTold
    })
    return body.ok ? accepted(zenviaEvents(body.value)) : body
  },
  isForeign({ to }, fields) {
    const own = field(fields, 'sender_number')
    return !isPhone(to) && !isPhone(own) ? !isSameAddress(to, own) : areOtherPhones(to, own)
  },
  render(message, to, fields, key) {
    const content = zenviaContent(message)
    return posting(sendUrl(fields), content === undefined ? undefined : envelope(content, to, fields, key))
  },
  templates: {
    render(message, to, fields, key) {
      const content = zenviaTemplate(message)
      return content === undefined
        ? refused('channel.message')
        : posting(sendUrl(fields), envelope(content, { id: to.replace('+', '') }, fields, key))
    },
    read({ status, body }) {
      const { id, code } = objectOf(body)
      return status < 300 ? { id: scalarText(id), code: '' } : { id: '', code: scalarText(code) }
    },
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify: answer =>
    byStatus(answer, body => scalarText(objectOf(body).id), scalarText(objectOf(answer.body).code) || undefined),
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${baseUrl(fields, USUAL_URL)}/subscriptions`), fields))
    return checked(asked, body => String(listOf(body).length))
  },
}
