import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'

export const objectAt = (value: Json | undefined, name: string): JsonObject => {
  const held = isObject(value) ? own(value, name) : undefined
  return isObject(held) ? held : {}
}

export const textAt = (value: Json | undefined, name: string): string => {
  const held = isObject(value) ? own(value, name) : undefined
  return typeof held === 'string' ? held : typeof held === 'number' ? String(held) : ''
}

export const itemsAt = (value: Json | undefined, name: string): readonly JsonObject[] => {
  const held = isObject(value) ? own(value, name) : undefined
  return (Array.isArray(held) ? held : []).filter(isObject)
}

/** Display data of a card, in any block. */
export interface CardPreviewContent {
  readonly title: string
  readonly subtitle: string
  readonly text: string
  readonly picture: string
  /** Beside the words instead of above them. */
  readonly thumbnail: boolean
  readonly ratio: string
  /** A sound, a film or an animation instead of a picture. */
  readonly media: string
  readonly buttons: Json | undefined
}

/** Whether there is nothing yet that could be drawn. */
export const isEmptyCard = ({ title, subtitle, text, picture, media, buttons }: CardPreviewContent): boolean =>
  [title, subtitle, text, picture, media].every(each => each === '') && !(Array.isArray(buttons) && buttons.length > 0)

const mediaFace = (media: JsonObject, kind: string, buttons: Json | undefined): CardPreviewContent => {
  const type = textAt(media, 'type')
  const picture = type.startsWith('image/') || (type === '' && kind === '')
  return {
    title: textAt(media, 'title'),
    subtitle: '',
    text: textAt(media, 'text'),
    picture: picture ? textAt(media, 'uri') : '',
    thumbnail: false,
    ratio: textAt(media, 'aspectRatio'),
    media: picture ? '' : type.split('/')[0] || kind.toLowerCase(),
    buttons,
  }
}

/** The cards of a block: one, or as many as a carousel has. */
export const readCards = (properties: JsonObject): readonly CardPreviewContent[] => {
  if (isObject(properties.cards)) {
    return itemsAt(properties.cards, 'items').map(item =>
      mediaFace(objectAt(objectAt(item, 'header'), 'value'), '', item.options),
    )
  }
  if (isObject(properties.media)) {
    return [mediaFace(properties.media, textAt(properties, 'mediaCardType'), properties.buttons)]
  }
  const thumbnail = textAt(properties, 'heroCardType') === 'ThumbnailCard'
  const image = textAt(properties, 'image')
  const small = textAt(properties, 'thumbnailimage')
  return [
    {
      title: textAt(properties, 'title'),
      subtitle: textAt(properties, 'subtitle'),
      text: textAt(properties, 'text'),
      picture: thumbnail ? small || image : image || small,
      thumbnail,
      ratio: '',
      media: '',
      buttons: properties.buttons,
    },
  ]
}
