import type { JsonObject } from '#schemas/event.ts'
import type { OutgoingMessage, OutgoingOption } from '../port.ts'
import { filled } from '../shared/member.ts'

const LIME = 'application/vnd.lime.'
const PLAIN = 'text/plain'
const MEDIA_TYPES = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  document: 'application/pdf',
} as const

/** Content and its type, as in LIME. */
interface BlipDocument {
  readonly type: string
  readonly content: JsonObject | string
}

const cardOption = ({ id, title, url }: OutgoingOption): JsonObject =>
  url === undefined
    ? { label: { type: PLAIN, value: title }, value: { type: PLAIN, value: id } }
    : { label: { type: `${LIME}web-link+json`, value: { title, uri: url } } }

type Card = Extract<OutgoingMessage, { kind: 'carousel' }>['cards'][number]

const cardOf = ({ title, text, image, options }: Card): JsonObject => {
  const shown = filled({ title, text, type: image === '' ? '' : MEDIA_TYPES.image, uri: image })
  const header =
    image === ''
      ? { type: PLAIN, value: [title, text].filter(words => words !== '').join('\n') }
      : { type: `${LIME}media-link+json`, value: shown }
  return { header, options: options.map(cardOption) }
}

/** A message in Blip's format; undefined when Blip has no equivalent. */
export const blipDocument = (message: OutgoingMessage): BlipDocument | undefined => {
  switch (message.kind) {
    case 'text':
      return { type: PLAIN, content: message.text }
    case 'buttons': {
      const options = message.options.map(({ id, title }, at) => ({
        order: at + 1,
        text: title,
        type: PLAIN,
        value: id,
      }))
      return { type: `${LIME}select+json`, content: { scope: 'immediate', text: message.text, options } }
    }
    case 'media': {
      const { media, url, type, name, caption } = message
      const title = media === 'document' ? name : ''
      const content = filled({ title, text: caption, type: type || MEDIA_TYPES[media], uri: url })
      return { type: `${LIME}media-link+json`, content }
    }
    case 'location': {
      const { latitude, longitude, address } = message
      return { type: `${LIME}location+json`, content: filled({ latitude, longitude, text: address }) }
    }
    case 'carousel': {
      const items = message.cards.map(cardOf)
      return { type: `${LIME}collection+json`, content: { itemType: `${LIME}document-select+json`, items } }
    }
    default:
      return undefined
  }
}
