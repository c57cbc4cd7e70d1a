import type { Json, JsonObject } from '#schemas/event.ts'
import type { ChatMessage } from '../../port.ts'
import { field, group, groups, list, number, text } from './json-reader.ts'

const lines = (parts: readonly string[], mark = '\n'): string => parts.filter(part => part.trim() !== '').join(mark)

const MAX_DEPTH = 8

/** The text of an adaptive card's elements, one line each. */
const elementWords = (elements: Json | undefined, depth = 0): readonly string[] =>
  depth > MAX_DEPTH
    ? []
    : groups(elements).flatMap(element => [
        ...(Array.isArray(element.text) ? [] : [text(element.text)]),
        ...groups(element.facts).map(fact => lines([text(fact.title), text(fact.value)], ': ')),
        ...(text(element.type).startsWith('Input.') ? [text(element.label) || text(element.placeholder)] : []),
        ...groups(element.choices).map(choice => `- ${text(choice.title)}`),
        ...elementWords(element.items, depth + 1),
        ...['columns', 'rows', 'cells', 'pages'].flatMap(name => elementWords(element[name], depth + 1)),
        ...groups(element.actions).map(action => lines([text(action.title), text(action.url)], ': ')),
      ])

/** An adaptive card as text, for providers without such cards. */
export const adaptiveCardText = ({ body, actions }: ChatMessage): string =>
  lines([
    ...elementWords(body),
    ...groups(actions)
      .filter(({ type }) => text(type).startsWith('Action.'))
      .map(action => lines([text(action.title), text(action.url)], ': ')),
  ])

/** Text of a product for providers that cannot show it. */
export const productWords = ({ product }: ChatMessage): string => {
  const held = group(product)
  const sections = groups(held.sections).flatMap(section => [
    text(section.title),
    ...list(section.products).map(each => `- ${text(each)}`),
  ])
  return lines([text(held.header), text(held.body), ...sections, text(held.footer)])
}

const amount = (value: Json | undefined, currency: string): string => {
  const written = text(value).trim()
  return written === '' || number(written) === undefined ? written : lines([currency, written], ' ')
}

const itemWords = (item: JsonObject, currency: string): string => {
  const count = text(item.quantity)
  const name = lines([text(item.title), text(item.subtitle), count === '' ? '' : `× ${count}`], ' · ')
  return lines([name, amount(item.price, text(item.currency) || currency)], ': ')
}

/** A receipt of either kind as text. */
export const receiptText = ({ receipt }: ChatMessage): string => {
  const held = group(receipt)
  const currency = text(held.currency)
  const sum = group(held.summary)
  return lines([
    text(held.title) || text(held.merchant_name),
    lines([text(held.order_number), text(held.recipient_name)], ' · '),
    ...groups(held.facts).map(fact => lines([text(fact.key), text(fact.value)], ': ')),
    ...[...groups(held.items), ...groups(held.elements)].map(item => itemWords(item, currency)),
    ...groups(held.adjustments).map(one => lines([text(one.name), amount(one.amount, currency)], ': ')),
    sum.total_cost === undefined ? '' : `= ${amount(sum.total_cost, currency)}`,
    text(held.payment_method),
    text(held.order_url),
  ])
}

/** A location as text, with a map link for providers that cannot show it. */
export const locationText = ({ address, latitude, longitude }: ChatMessage): string => {
  const [north, east] = [number(latitude), number(longitude)]
  const map = north === undefined || east === undefined ? '' : `https://www.google.com/maps?q=${north},${east}`
  return lines([text(address), map])
}

/** The text of a card, with its title first. */
export const cardText = (card: JsonObject, bold: (title: string) => string): string =>
  lines([bold(text(card.title)), text(card.subtitle), text(card.text)])

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

/** Value of a provider's button. It names the message, so that a press on an older one is recognized (RUNTIME 53). */
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
