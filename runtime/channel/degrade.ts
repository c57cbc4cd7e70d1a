import type { Json, JsonObject } from '#schemas/event.ts'
import type { ChatMessage } from '../port.ts'
import type { OutgoingMessage } from './channel-port.ts'
import { coordinates, group, groups, text } from './shared/json-reader.ts'
import { fileNameOf, mediaKindOf, mediaTypeOf } from './shared/media-kind.ts'
import {
  actionValue,
  adaptiveCardText,
  cardText,
  locationText,
  messageName,
  productWords,
  receiptText,
} from './shared/message-text.ts'
import { type DegradeContext, inWords, type OfferedOption, offer } from './shared/offer-options.ts'
import { boldTitle, cutLabel, markUp } from './shared/split-text.ts'

/** Media types by the kind of a card's media, for addresses without a known extension. */
const MEDIA_TYPES: Readonly<Record<string, string>> = { Audio: 'audio/mpeg', Video: 'video/mp4', Animation: '' }

/** Image files that a provider accepts; WhatsApp only accepts two types. */
const isPicture = (type: string, markup: string): boolean =>
  markup !== 'whatsapp' || type === '' || type === 'image/jpeg' || type === 'image/png'

interface OutgoingFile {
  readonly url: string
  /** Media type; empty when not known. */
  readonly type: string
  readonly name: string
}

const mediaMessage = ({ capabilities }: DegradeContext, file: OutgoingFile): OutgoingMessage => {
  const type = file.type === '' ? mediaTypeOf(fileNameOf(file.url)) : file.type
  const found = mediaKindOf(type, file.url)
  const media = found === 'image' && !isPicture(type, capabilities.markup) ? 'document' : found
  if (!capabilities.media.includes(media)) return { kind: 'text', text: file.url }
  return { kind: 'media', media, url: file.url, type, name: file.name || fileNameOf(file.url), caption: '' }
}

/** A file with a caption: as one message if it fits, else as two; as a link if the provider takes no such file. */
const mediaWith = (context: DegradeContext, file: OutgoingFile, words: string): readonly OutgoingMessage[] => {
  const shown = mediaMessage(context, file)
  if (shown.kind !== 'media') return inWords(context, [words, file.url].filter(line => line !== '').join('\n'))
  const fits = words.length <= (shown.media === 'audio' ? 0 : context.capabilities.caption)
  return fits ? [{ ...shown, caption: words }] : [shown, ...inWords(context, words)]
}

const optionsOf = ({ message, conversation }: DegradeContext, actions: Json | undefined): readonly OfferedOption[] =>
  groups(actions).map(action => ({
    title: text(action.title),
    id: actionValue(message.id, text(action.id), conversation),
    ...(text(action.type) === 'openUrl' ? { url: text(action.value) } : {}),
  }))

/** Actions of an adaptive card that its block offers; those of the card itself are words here. */
const beside = (actions: Json | undefined): readonly JsonObject[] =>
  groups(actions).filter(({ type }) => !text(type).startsWith('Action.'))

/** A card's image or video; undefined when it has none. */
const fileOf = (card: JsonObject): OutgoingFile | undefined => {
  const media = group(card.media)
  const [image, url] = [text(card.image), text(media.url)]
  if (image !== '') return { url: image, type: '', name: '' }
  return url === '' ? undefined : { url, type: MEDIA_TYPES[text(media.kind)] ?? '', name: '' }
}

/** Cards as a carousel; undefined when one of them does not fit. */
const carousel = (context: DegradeContext, cards: readonly JsonObject[]): OutgoingMessage | undefined => {
  const limits = context.capabilities.carousel
  if (limits === null || cards.length > limits.cards) return undefined
  const made = cards.map(card => {
    const below = [text(card.subtitle), text(card.text)].filter(words => words !== '').join('\n')
    const options = optionsOf(context, card.actions).map(option => ({ ...option, title: cutLabel(option.title, 20) }))
    return {
      title: text(card.title),
      text: markUp(below, context.capabilities.markup),
      image: text(card.image),
      options,
    }
  })
  const fits = made.every(
    card =>
      card.title !== '' &&
      card.title.length <= limits.title &&
      card.text.length <= limits.text &&
      card.options.length <= limits.buttons,
  )
  return fits ? { kind: 'carousel', cards: made } : undefined
}

/** A card: its image above its text and buttons if one message can hold them. */
const cardMessages = (
  context: DegradeContext,
  card: JsonObject,
  actions: Json | undefined,
): readonly OutgoingMessage[] => {
  const { markup, buttons } = context.capabilities
  const words = markUp(cardText(card, boldTitle), markup)
  const file = fileOf(card)
  const options = optionsOf(context, actions)
  const isPictured = text(card.image) !== '' && options.length > 0
  const alone = isPictured ? carousel(context, [{ ...card, actions: actions ?? [] }]) : undefined
  if (alone !== undefined) return [alone]
  if (file === undefined) return offer(context, words, options)
  if (options.length === 0) return mediaWith(context, file, words)
  const shown = mediaMessage(context, file)
  if (buttons?.image === true && shown.kind === 'media' && shown.media === 'image') {
    const offered = offer(context, words, options, file.url)
    if (offered.some(each => each.kind === 'buttons' && each.image !== undefined)) return offered
  }
  return [shown, ...offer(context, words, options)]
}

const textMessages = (context: DegradeContext): readonly OutgoingMessage[] => {
  const { message, capabilities } = context
  const words = markUp(text(message.text), capabilities.markup).trim()
  const files = groups(message.attachments).map(file => ({
    url: text(file.contentUrl),
    type: text(file.contentType),
    name: text(file.name),
  }))
  const options = optionsOf(context, message.actions)
  const [first] = files
  if (options.length === 0 && first !== undefined && files.length === 1) return mediaWith(context, first, words)
  const isPlace = group(message.wait).kind === 'location' && options.length === 0
  const said: readonly OutgoingMessage[] =
    isPlace && capabilities.askplace && words !== '' && words.length <= capabilities.body
      ? [{ kind: 'askplace', text: words }]
      : offer(context, words, options)
  return [...files.map(file => mediaMessage(context, file)), ...said]
}

const carouselMessages = (context: DegradeContext): readonly OutgoingMessage[] => {
  const cards = groups(context.message.cards)
  const whole = carousel(context, cards)
  return whole === undefined ? cards.flatMap(card => cardMessages(context, card, card.actions)) : [whole]
}

const locationMessages = (context: DegradeContext): readonly OutgoingMessage[] => {
  const { message, capabilities } = context
  const place = coordinates(message.latitude, message.longitude)
  if (place === undefined || !capabilities.location) return inWords(context, locationText(message))
  const address = text(message.address)
  return [{ kind: 'location', ...place, name: cutLabel(address, 100), address }]
}

const messagesOfType = (context: DegradeContext): readonly OutgoingMessage[] => {
  const { message } = context
  switch (message.type) {
    case 'card':
      return cardMessages(context, message, message.actions)
    case 'carousel':
      return carouselMessages(context)
    case 'media': {
      const { title = '', text: words = '' } = message
      return cardMessages(context, { title, text: words, media: message }, message.actions)
    }
    case 'location':
      return locationMessages(context)
    case 'receipt':
      return inWords(context, receiptText(message))
    case 'product':
      return offer(context, productWords(message), optionsOf(context, message.actions))
    case 'adaptive':
      return offer(context, adaptiveCardText(message), optionsOf(context, beside(message.actions)))
    default:
      return textMessages(context)
  }
}

/** Inserts the channel's `message_prefix` before the first words of the message. */
const prefixed = (message: ChatMessage, prefix: string): ChatMessage => {
  const at = text(message.title) === '' ? 'text' : 'title'
  return prefix === '' || text(message[at]) === '' ? message : { ...message, [at]: `${prefix}${text(message[at])}` }
}

/** Whether a provider shows a message natively; receipts belong to families of providers (RUNTIME 53). */
const isNative = (message: ChatMessage, native: readonly string[]): boolean =>
  native.includes(message.type) || native.includes(`${message.type}.${text(message.family)}`)

interface DegradeOptions {
  /** Text before the words of each message. */
  readonly prefix: string
  /** Label of the button that opens a list. */
  readonly listButton: string
  /** Id of the conversation, which buttons name. */
  readonly conversation?: string
}

/** Fits a message to a provider: unsupported parts become text (RUNTIME 40, 53). None for a message without content. */
export const outgoing = (
  message: ChatMessage,
  capabilities: DegradeContext['capabilities'],
  { prefix, ...fitting }: DegradeOptions,
): readonly OutgoingMessage[] => {
  if (capabilities.isWhole === true) return [{ kind: 'native', message }]
  const whole = prefixed(message, prefix)
  return isNative(message, capabilities.native)
    ? [{ kind: 'native', message: { ...whole, id: messageName(whole.id, fitting.conversation) } }]
    : messagesOfType({ message: whole, capabilities, ...fitting })
}
