import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import type { ChatMessage } from '../port.ts'
import type { Capabilities, OutgoingMessage, OutgoingOption } from './channel-port.ts'
import {
  actionValue,
  adaptiveCardText,
  cardText,
  locationText,
  messageName,
  productWords,
  receiptText,
} from './shared/message-text.ts'

type Markup = Capabilities['markup']

/** Bold, italic, struck, code and links of the bot's Markdown; groups in this order. */
const INLINE =
  /\*\*(?=\S)([^\n*]+)(?<=\S)\*\*|(?<![\w*])[*_](?=\S)([^\n*_]+?)[*_](?![\w*])|~~([^\n~]+)~~|`([^\n`]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)/gu

const MARKS = {
  whatsapp: { bold: '*', italic: '_', struck: '~', code: '```' },
  none: { bold: '', italic: '', struck: '', code: '' },
} as const

const linkText = (label: string, address: string): string => (label === address ? address : `${label}: ${address}`)

/** Converts limited Markdown to a provider's markup. */
const markUp = (text: string, markup: Markup): string => {
  if (markup === 'markdown') return text
  const marks = MARKS[markup]
  const around = (mark: string, words: string) => `${mark}${words}${mark}`
  return text.replaceAll(INLINE, (whole, bold, italic, struck, code, label, address) => {
    if (bold !== undefined) return around(marks.bold, bold)
    if (italic !== undefined) return around(marks.italic, italic)
    if (struck !== undefined) return around(marks.struck, struck)
    if (code !== undefined) return around(marks.code, code)
    return label === undefined || address === undefined ? whole : linkText(label, address)
  })
}

/** A formatted range of a text without marks, in UTF-16 units. */
export interface TextSpan {
  readonly kind: 'bold' | 'italic' | 'struck' | 'code' | 'link'
  readonly offset: number
  readonly length: number
  /** Address of a link. */
  readonly url?: string
}

const KINDS = ['bold', 'italic', 'struck', 'code'] as const
const WEB = /^https?:\/\//iu

/** Limited Markdown as plain text and its formatted ranges: nothing has to be escaped. */
export const readMarkup = (markdown: string): { readonly text: string; readonly spans: readonly TextSpan[] } => {
  const spans: TextSpan[] = []
  let [text, from] = ['', 0]
  for (const match of markdown.matchAll(INLINE)) {
    text += markdown.slice(from, match.index)
    from = match.index + match[0].length
    const [label, url] = [match[5], match[6]]
    const at = KINDS.findIndex((_, group) => match[group + 1] !== undefined)
    const kind = KINDS[at]
    const words = kind === undefined ? (label ?? '') : (match[at + 1] ?? '')
    if (kind !== undefined) spans.push({ kind, offset: text.length, length: words.length })
    else if (url !== undefined && label !== url && WEB.test(url))
      spans.push({ kind: 'link', offset: text.length, length: words.length, url })
    text += kind === undefined && url !== undefined && !WEB.test(url) ? linkText(words, url) : words
  }
  return { text: text + markdown.slice(from), spans }
}

type MediaKind = Capabilities['media'][number]

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ mp3: 'audio/mpeg', ogg: 'audio/ogg', opus: 'audio/ogg', wav: 'audio/wav', m4a: 'audio/mp4', aac: 'audio/aac' },
  ...{ mp4: 'video/mp4', mpeg: 'video/mpeg', mpg: 'video/mpeg', webm: 'video/webm', '3gp': 'video/3gpp' },
  ...{ pdf: 'application/pdf', vcf: 'text/vcard' },
}

/** Last segment of an address's path, without the query. */
const fileNameOf = (url: string): string => {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '').slice(0, 240)
  } catch {
    return ''
  }
}

/** Media type by file name; empty when the name has no known extension. */
const mediaTypeOf = (name: string): string => {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? '') : ''
}

/** Kind under which a file is sent: by its media type, else by its name, else document. */
const mediaKindOf = (type: string, url: string): MediaKind => {
  const [family] = (type === '' ? mediaTypeOf(fileNameOf(url)) : type).split('/', 1)
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

/** Unit of a limit: UTF-16 units (characters) or UTF-8 bytes. */
type TextUnit = 'characters' | 'bytes'

const bytesOf = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4)

/** Number of UTF-16 units after a position that fit into `max` units; never splits a surrogate pair. */
const fitting = (text: string, from: number, max: number, unit: TextUnit): number => {
  let [at, size] = [from, 0]
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0
    const width = point > 0xffff ? 2 : 1
    size += unit === 'bytes' ? bytesOf(point) : width
    if (size > max) break
    at += width
  }
  return at - from
}

const BREAKS = ['\n\n', '\n', '. ', ' '] as const

/** Best end of a piece: after a paragraph, line, sentence or word in its second half, else its full length. */
const breakAt = (piece: string): number => {
  for (const mark of BREAKS) {
    const at = piece.lastIndexOf(mark)
    if (at > piece.length / 2) return at + mark.length
  }
  return piece.length
}

/**
 * Splits a text into non-empty pieces of at most `max`, or of one character where that is longer; only white space is
 * lost between them.
 */
export const splitText = (text: string, max: number, unit: TextUnit = 'characters'): readonly string[] => {
  const pieces: string[] = []
  const whole = text.trim()
  for (let at = 0; at < whole.length; ) {
    const length = fitting(whole, at, max, unit) || String.fromCodePoint(whole.codePointAt(at) ?? 0).length
    const piece = whole.slice(at, at + length)
    const end = at + length >= whole.length ? length : breakAt(piece)
    const shown = piece.slice(0, end).trim()
    if (shown !== '') pieces.push(shown)
    at += end
  }
  return pieces
}

/** Cuts to at most `max` units, ending with an ellipsis if shortened. */
const cutLabel = (text: string, max: number): string => {
  const label = text.replaceAll(/\s+/gu, ' ').trim()
  if (label.length <= max) return label
  return `${label.slice(0, fitting(label, 0, max - 1, 'characters')).trimEnd()}…`
}

/** A title to put above other text, in the bot's own Markdown. */
const boldTitle = (text: string): string => {
  const words = text.trim()
  return words === '' || words.includes('*') ? words : `**${words}**`
}

/** A message that is being fitted to a provider. */
interface DegradeContext {
  readonly message: ChatMessage
  readonly capabilities: Capabilities
  readonly listButton: string
  /** Id of the conversation, which buttons name. */
  readonly conversation?: string
}

/** An option before it is fitted; with `url` it opens a page instead of answering. */
type OfferedOption = Pick<OutgoingOption, 'id' | 'title' | 'url'>

/** Placeholder for text that a provider requires and the bot did not write. */
const NO_WORDS = '…'
/** Maximum length of the title of a button that opens a page. */
const LINK_LABEL = 20

const fitted = (option: OfferedOption, label: number, description: number): OutgoingOption => {
  const title = cutLabel(option.title, label)
  const isCut = title !== option.title.trim() && description > 0
  return { ...option, title, ...(isCut ? { description: cutLabel(option.title, description) } : {}) }
}

const areDistinct = (options: readonly OutgoingOption[]): boolean =>
  new Set(options.map(({ title }) => title.toLowerCase())).size === options.length

/** The options as buttons; undefined when they do not fit or their shortened titles would be equal. */
const asButtons = ({ buttons }: Capabilities, options: readonly OfferedOption[]) => {
  if (buttons === null || options.length > buttons.count) return undefined
  const made = options.map(option => fitted(option, buttons.label, 0))
  return areDistinct(made) ? made : undefined
}

const asRows = ({ list }: Capabilities, options: readonly OfferedOption[]) => {
  if (list === null || options.length > list.count) return undefined
  const made = options.map(option => fitted(option, list.label, list.description))
  return areDistinct(made) ? made : undefined
}

const isCut = (made: readonly OutgoingOption[], options: readonly OfferedOption[]): boolean =>
  made.some(({ title }, at) => title !== options[at]?.title.trim())

/** Form of the options: as the block requests, and as the provider allows. */
const chosenWay = ({ message, capabilities }: DegradeContext, options: readonly OfferedOption[]) => {
  const style = objectOf(message.wait).list
  if (style === 'inline') return undefined
  const [buttons, rows] = [asButtons(capabilities, options), asRows(capabilities, options)]
  const areButtonsBest = style !== 'list' && buttons !== undefined && !isCut(buttons, options)
  if (buttons !== undefined && (areButtonsBest || rows === undefined))
    return { kind: 'buttons', options: buttons } as const
  return rows === undefined ? undefined : ({ kind: 'list', options: rows } as const)
}

const unitOf = ({ bytes }: Capabilities) => (bytes === true ? 'bytes' : 'characters')

/** Text split into as many messages as needed. */
const inWords = ({ capabilities }: DegradeContext, words: string): readonly OutgoingMessage[] =>
  splitText(words, capabilities.text, unitOf(capabilities)).map(text => ({
    kind: 'text',
    text,
  }))

/** The text above options; a longer text is sent before them. Under a picture it is a caption. */
const wordsAbove = (context: DegradeContext, words: string, isPictured: boolean) => {
  const { body, caption } = context.capabilities
  const pieces = splitText(words, isPictured ? Math.min(body, caption) : body, unitOf(context.capabilities))
  return { text: pieces.at(-1) ?? NO_WORDS, before: inWords(context, pieces.slice(0, -1).join('\n\n')) }
}

const linkLine = ({ title, url = '' }: OfferedOption): string => (title === url ? url : `${title}: ${url}`)

/** Text with options: as buttons, a list, or numbered lines; `image` is put above buttons if the provider allows it. */
const offer = (
  context: DegradeContext,
  words: string,
  options: readonly OfferedOption[],
  image?: string,
): readonly OutgoingMessage[] => {
  const { capabilities, listButton } = context
  const links = options.filter(({ url }) => url !== undefined)
  const answers = options.filter(({ url }) => url === undefined)
  const picture = image === undefined ? {} : { image }
  const way = capabilities.buttons?.links ?? 'none'
  const areBeside = way === 'beside' && links.length > 0 && asButtons(capabilities, options) !== undefined
  if (areBeside || (way === 'alone' && answers.length === 0 && links.length === 1)) {
    const { text, before } = wordsAbove(context, words, image !== undefined)
    const made = options.map(option => fitted(option, capabilities.buttons?.label ?? LINK_LABEL, 0))
    return [...before, { kind: 'buttons', text, ...picture, options: made }]
  }
  const told = [words, ...links.map(linkLine)].filter(line => line !== '').join('\n')
  if (answers.length === 0) return inWords(context, told)
  const chosen = chosenWay(context, answers)
  if (chosen === undefined) {
    // Options that are numbers themselves, as the scores of a rating: numbering them would name two numbers for each.
    const numbered = answers.every(({ title }) => /^\d+$/u.test(title))
      ? [answers.map(({ title }) => title).join(' · ')]
      : answers.map(({ title }, at) => `${at + 1}. ${title}`)
    return inWords(context, [told, ...numbered].filter(line => line !== '').join('\n'))
  }
  const { text, before } = wordsAbove(context, told, image !== undefined)
  return chosen.kind === 'list'
    ? [...before, { kind: 'list', text, button: listButton, options: chosen.options }]
    : [...before, { kind: 'buttons', text, ...picture, options: chosen.options }]
}

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
  objectsOf(actions).map(action => ({
    title: scalarText(action.title),
    id: actionValue(message.id, scalarText(action.id), conversation),
    ...(scalarText(action.type) === 'openUrl' ? { url: scalarText(action.value) } : {}),
  }))

/** Actions of an adaptive card that its block offers; those of the card itself are words here. */
const beside = (actions: Json | undefined): readonly JsonObject[] =>
  objectsOf(actions).filter(({ type }) => !scalarText(type).startsWith('Action.'))

/** A card's image or video; undefined when it has none. */
const fileOf = (card: JsonObject): OutgoingFile | undefined => {
  const media = objectOf(card.media)
  const [image, url] = [scalarText(card.image), scalarText(media.url)]
  if (image !== '') return { url: image, type: '', name: '' }
  return url === '' ? undefined : { url, type: MEDIA_TYPES[scalarText(media.kind)] ?? '', name: '' }
}

/** Cards as a carousel; undefined when one of them does not fit. */
const carousel = (context: DegradeContext, cards: readonly JsonObject[]): OutgoingMessage | undefined => {
  const limits = context.capabilities.carousel
  if (limits === null || cards.length > limits.cards) return undefined
  const made = cards.map(card => {
    const below = [scalarText(card.subtitle), scalarText(card.text)].filter(words => words !== '').join('\n')
    const options = optionsOf(context, card.actions).map(option => ({ ...option, title: cutLabel(option.title, 20) }))
    return {
      title: scalarText(card.title),
      text: markUp(below, context.capabilities.markup),
      image: scalarText(card.image),
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
  const isPictured = scalarText(card.image) !== '' && options.length > 0
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
  const words = markUp(scalarText(message.text), capabilities.markup).trim()
  const files = objectsOf(message.attachments).map(file => ({
    url: scalarText(file.contentUrl),
    type: scalarText(file.contentType),
    name: scalarText(file.name),
  }))
  const options = optionsOf(context, message.actions)
  const [first] = files
  if (options.length === 0 && first !== undefined && files.length === 1) return mediaWith(context, first, words)
  const isPlace = objectOf(message.wait).kind === 'location' && options.length === 0
  const said: readonly OutgoingMessage[] =
    isPlace && capabilities.askplace && words !== '' && words.length <= capabilities.body
      ? [{ kind: 'askplace', text: words }]
      : offer(context, words, options)
  return [...files.map(file => mediaMessage(context, file)), ...said]
}

const carouselMessages = (context: DegradeContext): readonly OutgoingMessage[] => {
  const cards = objectsOf(context.message.cards)
  const whole = carousel(context, cards)
  return whole === undefined ? cards.flatMap(card => cardMessages(context, card, card.actions)) : [whole]
}

const locationMessages = (context: DegradeContext): readonly OutgoingMessage[] => {
  const { message, capabilities } = context
  const place = coordinates(message.latitude, message.longitude)
  if (place === undefined || !capabilities.location) return inWords(context, locationText(message))
  const address = scalarText(message.address)
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
  const at = scalarText(message.title) === '' ? 'text' : 'title'
  return prefix === '' || scalarText(message[at]) === ''
    ? message
    : { ...message, [at]: `${prefix}${scalarText(message[at])}` }
}

/** Whether a provider shows a message natively; receipts belong to families of providers. */
const isNative = (message: ChatMessage, native: readonly string[]): boolean =>
  native.includes(message.type) || native.includes(`${message.type}.${scalarText(message.family)}`)

interface DegradeOptions {
  /** Text before the words of each message. */
  readonly prefix: string
  /** Label of the button that opens a list. */
  readonly listButton: string
  /** Id of the conversation, which buttons name. */
  readonly conversation?: string
}

/** Fits a message to a provider: unsupported parts become text. None for a message without content. */
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
