import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import type { ProviderContent, ProviderEvent, ProviderMedia, ProviderUser } from '../channel-port.ts'

/** `/start`, with the payload of the link that opened the chat. */
const START = /^\/start(?:@\w+)?(?:\s+(\S+))?\s*$/u

/** Members with one file each, and the media type where Telegram does not name it. */
const FILES = {
  document: '',
  audio: '',
  video: '',
  voice: 'audio/ogg',
  video_note: 'video/mp4',
} as const

const fileOf = (file: JsonObject, usual: string): readonly ProviderMedia[] => {
  const [ref, name] = [scalarText(file.file_id), scalarText(file.file_name)]
  if (ref === '') return []
  return [{ ref, type: scalarText(file.mime_type) || usual, ...(name === '' ? {} : { name }) }]
}

const pixelsOf = ({ width, height }: JsonObject): number => Number(scalarText(width)) * Number(scalarText(height)) || 0

/** The largest of the sizes in which Telegram offers a photo. */
const photoOf = (sizes: Json | undefined): readonly ProviderMedia[] => {
  const [largest] = [...objectsOf(sizes)].sort((one, other) => pixelsOf(other) - pixelsOf(one))
  return largest === undefined ? [] : fileOf(largest, 'image/jpeg')
}

/** Animated stickers have a format that only Telegram reads: the bot gets their emoji. */
const stickerOf = (sticker: JsonObject): ProviderContent | undefined => {
  const emoji = scalarText(sticker.emoji)
  const media = fileOf(sticker, sticker.is_video === true ? 'video/webm' : 'image/webp')
  if (sticker.is_animated === true || media.length === 0)
    return emoji === '' ? undefined : { kind: 'text', text: emoji }
  return { kind: 'media', media }
}

const placeOf = (message: JsonObject): ProviderContent | undefined => {
  const venue = objectOf(message.venue)
  const held = objectOf(message.venue === undefined ? message.location : venue.location)
  const place = coordinates(held.latitude, held.longitude)
  if (place === undefined) return undefined
  const address = [scalarText(venue.title), scalarText(venue.address)].filter(words => words !== '').join(', ')
  return { kind: 'location', data: withoutEmpty({ ...place, address }) }
}

/** Content of a message; undefined for service messages and unknown types. */
const readContent = (message: JsonObject): ProviderContent | undefined => {
  const words = scalarText(message.text)
  if (words !== '') return START.test(words) ? { kind: 'opening' } : { kind: 'text', text: words }
  const place = placeOf(message)
  if (place !== undefined) return place
  if (message.contact !== undefined) return { kind: 'contacts', data: [objectOf(message.contact)] }
  if (message.sticker !== undefined) return stickerOf(objectOf(message.sticker))
  const media = [
    ...photoOf(message.photo),
    // An animation is also the document of its message.
    ...Object.entries(FILES).flatMap(([name, type]) => fileOf(objectOf(message[name]), type)),
  ]
  const caption = scalarText(message.caption)
  return media.length === 0 ? undefined : { kind: 'media', media, ...(caption === '' ? {} : { text: caption }) }
}

/** Ids of messages are unique within a chat. */
export const messageRef = (message: JsonObject): string => {
  const [chat, id] = [scalarText(objectOf(message.chat).id), scalarText(message.message_id)]
  return chat === '' || id === '' ? '' : `${chat}.${id}`
}

/** A private chat has the id of its person. */
const userOf = (from: JsonObject): ProviderUser => {
  const name = [scalarText(from.first_name), scalarText(from.last_name)].filter(part => part !== '').join(' ')
  const data = withoutEmpty({ username: from.username, language: from.language_code })
  return { id: scalarText(from.id), ...(name === '' ? {} : { name }), data }
}

const messageEvent = (message: JsonObject, to: string): ProviderEvent => {
  const { type } = objectOf(message.chat)
  // A conversation belongs to one person: groups get no answer.
  if (type !== 'private') return { kind: 'unknown', type: `chat.${scalarText(type) || 'none'}`, to }
  const from = userOf(objectOf(message.from))
  const [id, content] = [messageRef(message), readContent(message)]
  if (content === undefined || id === '' || from.id === '') return { kind: 'unknown', type: 'message', to }
  const replyTo = messageRef(objectOf(message.reply_to_message))
  const payload = START.exec(scalarText(message.text))?.[1] ?? ''
  return {
    ...{ kind: 'message', id, from, to, time: timeOf(message.date), content },
    ...(replyTo === '' ? {} : { replyTo }),
    ...(payload === '' ? {} : { payload }),
  }
}

/** The words of a pressed button: the update names its data alone, but holds the message with the keyboard. */
const titleOf = (message: JsonObject, data: string): string => {
  const { inline_keyboard: rows } = objectOf(message.reply_markup)
  const buttons = Array.isArray(rows) ? rows.flatMap(objectsOf) : []
  return scalarText(buttons.find(button => button.callback_data === data)?.text)
}

const pressEvent = (query: JsonObject, to: string): ProviderEvent => {
  const [id, value, from] = [scalarText(query.id), scalarText(query.data), userOf(objectOf(query.from))]
  const message = objectOf(query.message)
  const isPrivate = query.message === undefined || objectOf(message.chat).type === 'private'
  if (id === '' || value === '' || from.id === '' || !isPrivate) return { kind: 'unknown', type: 'callback_query', to }
  const content = { kind: 'choice', value, title: titleOf(message, value) || value } as const
  // Telegram does not say when a button was pressed.
  return { kind: 'message', id: `press.${id}`, from, to, time: 0, content }
}

/** Id of the pressed button's query, which Telegram wants to be answered. */
export const pressId = (update: JsonObject): string => scalarText(objectOf(update.callback_query).id)

/** The event of an update; `to`: id of the bot, which an update does not name. */
export const telegramEvents = (update: JsonObject, to: string): readonly ProviderEvent[] => {
  if (update.message !== undefined) return [messageEvent(objectOf(update.message), to)]
  if (update.callback_query !== undefined) return [pressEvent(objectOf(update.callback_query), to)]
  const edited = objectOf(update.edited_message)
  const [of, from] = [messageRef(edited), userOf(objectOf(edited.from))]
  if (of !== '' && from.id !== '' && objectOf(edited.chat).type === 'private')
    return [{ kind: 'edit', id: scalarText(update.update_id), to, from, of }]
  const type = Object.keys(update).find(name => name !== 'update_id')
  return [{ kind: 'unknown', type: `update.${type ?? 'none'}`.slice(0, 60), to }]
}
