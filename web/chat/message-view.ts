import type { JsonObject } from '#schemas/event.ts'
import { adaptiveView } from './adaptive-view.ts'
import { actionRows, cardView, carouselView, mediaView } from './card-view.ts'
import type { ChatMessage } from './chat-protocol.ts'
import { h, icon, safeLink, safeMedia } from './dom.ts'
import { markdown, plainText } from './markdown.ts'
import { productView, receiptView } from './receipt-view.ts'
import { isReply, type ViewContext } from './view-context.ts'

const bubble = (...children: readonly (Node | string)[]): HTMLElement => h('div', { class: 'say' }, ...children)

const attachment = (context: ViewContext, file: JsonObject): HTMLElement | undefined => {
  const address = safeMedia(String(file.contentUrl ?? file.url ?? ''), context.base)
  const name = String(file.name ?? '') || context.t('file')
  const type = String(file.contentType ?? file.type ?? '')
  // Most browsers cannot show pictures in HEIC.
  if (type.startsWith('image/') && type !== 'image/heic' && address !== undefined)
    return h('div', { class: 'card' }, h('img', { class: 'top', src: address, alt: name, loading: 'lazy' }))
  const label = [icon('file', 18), h('span', {}, name)]
  return address === undefined
    ? bubble(...label)
    : bubble(h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, ...label))
}

const kilobytes = (bytes: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }).format(
    Math.max(1, bytes / 1000),
  )

/** A larger picture is shown by its name: its data: address would fill the page's memory. */
const MAX_PREVIEW_BYTES = 1_048_576

/** A file of the person: the picture itself, else its name and size. */
export const ownFileView = ({ language }: ViewContext, file: File): HTMLElement => {
  if (!/^image\/(?:png|jpeg|gif|webp|avif)$/.test(file.type) || file.size > MAX_PREVIEW_BYTES)
    return h(
      'div',
      { class: 'say file' },
      icon('file', 18),
      h('span', {}, file.name, h('small', {}, kilobytes(file.size, language))),
    )
  const picture = h('img', { class: 'thumb', alt: file.name })
  // Policies of sites let data: be more often than blob:.
  const reader = new FileReader()
  reader.onload = () => {
    picture.src = String(reader.result)
  }
  reader.readAsDataURL(file)
  return picture
}

const locationView = (context: ViewContext, { address = '', latitude, longitude }: ChatMessage): HTMLElement => {
  const hasPoint = typeof latitude === 'number' && typeof longitude === 'number'
  const query = hasPoint ? `${latitude},${longitude}` : address
  const href = safeLink(`https://www.openstreetmap.org/search?query=${encodeURIComponent(query)}`)
  return h(
    'div',
    { class: 'card' },
    h('div', { class: 'words place' }, icon('pin', 18), h('p', {}, address || query)),
    h('a', { class: 'row', href, target: '_blank', rel: 'noopener noreferrer' }, context.t('map')),
  )
}

/** Content of a message, by type. An unknown type shows its text. */
export const contentView = (context: ViewContext, message: ChatMessage): HTMLElement[] => {
  const { type, text = '', attachments = [] } = message
  const buttons = (message.actions ?? []).filter(action => !isReply(action) && !action.type.startsWith('Action.'))
  switch (type) {
    case 'card':
      return [cardView(context, message, message, buttons)]
    case 'carousel':
      return [carouselView(context, message)]
    case 'media':
      return [
        h(
          'div',
          { class: 'card' },
          ...mediaView(context, { ...message, url: message.url ?? '', kind: message.kind ?? '' }),
          actionRows(context, message, buttons),
        ),
      ]
    case 'location':
      return [locationView(context, message)]
    case 'receipt':
      return [receiptView(context, message)]
    case 'product':
      return [productView(context, message)]
    case 'adaptive':
      return [adaptiveView(context, message)]
    default: {
      const said = text === '' ? [] : [bubble(...markdown(text))]
      const rows = actionRows(context, message, buttons)
      return [
        ...said,
        ...attachments.flatMap(file => attachment(context, file) ?? []),
        ...(rows === undefined ? [] : [h('div', { class: 'card' }, rows)]),
      ]
    }
  }
}

/** The first letters of at most two words. */
export const initials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(part => part !== '')
    .slice(0, 2)
    .map(part => [...part][0] ?? '')
    .join('')
    .toLocaleUpperCase()

/** Name of the sender, and whether the chat interface shows it. */
export const speakerOf = ({ look, t }: ViewContext, { from, name }: Pick<ChatMessage, 'from' | 'name'>) => {
  const { avatar, header } = look
  if (from === 'user') return { name: t('you'), isShown: avatar.showUser, picture: avatar.user }
  if (from === 'agent') return { name: name || t('attendant'), isShown: avatar.showAgent, picture: avatar.agent }
  const called = avatar.nickname || header.title || t('bot')
  return { name: called, isShown: avatar.showBot, picture: avatar.bot ?? header.logo }
}

/** One message, with who says it. The person has a picture only where one is given. */
export const messageRow = (
  context: ViewContext,
  message: Pick<ChatMessage, 'from' | 'name'>,
  content: readonly HTMLElement[],
): HTMLElement => {
  const { from } = message
  const { name, isShown, picture } = speakerOf(context, message)
  const src = safeMedia(picture, context.base)
  const face =
    src !== undefined
      ? h('img', { class: 'avatar', src, alt: '' })
      : from === 'user'
        ? undefined
        : h('span', { class: 'avatar', 'aria-hidden': 'true' }, initials(name))
  const who = h('span', { class: isShown ? 'who' : 'quiet' }, name)
  const side = h('div', { class: 'side' }, who, ...content)
  return h('div', { class: `turn ${from}` }, ...(from === 'user' ? [side, face] : [face, side]))
}

/** Screen reader text of a message. */
export const announcementOf = (context: ViewContext, message: ChatMessage): string => {
  const cards = message.cards ?? [message]
  const words = [
    message.type === 'text' || message.type === 'options' ? plainText(message.text ?? '') : '',
    ...(message.type === 'text'
      ? []
      : cards.flatMap(({ title, subtitle, text }) => [title, subtitle, plainText(text ?? '')])),
    message.address,
    ...(message.actions ?? []).map(({ title }) => title),
  ].filter(each => each !== undefined && each !== '')
  return `${speakerOf(context, message).name}: ${words.join(', ')}`
}
