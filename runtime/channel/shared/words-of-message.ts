import type { Json, JsonObject } from '#schemas/event.ts'
import type { ChatMessage } from '../../port.ts'
import { group, groups, list, number, text } from './member.ts'

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
export const adaptiveWords = ({ body, actions }: ChatMessage): string =>
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
export const receiptWords = ({ receipt }: ChatMessage): string => {
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
export const placeWords = ({ address, latitude, longitude }: ChatMessage): string => {
  const [north, east] = [number(latitude), number(longitude)]
  const map = north === undefined || east === undefined ? '' : `https://www.google.com/maps?q=${north},${east}`
  return lines([text(address), map])
}

/** The text of a card, with its title first. */
export const cardWords = (card: JsonObject, bold: (title: string) => string): string =>
  lines([bold(text(card.title)), text(card.subtitle), text(card.text)])
