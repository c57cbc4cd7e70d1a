import type { Json } from '#schemas/event.ts'
import type { ChatMessage } from '../../port.ts'
import { field, group, groups, list, text } from './member.ts'
import { productWords } from './words-of-message.ts'

/** Catalogue, products and text of a product message, within WhatsApp's limits. Without sections: a single product. */
export const readProduct = (message: ChatMessage) => {
  const held = group(message.product)
  const body = field(held, 'body') || productWords(message) || '…'
  return {
    header: field(held, 'header').slice(0, 60),
    body: body.slice(0, 1024),
    footer: field(held, 'footer').slice(0, 60),
    catalog: field(held, 'catalog'),
    product: field(held, 'product'),
    sections: groups(held.sections).map(section => ({
      title: field(section, 'title').slice(0, 24),
      products: list(section.products).map((each: Json) => text(each)),
    })),
  }
}
