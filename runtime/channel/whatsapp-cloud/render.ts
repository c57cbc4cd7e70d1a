import type { JsonObject } from '#schemas/event.ts'
import type { Capabilities, OutgoingMessage, OutgoingOption, ProviderUser } from '../channel-port.ts'
import { filled } from '../shared/json-reader.ts'
import { readProduct } from '../shared/message-text.ts'

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
export const recipientOf = ({ id }: ProviderUser): JsonObject =>
  SCOPED_ID.test(id) ? { recipient: id } : { recipient_type: 'individual', to: id }

const replyButton = ({ id, title }: OutgoingOption): JsonObject => ({ type: 'reply', reply: { id, title } })
const listRow = ({ id, title, description }: OutgoingOption): JsonObject => filled({ id, title, description })

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
      return { type: media, [media]: filled({ link: url, caption, filename: media === 'document' ? name : '' }) }
    }
    case 'location': {
      const { latitude, longitude, name, address } = message
      return { type: 'location', location: filled({ latitude, longitude, name, address }) }
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
