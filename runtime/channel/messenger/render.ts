import type { Json, JsonObject } from '#schemas/event.ts'
import { numberOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ChatMessage } from '../../port.ts'
import type { OutgoingMessage, OutgoingOption, ProviderUser } from '../channel-port.ts'

/** Buttons per template; more options become quick replies. */
const MAX_BUTTONS = 3

const template = (payload: JsonObject): JsonObject => ({ attachment: { type: 'template', payload } })

const button = ({ id, title, url }: OutgoingOption): JsonObject =>
  url === undefined ? { type: 'postback', title, payload: id } : { type: 'web_url', title, url }

const quickReply = ({ id, title }: OutgoingOption): JsonObject => ({ content_type: 'text', title, payload: id })

/** Options are buttons if one opens a page and all fit, else quick replies, which disappear after the answer. */
const optionsMessage = ({ text: words, options }: Extract<OutgoingMessage, { kind: 'buttons' }>): JsonObject => {
  const links = options.filter(({ url }) => url !== undefined)
  if (links.length > 0 && options.length <= MAX_BUTTONS)
    return template({ template_type: 'button', text: words, buttons: options.map(button) })
  const answers = options.filter(({ url }) => url === undefined)
  const lines = links.map(({ title, url = '' }) => `${title}: ${url}`)
  return withoutEmpty({ text: [words, ...lines].join('\n'), quick_replies: answers.map(quickReply) })
}

type Card = Extract<OutgoingMessage, { kind: 'carousel' }>['cards'][number]

const element = ({ title, text: words, image, options }: Card): JsonObject =>
  withoutEmpty({ title, subtitle: words, image_url: image, buttons: options.map(button) })

const amount = (value: Json | undefined): number | undefined => numberOf(value)

const receiptMessage = (message: ChatMessage): JsonObject => {
  const held = objectOf(message.receipt)
  const sum = objectOf(held.summary)
  const time = timeOf(held.timestamp)
  const elements = objectsOf(held.elements).map(item =>
    withoutEmpty({
      title: item.title,
      subtitle: item.subtitle,
      quantity: amount(item.quantity),
      price: amount(item.price) ?? 0,
      currency: item.currency,
      image_url: item.image_url,
    }),
  )
  const totals = ['subtotal', 'shipping_cost', 'total_tax', 'total_cost'].map(
    name => [name, amount(sum[name])] as const,
  )
  const address = objectOf(held.address)
  return template(
    withoutEmpty({
      template_type: 'receipt',
      recipient_name: held.recipient_name,
      merchant_name: held.merchant_name,
      order_number: held.order_number,
      currency: held.currency,
      payment_method: held.payment_method,
      order_url: held.order_url,
      timestamp: time === 0 ? undefined : String(Math.round(time / 1000)),
      elements,
      ...(scalarText(address.street_1) === '' ? {} : { address: withoutEmpty(address) }),
      summary: withoutEmpty(Object.fromEntries(totals)),
      adjustments: objectsOf(held.adjustments).map(one => withoutEmpty({ name: one.name, amount: amount(one.amount) })),
    }),
  )
}

const FILE_TYPES = { image: 'image', audio: 'audio', video: 'video', document: 'file' } as const

const messageOf = (message: OutgoingMessage): JsonObject | undefined => {
  switch (message.kind) {
    case 'text':
      return { text: message.text }
    case 'buttons':
      return optionsMessage(message)
    case 'media':
      return { attachment: { type: FILE_TYPES[message.media], payload: { url: message.url } } }
    case 'carousel':
      return template({ template_type: 'generic', elements: message.cards.map(element) })
    case 'native':
      return message.message.type === 'receipt' ? receiptMessage(message.message) : undefined
    default:
      return undefined
  }
}

/** Body of a message for the Send API; undefined when it has no equivalent. */
export const messengerBody = (message: OutgoingMessage, to: ProviderUser): JsonObject | undefined => {
  const held = messageOf(message)
  return held === undefined ? undefined : { recipient: { id: to.id }, messaging_type: 'RESPONSE', message: held }
}
