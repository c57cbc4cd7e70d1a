import { randomUUID } from 'node:crypto'
import type {
  TemplateMessage,
  TemplateMessageButton,
  TemplateMessageHeader,
  TemplateMessageValue,
} from '#domain/template/template-message.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, scalarText, withoutEmpty } from '#schemas/json.ts'
import type {
  Capabilities,
  Outcome,
  OutgoingMessage,
  OutgoingOption,
  ProviderAnswer,
  ProviderUser,
  TemplateFile,
} from '../channel-port.ts'
import { graphCode } from '../shared/graph.ts'
import { readProduct } from '../shared/message-text.ts'
import { byStatus, retryAfter } from '../shared/provider-call.ts'

/** WhatsApp's own limits. */
export const CLOUD_CAPABILITIES: Capabilities = {
  markup: 'whatsapp',
  text: 4096,
  body: 1024,
  caption: 1024,
  buttons: { count: 3, label: 20, links: 'alone', image: true },
  list: { count: 10, label: 24, description: 72 },
  carousel: null,
  media: ['image', 'audio', 'video', 'document'],
  location: true,
  askplace: true,
  native: ['product'],
}

const SCOPED_ID = /^[A-Z]{2}\./u

/** Recipient of a message: the number as received, never normalized, else the business-scoped id. */
const recipientOf = ({ id }: ProviderUser): JsonObject =>
  SCOPED_ID.test(id) ? { recipient: id } : { recipient_type: 'individual', to: id }

const replyButton = ({ id, title }: OutgoingOption): JsonObject => ({ type: 'reply', reply: { id, title } })
const listRow = ({ id, title, description }: OutgoingOption): JsonObject => withoutEmpty({ id, title, description })

const interactive = (body: string, held: JsonObject): JsonObject => ({
  type: 'interactive',
  interactive: { body: { text: body }, ...held },
})

const buttonsBody = ({ text, image, options }: Extract<OutgoingMessage, { kind: 'buttons' }>): JsonObject => {
  const header = image === undefined ? {} : { header: { type: 'image', image: { link: image } } }
  const [first] = options
  if (first?.url !== undefined) {
    const parameters = { display_text: first.title, url: first.url }
    return interactive(text, { type: 'cta_url', ...header, action: { name: 'cta_url', parameters } })
  }
  return interactive(text, { type: 'button', ...header, action: { buttons: options.map(replyButton) } })
}

const productBody = ({ message }: Extract<OutgoingMessage, { kind: 'native' }>): JsonObject => {
  const { header, body, footer, catalog, product, sections } = readProduct(message)
  const below = footer === '' ? {} : { footer: { text: footer } }
  if (sections.length === 0) {
    const action = { catalog_id: catalog, product_retailer_id: product }
    return interactive(body, { type: 'product', action, ...below })
  }
  const made = sections.map(({ title, products }) => ({
    title,
    product_items: products.map(id => ({ product_retailer_id: id })),
  }))
  return interactive(body, {
    type: 'product_list',
    header: { type: 'text', text: header || body.slice(0, 60) },
    action: { catalog_id: catalog, sections: made },
    ...below,
  })
}

const messageBody = (message: OutgoingMessage): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { type: 'text', text: { body: message.text, preview_url: message.text.includes('://') } }
    case 'buttons':
      return buttonsBody(message)
    case 'list': {
      const { text, button, options } = message
      const action = { button, sections: [{ rows: options.map(listRow) }] }
      return interactive(text, { type: 'list', action })
    }
    case 'askplace':
      return interactive(message.text, { type: 'location_request_message', action: { name: 'send_location' } })
    case 'media': {
      const { media, url, name, caption } = message
      return { type: media, [media]: withoutEmpty({ link: url, caption, filename: media === 'document' ? name : '' }) }
    }
    case 'location': {
      const { latitude, longitude, name, address } = message
      return { type: 'location', location: withoutEmpty({ latitude, longitude, name, address }) }
    }
    case 'native':
      return productBody(message)
    case 'carousel':
      return undefined
    default:
      return message satisfies never
  }
}

/** Body of a message for the Cloud API, which returns `key` with each receipt; undefined when it has no equivalent. */
export const cloudBody = (message: OutgoingMessage, to: ProviderUser, key: string): JsonObject | undefined => {
  const body = messageBody(message)
  return body === undefined
    ? undefined
    : { messaging_product: 'whatsapp', ...recipientOf(to), ...body, biz_opaque_callback_data: key }
}

/** ms until a refused message is retried, by Meta's code; any other code is final. */
const RETRY_MS: ReadonlyMap<number, number> = new Map([
  ...[1, 2, 131_000, 131_016, 133_004].map(code => [code, 0] as const),
  ...[4, 80_007, 130_429].map(code => [code, 5_000] as const),
  /** Limit per pair of business and person: one message per 6 s. */
  [131_056, 6_000],
  /** The number is being upgraded. */
  [131_057, 20_000],
])

const idOf = (body: Json | undefined): string => scalarText(objectsOf(objectOf(body).messages)[0]?.id)

/**
 * Outcome by Meta's code, never by its text. The code of a 5xx is ignored, because the message may have been accepted.
 */
export const classifyCloud = (answer: ProviderAnswer): Outcome => {
  const code = graphCode(answer.body)
  if (code === undefined || answer.status < 400 || answer.status >= 500) return byStatus(answer, idOf)
  const after = RETRY_MS.get(code)
  if (after !== undefined || answer.status === 429) return { kind: 'retry', after: retryAfter(answer, after) }
  return { kind: 'final', code: String(code) }
}

/** Meta takes names of values only from templates that name their variables. */
const parameterOf = ({ name, text }: TemplateMessageValue, isNamed: boolean): JsonObject => ({
  type: 'text',
  ...(isNamed ? { parameter_name: name } : {}),
  text,
})

const headerParameter = (header: TemplateMessageHeader, isNamed: boolean): JsonObject => {
  if (header.kind === 'text') return parameterOf(header, isNamed)
  if (header.kind === 'location') {
    const { latitude, longitude, title, address } = header
    return { type: 'location', location: { latitude, longitude, name: title, address } }
  }
  const { kind, source, filename } = header
  const file = source.from === 'upload' ? { id: source.id } : { link: source.from === 'link' ? source.url : '' }
  return { type: kind, [kind]: { ...file, ...(filename === '' ? {} : { filename }) } }
}

const BUTTONS = {
  reply: { sub_type: 'quick_reply', type: 'payload', member: 'payload' },
  url: { sub_type: 'url', type: 'text', member: 'text' },
  code: { sub_type: 'copy_code', type: 'coupon_code', member: 'coupon_code' },
} as const

const buttonOf = ({ index, kind, value }: TemplateMessageButton): readonly JsonObject[] => {
  if (kind === 'reply' && value === '') return []
  const { sub_type, type, member } = BUTTONS[kind]
  return [{ type: 'button', sub_type, index: String(index), parameters: [{ type, [member]: value }] }]
}

const componentsOf = (
  { header, body, buttons }: Pick<TemplateMessage, 'header' | 'body' | 'buttons'>,
  isNamed: boolean,
): readonly JsonObject[] => [
  ...(header === undefined ? [] : [{ type: 'header', parameters: [headerParameter(header, isNamed)] }]),
  ...(body.length === 0 ? [] : [{ type: 'body', parameters: body.map(value => parameterOf(value, isNamed)) }]),
  ...buttons.flatMap(buttonOf),
]

/** A template in the Cloud API's format. */
export const cloudTemplate = (message: TemplateMessage): JsonObject => {
  const { name, language, cards, isNamed } = message
  const shown = cards.map((card, at) => ({ card_index: at, components: componentsOf(card, isNamed) }))
  const carousel = cards.length === 0 ? [] : [{ type: 'carousel', cards: shown }]
  const components = [...componentsOf(message, isNamed), ...carousel]
  return {
    name,
    language: { code: language, policy: 'deterministic' },
    ...(components.length === 0 ? {} : { components }),
  }
}

/** The body that sends a template through the Cloud API. */
export const cloudTemplateBody = (message: TemplateMessage, to: ProviderUser, key: string): JsonObject => ({
  messaging_product: 'whatsapp',
  ...recipientOf(to),
  type: 'template',
  template: cloudTemplate(message),
  biz_opaque_callback_data: key,
})

const LINE = '\r\n'
/** Characters that end a parameter of a part's header. */
const UNSAFE = /["\r\n]/gu

/** The form that uploads a file for messages. */
export const cloudUpload = ({ name, type, content }: TemplateFile) => {
  const boundary = `parley-${randomUUID()}`
  const part = (about: string, rest: string) =>
    `--${boundary}${LINE}Content-Disposition: form-data; ${about}${LINE}${rest}`
  const before = [
    part('name="messaging_product"', `${LINE}whatsapp${LINE}`),
    part('name="type"', `${LINE}${type}${LINE}`),
    part(`name="file"; filename="${name.replace(UNSAFE, '_')}"`, `Content-Type: ${type}${LINE}${LINE}`),
  ].join('')
  const body = Buffer.concat([Buffer.from(before), content, Buffer.from(`${LINE}--${boundary}--${LINE}`)])
  return { headers: [['content-type', `multipart/form-data; boundary=${boundary}`] as const], body }
}

/** Reads the answer to a template message. */
export const readCloudTemplate = ({ body }: ProviderAnswer) => {
  const [message] = objectsOf(objectOf(body).messages)
  return {
    id: scalarText(message?.id),
    isHeld: message?.message_status === 'held_for_quality_assessment',
    code: String(graphCode(body) ?? ''),
  }
}
