import type { Json, JsonObject } from '#schemas/event.ts'
import { listOf, numberOf, objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import type { ChatMessage } from '../../port.ts'
import { field } from './provider-call.ts'

const lines = (parts: readonly string[], mark = '\n'): string => parts.filter(part => part.trim() !== '').join(mark)

const MAX_DEPTH = 8

/** The text of an adaptive card's elements, one line each. */
const elementWords = (elements: Json | undefined, depth = 0): readonly string[] =>
  depth > MAX_DEPTH
    ? []
    : objectsOf(elements).flatMap(element => [
        ...(Array.isArray(element.text) ? [] : [scalarText(element.text)]),
        ...objectsOf(element.facts).map(fact => lines([scalarText(fact.title), scalarText(fact.value)], ': ')),
        ...(scalarText(element.type).startsWith('Input.')
          ? [scalarText(element.label) || scalarText(element.placeholder)]
          : []),
        ...objectsOf(element.choices).map(choice => `- ${scalarText(choice.title)}`),
        ...elementWords(element.items, depth + 1),
        ...['columns', 'rows', 'cells', 'pages'].flatMap(name => elementWords(element[name], depth + 1)),
        ...objectsOf(element.actions).map(action => lines([scalarText(action.title), scalarText(action.url)], ': ')),
      ])

/** An adaptive card as text, for providers without such cards. */
export const adaptiveCardText = ({ body, actions }: ChatMessage): string =>
  lines([
    ...elementWords(body),
    ...objectsOf(actions)
      .filter(({ type }) => scalarText(type).startsWith('Action.'))
      .map(action => lines([scalarText(action.title), scalarText(action.url)], ': ')),
  ])

/** Text of a product for providers that cannot show it. */
export const productWords = ({ product }: ChatMessage): string => {
  const held = objectOf(product)
  const sections = objectsOf(held.sections).flatMap(section => [
    scalarText(section.title),
    ...listOf(section.products).map(each => `- ${scalarText(each)}`),
  ])
  return lines([scalarText(held.header), scalarText(held.body), ...sections, scalarText(held.footer)])
}

const amount = (value: Json | undefined, currency: string): string => {
  const written = scalarText(value).trim()
  return written === '' || numberOf(written) === undefined ? written : lines([currency, written], ' ')
}

const itemWords = (item: JsonObject, currency: string): string => {
  const count = scalarText(item.quantity)
  const name = lines([scalarText(item.title), scalarText(item.subtitle), count === '' ? '' : `× ${count}`], ' · ')
  return lines([name, amount(item.price, scalarText(item.currency) || currency)], ': ')
}

/** A receipt of either kind as text. */
export const receiptText = ({ receipt }: ChatMessage): string => {
  const held = objectOf(receipt)
  const currency = scalarText(held.currency)
  const sum = objectOf(held.summary)
  return lines([
    scalarText(held.title) || scalarText(held.merchant_name),
    lines([scalarText(held.order_number), scalarText(held.recipient_name)], ' · '),
    ...objectsOf(held.facts).map(fact => lines([scalarText(fact.key), scalarText(fact.value)], ': ')),
    ...[...objectsOf(held.items), ...objectsOf(held.elements)].map(item => itemWords(item, currency)),
    ...objectsOf(held.adjustments).map(one => lines([scalarText(one.name), amount(one.amount, currency)], ': ')),
    sum.total_cost === undefined ? '' : `= ${amount(sum.total_cost, currency)}`,
    scalarText(held.payment_method),
    scalarText(held.order_url),
  ])
}

/** A location as text, with a map link for providers that cannot show it. */
export const locationText = ({ address, latitude, longitude }: JsonObject): string => {
  const [north, east] = [numberOf(latitude), numberOf(longitude)]
  const map = north === undefined || east === undefined ? '' : `https://www.google.com/maps?q=${north},${east}`
  return lines([scalarText(address), map])
}

/** The text of a card, with its title first. */
export const cardText = (card: JsonObject, bold: (title: string) => string): string =>
  lines([bold(scalarText(card.title)), scalarText(card.subtitle), scalarText(card.text)])

/** Short name of a conversation: message numbers are only unique within one. */
const tagOf = (conversation: string): string => conversation.replace(/[^0-9a-z]/giu, '').slice(0, 8)

/** A message with its conversation. */
export const messageName = (message: string, conversation?: string): string =>
  conversation === undefined ? message : `${tagOf(conversation)}-${message}`

/** The message of a name as it is numbered in this conversation: '0', which none has, for one of another conversation. */
export const messageOf = (name: string, conversation: string): string => {
  const [message = '', tag] = name.split('-').toReversed()
  return tag === undefined || tag === tagOf(conversation) ? message : '0'
}

/** Value of a provider's button. It names the message, so that a press on an older one is recognized. */
export const actionValue = (message: string, action: string, conversation?: string): string =>
  `${messageName(message, conversation)}_${action}`

const ACTION_VALUE = /^((?:[0-9a-z]{1,8}-)?\d{1,9})_([\w.]{1,40})$/iu

/** The message, by its name, and the action of a pressed button; undefined for a value of another origin. */
export const readActionValue = (value: string): { readonly of: string; readonly value: string } | undefined => {
  const [, of, action] = ACTION_VALUE.exec(value) ?? []
  return of === undefined || action === undefined ? undefined : { of, value: action }
}

/** Catalogue, products and text of a product message, within WhatsApp's limits. Without sections: a single product. */
export const readProduct = (message: ChatMessage) => {
  const held = objectOf(message.product)
  const body = field(held, 'body') || productWords(message) || '…'
  return {
    header: field(held, 'header').slice(0, 60),
    body: body.slice(0, 1024),
    footer: field(held, 'footer').slice(0, 60),
    catalog: field(held, 'catalog'),
    product: field(held, 'product'),
    sections: objectsOf(held.sections).map(section => ({
      title: field(section, 'title').slice(0, 24),
      products: listOf(section.products).map((each: Json) => scalarText(each)),
    })),
  }
}
