import type { Json, JsonObject } from '#schemas/event.ts'
import type { ProviderContent } from '../port.ts'
import { coordinates, filled, group, list, text } from '../shared/member.ts'

const MEDIA = new Set(['image', 'video', 'audio', 'document', 'sticker'])

const choice = (value: string, title: string): ProviderContent | undefined =>
  value === '' && title === '' ? undefined : { kind: 'choice', value: value || title, title: title || value }

/** Answers of a WhatsApp form: JSON within a text. */
const formAnswers = (written: Json | undefined): JsonObject => {
  try {
    return group(JSON.parse(text(written)) as Json)
  } catch {
    return {}
  }
}

const interactive = (held: JsonObject): ProviderContent | undefined => {
  const pressed = group(held.button_reply ?? held.list_reply)
  if (held.nfm_reply !== undefined) {
    return { kind: 'order', data: { form: formAnswers(group(held.nfm_reply).response_json) } }
  }
  return choice(text(pressed.id), text(pressed.title))
}

const mediaContent = (file: JsonObject): ProviderContent | undefined => {
  const ref = text(file.id) || text(file.url) || text(file.link)
  if (ref === '') return undefined
  const [name, caption] = [text(file.filename), text(file.caption)]
  return {
    kind: 'media',
    media: [{ ref, type: text(file.mime_type), ...(name === '' ? {} : { name }) }],
    ...(caption === '' ? {} : { text: caption }),
  }
}

const placeContent = (place: JsonObject): ProviderContent | undefined => {
  const at = coordinates(place.latitude, place.longitude)
  return at === undefined
    ? undefined
    : { kind: 'location', data: filled({ ...at, name: place.name, address: place.address, url: place.url }) }
}

/** Content of a Cloud API message; undefined for unknown types. */
export const readContent = (message: JsonObject): ProviderContent | undefined => {
  const type = text(message.type)
  if (MEDIA.has(type)) return mediaContent(group(message[type]))
  switch (type) {
    case 'text': {
      const said = text(group(message.text).body)
      return said === '' ? undefined : { kind: 'text', text: said }
    }
    case 'button':
      return choice(text(group(message.button).payload), text(group(message.button).text))
    case 'interactive':
      return interactive(group(message.interactive))
    case 'location':
      return placeContent(group(message.location))
    case 'contacts':
      return list(message.contacts).length === 0 ? undefined : { kind: 'contacts', data: list(message.contacts) }
    case 'order':
      return { kind: 'order', data: group(message.order) }
    default:
      return undefined
  }
}
