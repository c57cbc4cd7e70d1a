import type { JsonObject } from '#schemas/event.ts'
import type { OutgoingMessage } from '../port.ts'
import { filled } from '../shared/member.ts'
import { readProduct } from '../shared/product.ts'
import type { TemplateButton, TemplateHeader, TemplateMessage, TemplateValue } from '../shared/template-message.ts'

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
export const infobipMessage = (message: OutgoingMessage): InfobipMessage | undefined => {
  switch (message.kind) {
    case 'text':
      return { path: 'text', content: { text: message.text, previewUrl: message.text.includes('://') } }
    case 'buttons':
      return buttonsContent(message)
    case 'list': {
      const rows = message.options.map(({ id, title, description }) => filled({ id, title, description }))
      const action = { title: message.button, sections: [{ rows }] }
      return { path: 'interactive/list', content: { body: { text: message.text }, action } }
    }
    case 'media': {
      const { media, url, caption, name } = message
      const filename = media === 'document' ? name : ''
      return { path: media, content: filled({ mediaUrl: url, caption, filename }) }
    }
    case 'location': {
      const { latitude, longitude, name, address } = message
      return { path: 'location', content: filled({ latitude, longitude, name, address }) }
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

const headerOf = (header: TemplateHeader): JsonObject => {
  switch (header.kind) {
    case 'text':
      return { type: 'TEXT', placeholder: header.text }
    case 'location':
      return { type: 'LOCATION', latitude: header.latitude, longitude: header.longitude }
    default:
      return filled({ type: header.kind.toUpperCase(), mediaUrl: header.url, filename: header.name })
  }
}

const BUTTON_TYPES = { reply: 'QUICK_REPLY', url: 'URL', code: 'COPY_CODE' } as const
const buttonOf = ({ kind, value }: TemplateButton): JsonObject => ({ type: BUTTON_TYPES[kind], parameter: value })
const bodyOf = (values: readonly TemplateValue[]): JsonObject => ({ placeholders: values.map(({ text }) => text) })

/** A template in Infobip's format. */
export const infobipTemplate = ({ name, language, header, body, buttons, cards }: TemplateMessage): JsonObject => ({
  templateName: name,
  language,
  templateData: {
    body: bodyOf(body),
    ...(header === undefined ? {} : { header: headerOf(header) }),
    ...(buttons.length === 0 ? {} : { buttons: buttons.map(buttonOf) }),
    ...(cards === undefined
      ? {}
      : {
          carousel: {
            cards: cards.map(card => ({
              header: headerOf(card.header),
              ...(card.body.length === 0 ? {} : { body: bodyOf(card.body) }),
              ...(card.buttons.length === 0 ? {} : { buttons: card.buttons.map(buttonOf) }),
            })),
          },
        }),
  },
})
