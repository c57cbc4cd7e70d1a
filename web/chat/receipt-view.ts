import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { ChatMessage } from './chat-protocol.ts'
import { h, safeLink, safeMedia } from './dom.ts'
import { markdown } from './markdown.ts'
import type { ViewContext } from './view-context.ts'

/** Formats an amount in its currency; keeps text that is not a number. */
export const money = (written: string, currency: string, language: string): string => {
  if (!/^-?\d+(?:\.\d+)?$/.test(written)) return written
  try {
    const style = currency === '' ? {} : ({ style: 'currency', currency } as const)
    return new Intl.NumberFormat(language === 'pt' ? 'pt-BR' : language, { minimumFractionDigits: 2, ...style }).format(
      Number(written),
    )
  } catch {
    return written
  }
}

const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const group = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
const groups = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.map(group) : [])

interface Line {
  readonly name: string
  readonly value: string
  readonly isTotal?: boolean
}

const linesOf = (context: ViewContext, receipt: JsonObject, currency: string): readonly Line[] => {
  const { t, language } = context
  const sum = group(receipt.summary)
  const amount = (value: Json | undefined) => money(text(value).trim(), currency, language)
  const known: readonly (readonly ['subtotal' | 'shipping' | 'tax', string])[] = [
    ['subtotal', amount(sum.subtotal)],
    ['shipping', amount(sum.shipping_cost)],
    ['tax', amount(sum.total_tax)],
  ]
  return [
    ...groups(receipt.facts).map(fact => ({ name: text(fact.key), value: text(fact.value) })),
    ...known.flatMap(([name, value]) => (value === '' ? [] : [{ name: t(name), value }])),
    ...groups(receipt.adjustments).map(one => ({ name: text(one.name), value: amount(one.amount) })),
    ...(text(sum.total_cost) === '' ? [] : [{ name: t('total'), value: amount(sum.total_cost), isTotal: true }]),
  ]
}

const itemView = (context: ViewContext, item: JsonObject, currency: string): HTMLElement => {
  const src = safeMedia(text(item.image) || text(item.image_url), context.base)
  const count = text(item.quantity)
  const below = [text(item.subtitle), count === '' ? '' : `× ${count}`].filter(each => each !== '').join(' · ')
  return h(
    'div',
    { class: 'item' },
    src === undefined ? undefined : h('img', { src, alt: '', loading: 'lazy' }),
    h('div', {}, h('b', {}, text(item.title)), below),
    h('span', {}, money(text(item.price).trim(), text(item.currency) || currency, context.language)),
  )
}

/** A receipt of either family of channels. */
export const receiptView = (context: ViewContext, { receipt = {} }: ChatMessage): HTMLElement => {
  const { t } = context
  const currency = text(receipt.currency)
  const about = [text(receipt.merchant_name), text(receipt.payment_method)]
  const address = group(receipt.address)
  const place = ['street_1', 'street_2', 'city', 'state', 'postal_code', 'country'].map(name => text(address[name]))
  const href = safeLink(text(receipt.order_url))
  const written = (parts: readonly string[], mark: string) => parts.filter(part => part !== '').join(mark)
  const lines = linesOf(context, receipt, currency).map(({ name, value, isTotal }) => [
    h('dt', isTotal ? { class: 'total' } : {}, name),
    h('dd', isTotal ? { class: 'total' } : {}, value),
  ])
  return h(
    'div',
    { class: 'card' },
    h(
      'div',
      { class: 'words' },
      h(
        'div',
        { class: 'split' },
        h('h3', {}, text(receipt.title) || t('receipt')),
        h('span', { class: 'sub' }, text(receipt.order_number)),
      ),
      ...[written(about, ' · '), text(receipt.recipient_name), written(place, ', ')]
        .filter(line => line !== '')
        .map(line => h('p', { class: 'sub' }, line)),
    ),
    ...groups(receipt.items ?? receipt.elements).map(item => itemView(context, item, currency)),
    lines.length === 0 ? undefined : h('dl', { class: 'sum' }, ...lines.flat()),
    href === undefined
      ? undefined
      : h('a', { class: 'row', href, target: '_blank', rel: 'noopener noreferrer' }, t('order')),
  )
}

const productIds = (product: JsonObject): readonly { readonly title: string; readonly ids: readonly string[] }[] => {
  if (text(product.product) !== '') return [{ title: '', ids: [text(product.product)] }]
  return groups(product.sections).map(section => ({
    title: text(section.title),
    ids: Array.isArray(section.products) ? section.products.map(text) : [],
  }))
}

const MAX_QUANTITY = 99

/** Catalogue products with a quantity each; the selection is sent as an order. */
export const productView = (context: ViewContext, message: ChatMessage): HTMLElement => {
  const { t } = context
  const { product = {} } = message
  const sections = productIds(product)
  const isSingle = text(product.product) !== ''
  const counts = new Map<string, HTMLInputElement>()
  const field = (id: string) => {
    const label = t('quantity', { name: id })
    const start = isSingle ? 1 : 0
    const input = h('input', { type: 'number', min: 0, max: MAX_QUANTITY, value: start, 'aria-label': label })
    counts.set(id, input)
    return h('label', { class: 'field' }, id, input)
  }
  const send = () => {
    const order = [...counts].flatMap(([id, { value }]) => (Number(value) > 0 ? [{ id, quantity: Number(value) }] : []))
    if (order.length === 0) return [...counts.values()][0]?.focus()
    const shown = order.map(({ id, quantity }) => `${quantity} × ${id}`).join(', ')
    context.sendData('order', message, { id: text(product.catalog), order }, shown)
  }
  const src = product.headerType === 'IMAGE' ? safeMedia(text(product.header), context.base) : undefined
  const title = product.headerType === 'TEXT' ? text(product.header) : ''
  return h(
    'div',
    { class: 'card' },
    src === undefined ? undefined : h('img', { class: 'top', src, alt: '' }),
    h(
      'div',
      { class: 'words' },
      title && h('h3', {}, title),
      ...markdown(text(product.body)),
      text(product.footer) && h('p', { class: 'sub' }, text(product.footer)),
    ),
    h(
      'div',
      { class: 'form' },
      ...sections.flatMap(section => [section.title && h('b', {}, section.title), ...section.ids.map(field)]),
      h('button', { type: 'button', class: 'primary', onclick: send }, t('sendorder')),
    ),
  )
}
