import type { ChannelUser, ChatMessage } from '#runtime/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, objectsOf, textOf } from '#schemas/json.ts'

const CARD = 'application/vnd.microsoft.card.'
/** Buttons that send their text; the others send their id. */
const SPOKEN = new Set(['imBack', 'reply'])
const MEDIA_CARDS: Readonly<Record<string, string>> = { Audio: 'audio', Video: 'video', Animation: 'animation' }
/** Omits empty members. */
const filled = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]],
    ),
  )

/** A button in Bot Framework's format (CardAction). */
const cardAction = (of: string, action: JsonObject): JsonObject => {
  const [type, title, value] = [textOf(action.type), textOf(action.title), textOf(action.value)]
  if (type === 'openUrl') return { type, title, value }
  if (SPOKEN.has(type)) return { type: 'imBack', title, value: value === '' ? title : value }
  return { type: 'postBack', title, text: title, displayText: title, value: { of, action: textOf(action.id) } }
}

const heroCard = (of: string, card: JsonObject): JsonObject => {
  const media = card.media
  if (isObject(media) && textOf(card.image) === '') return mediaCard(of, { ...media, actions: card.actions ?? [] })
  const image = textOf(card.image)
  return {
    contentType: CARD + (card.thumbnail === true ? 'thumbnail' : 'hero'),
    content: filled({
      title: card.title,
      subtitle: card.subtitle,
      text: card.text,
      images: image === '' ? [] : [{ url: image }],
      buttons: objectsOf(card.actions).map(action => cardAction(of, action)),
    }),
  }
}

const mediaCard = (of: string, media: JsonObject): JsonObject => ({
  contentType: CARD + (MEDIA_CARDS[textOf(media.kind)] ?? 'video'),
  content: filled({
    title: media.title,
    text: media.text,
    media: [{ url: textOf(media.url) }],
    aspect: media.aspectRatio,
    buttons: objectsOf(media.actions).map(action => cardAction(of, action)),
  }),
})

const receiptCard = ({ receipt }: ChatMessage): JsonObject => {
  const held = isObject(receipt) ? receipt : {}
  const { summary } = held
  const totals = isObject(summary) ? summary : {}
  const items = [...objectsOf(held.items), ...objectsOf(held.elements)].map(item =>
    filled({
      title: item.title,
      subtitle: item.subtitle,
      quantity: item.quantity,
      price: item.price,
      image: textOf(item.image ?? item.image_url) === '' ? undefined : { url: textOf(item.image ?? item.image_url) },
    }),
  )
  return {
    contentType: `${CARD}receipt`,
    content: filled({
      ...held,
      title: held.title ?? held.merchant_name,
      facts: objectsOf(held.facts),
      items,
      total: held.total ?? totals.total_cost,
      tax: held.tax ?? totals.total_tax,
    }),
  }
}

/** Member of submitted data that names the message of the card. */
const MESSAGE_MEMBER = 'parleyMessage'
const SUBMITS = new Set(['Action.Submit', 'Action.Execute'])

/** A part of a card whose submits name the message. Data that are a text are sent as they are. */
const naming = (part: Json, of: string): Json => {
  if (Array.isArray(part)) return part.map(each => naming(each, of))
  if (!isObject(part)) return part
  const inner = Object.entries(part).map(
    ([name, value]) => [name, name === 'data' ? value : naming(value, of)] as const,
  )
  const named: JsonObject = Object.fromEntries(inner)
  const data = part.data ?? {}
  return SUBMITS.has(textOf(part.type)) && isObject(data)
    ? { ...named, data: { ...data, [MESSAGE_MEMBER]: of } }
    : named
}

/** Submitted data, and the message of their card. */
export const submittedOf = (value: JsonObject): { readonly data: JsonObject; readonly of?: string } => {
  const { [MESSAGE_MEMBER]: of, ...data } = value
  return typeof of === 'string' ? { data, of } : { data: value }
}

/** Buttons that a block offers beside those that the card has itself. */
const offeredBeside = ({ actions }: ChatMessage): readonly JsonObject[] =>
  objectsOf(actions).filter(({ type }) => !textOf(type).startsWith('Action.'))

const adaptiveCard = ({ id, body, actions, submit }: ChatMessage): JsonObject => {
  const given = objectsOf(actions).filter(({ type }) => textOf(type).startsWith('Action.'))
  const isMissing = submit === true && !given.some(({ type }) => type === 'Action.Submit')
  const own = isMissing ? [...given, { type: 'Action.Submit', title: 'OK' }] : given
  return {
    contentType: `${CARD}adaptive`,
    content: { type: 'AdaptiveCard', version: '1.5', body: naming(body ?? [], id), actions: naming(own, id) },
  }
}

const place = ({ address, latitude, longitude }: ChatMessage): JsonObject => ({
  type: 'Place',
  address: address ?? '',
  geo: { type: 'GeoCoordinates', latitude: latitude ?? null, longitude: longitude ?? null },
})

const sentFile = (file: JsonObject): JsonObject =>
  filled({ contentType: file.contentType, contentUrl: file.contentUrl, name: file.name })

const attachmentsOf = (message: ChatMessage): readonly JsonObject[] => {
  switch (message.type) {
    case 'card':
      return [heroCard(message.id, message)]
    case 'carousel':
      return objectsOf(message.cards).map(card => heroCard(message.id, card))
    case 'media':
      return [mediaCard(message.id, message)]
    case 'receipt':
      return [receiptCard(message)]
    case 'adaptive':
      return [adaptiveCard(message)]
    default:
      return objectsOf(message.attachments).map(sentFile)
  }
}

const WITH_BUTTONS = new Set(['card', 'media', 'carousel', 'adaptive'])

/** Text of a product for clients that cannot show it. */
const productWords = (product: Json | undefined): string =>
  isObject(product) ? [product.header, product.body, product.footer].map(textOf).filter(Boolean).join('\n') : ''

const botActivity = (message: ChatMessage): JsonObject => {
  const beside = message.type === 'adaptive' ? offeredBeside(message) : []
  const suggested = WITH_BUTTONS.has(message.type) ? beside : objectsOf(message.actions)
  const words = message.type === 'product' ? productWords(message.product) : textOf(message.text)
  return filled({
    from: { id: message.from, role: 'bot' },
    text: WITH_BUTTONS.has(message.type) ? '' : words,
    textFormat: 'markdown',
    attachments: attachmentsOf(message),
    attachmentLayout: message.type === 'carousel' ? 'carousel' : undefined,
    suggestedActions:
      suggested.length === 0 ? undefined : { actions: suggested.map(action => cardAction(message.id, action)), to: [] },
    entities: message.type === 'location' ? [place(message)] : [],
    inputHint: isObject(message.wait) ? 'expectingInput' : 'acceptingInput',
  })
}

/** A message as a Bot Framework activity. User messages are plain text. */
export const activityOf = (conversation: string, message: ChatMessage, user: ChannelUser | undefined): JsonObject => {
  const said: JsonObject =
    message.from === 'user'
      ? filled({
          from: { id: user?.id ?? '', ...(user?.name === undefined ? {} : { name: user.name }), role: 'user' },
          text: textOf(message.text),
          textFormat: 'plain',
          attachments: objectsOf(message.attachments).map(sentFile),
          channelData: { clientActivityID: message.id },
        })
      : botActivity(message)
  return {
    type: 'message',
    id: message.id,
    timestamp: message.time,
    channelId: 'directline',
    conversation: { id: conversation },
    ...said,
  }
}
