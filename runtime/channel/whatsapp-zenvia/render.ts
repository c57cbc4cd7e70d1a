import type { JsonObject } from '#schemas/event.ts'
import type { OutgoingMessage } from '../port.ts'
import { filled } from '../shared/member.ts'
import { readProduct } from '../shared/product.ts'
import type { TemplateMessage } from '../shared/template-message.ts'

const productContent = ({ message }: Extract<OutgoingMessage, { kind: 'native' }>): JsonObject => {
  const { header, body, footer, catalog, product, sections } = readProduct(message)
  if (sections.length === 0) return filled({ type: 'product', body, footer, catalogId: catalog, productId: product })
  const made = sections.map(({ title, products }) => ({
    title,
    productItems: products.map(productId => ({ productId })),
  }))
  return filled({
    type: 'product_list',
    header: header || body.slice(0, 60),
    body,
    footer,
    catalogId: catalog,
    sections: made,
  })
}

/** A message in Zenvia's format; undefined when it has no equivalent. */
export const zenviaContent = (message: OutgoingMessage): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { type: 'text', text: message.text }
    case 'buttons': {
      const header = message.image === undefined ? undefined : { type: 'file', fileUrl: message.image }
      const buttons = message.options.map(({ id, title }) => ({ id, title }))
      return filled({ type: 'button', header, body: message.text, buttons })
    }
    case 'list': {
      const rows = message.options.map(({ id, title, description }) => filled({ id, title, description }))
      return { type: 'list', body: message.text, button: message.button, sections: [{ title: message.button, rows }] }
    }
    case 'media': {
      const { url, type, caption, name } = message
      return filled({ type: 'file', fileUrl: url, fileMimeType: type, fileCaption: caption, fileName: name })
    }
    case 'location': {
      const { latitude, longitude, name, address } = message
      return filled({ type: 'location', latitude, longitude, name, address })
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
 * A template in Zenvia's format: by id, with fields by name, else by position. Undefined for parts that its documents
 * do not describe: media above the text, cards, and buttons with values.
 */
export const zenviaTemplate = ({ id = '', header, body, buttons, cards }: TemplateMessage): JsonObject | undefined => {
  const isUntold = buttons.some(({ kind }) => kind !== 'reply') || (header !== undefined && header.kind !== 'text')
  if (id === '' || isUntold || cards !== undefined) return undefined
  const values = [...(header?.kind === 'text' ? [{ text: header.text }] : []), ...body]
  const fields = values.map((value, at) => [('name' in value ? value.name : undefined) ?? String(at + 1), value.text])
  return { type: 'template', templateId: id, fields: Object.fromEntries(fields) }
}
