import { randomUUID } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import { withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { OutgoingMessage, OutgoingOption, ProviderValues } from '../channel-port.ts'
import { readMarkup, type TextSpan } from '../shared/markup.ts'

/** A call of the Bot API: its method, and its parameters or a form with a file. */
interface TelegramCall {
  readonly method: string
  readonly body: JsonObject | Uint8Array
  /** Media type of a form with a file. */
  readonly type?: string
}

const ENTITIES = {
  bold: 'bold',
  italic: 'italic',
  struck: 'strikethrough',
  code: 'code',
  link: 'text_link',
} as const satisfies Readonly<Record<TextSpan['kind'], string>>

/** Formatting as ranges instead of HTML: no text of a bot or a person has to be escaped. */
const formatted = (markdown: string, names: { readonly text: string; readonly entities: string }): JsonObject => {
  const { text, spans } = readMarkup(markdown)
  const entities = spans.map(({ kind, offset, length, url }) =>
    withoutEmpty({ type: ENTITIES[kind], offset, length, url }),
  )
  return withoutEmpty({ [names.text]: text, [names.entities]: entities })
}

const worded = (markdown: string) => formatted(markdown, { text: 'text', entities: 'entities' })
const captioned = (markdown: string) => formatted(markdown, { text: 'caption', entities: 'caption_entities' })

const button = ({ id, title, url }: OutgoingOption): JsonObject =>
  url === undefined ? { text: title, callback_data: id } : { text: title, url }

/** Buttons with labels of at most this many characters share a row, at most three. */
const SHORT_LABEL = 12
const MAX_IN_ROW = 3

const keyboard = (options: readonly OutgoingOption[]): JsonObject => {
  const isRow = options.length <= MAX_IN_ROW && options.every(({ title }) => title.length <= SHORT_LABEL)
  const buttons = options.map(button)
  return { inline_keyboard: isRow ? [buttons] : buttons.map(each => [each]) }
}

type Media = Extract<OutgoingMessage, { kind: 'media' }>

/** Method and parameter of a file that Telegram downloads from its address, by media type. */
const BY_ADDRESS: Readonly<Record<string, readonly [method: string, parameter: string]>> = {
  'image/jpeg': ['sendPhoto', 'photo'],
  'image/png': ['sendPhoto', 'photo'],
  'image/webp': ['sendPhoto', 'photo'],
  'image/gif': ['sendAnimation', 'animation'],
  'audio/mpeg': ['sendAudio', 'audio'],
  'audio/mp4': ['sendAudio', 'audio'],
  'audio/ogg': ['sendVoice', 'voice'],
  'video/mp4': ['sendVideo', 'video'],
  'application/pdf': ['sendDocument', 'document'],
  'application/zip': ['sendDocument', 'document'],
}
/** For files without a known type. */
const BY_KIND: Readonly<Partial<Record<Media['media'], readonly [method: string, parameter: string]>>> = {
  image: ['sendPhoto', 'photo'],
  audio: ['sendAudio', 'audio'],
  video: ['sendVideo', 'video'],
}
/** Telegram downloads documents of three types alone; others are uploaded, up to the size that it would download. */
const MAX_UPLOAD_BYTES = 20_000_000

const uploaded = (parameters: JsonObject, file: Uint8Array, { name, type }: Media): TelegramCall => {
  const boundary = randomUUID()
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n`
  const fields = Object.entries(parameters).map(
    ([key, value]) => `${part(`name="${key}"`)}\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
  )
  const safe = name.replaceAll(/["\\\p{Cc}]/gu, '_') || 'file'
  const head = `${part(`name="document"; filename="${safe}"`)}content-type: ${type || 'application/octet-stream'}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(fields.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { method: 'sendDocument', body, type: `multipart/form-data; boundary=${boundary}` }
}

const mediaCall = async (message: Media, chat: JsonObject, values: ProviderValues): Promise<Result<TelegramCall>> => {
  const { url, type, media, caption, name } = message
  const known = BY_ADDRESS[type] ?? (type === '' ? BY_KIND[media] : undefined)
  const parameters = { ...chat, ...captioned(caption) }
  if (known !== undefined) return accepted({ method: known[0], body: { ...parameters, [known[1]]: url } })
  const file = await values.download(url, MAX_UPLOAD_BYTES)
  if (file.ok) return accepted(uploaded(parameters, file.value, message))
  if (file.refusal.code !== 'channel.message') return file
  const text = [caption, name === '' ? url : `${name}: ${url}`].filter(line => line !== '').join('\n')
  return accepted({ method: 'sendMessage', body: { ...chat, text } })
}

/** Label of the button that shares a place: the same in every language. */
const PLACE = '📍'

/** The call that sends a message; undefined when Telegram has no equivalent. */
export const telegramCall = async (
  message: OutgoingMessage,
  chatId: string,
  values: ProviderValues,
): Promise<Result<TelegramCall> | undefined> => {
  const chat = { chat_id: chatId }
  switch (message.kind) {
    case 'text':
      return accepted({ method: 'sendMessage', body: { ...chat, ...worded(message.text) } })
    case 'buttons': {
      const markup = { reply_markup: keyboard(message.options) }
      if (message.image === undefined)
        return accepted({ method: 'sendMessage', body: { ...chat, ...worded(message.text), ...markup } })
      const body = { ...chat, photo: message.image, ...captioned(message.text), ...markup }
      return accepted({ method: 'sendPhoto', body })
    }
    case 'media':
      return mediaCall(message, chat, values)
    case 'location': {
      const { latitude, longitude, name: title, address } = message
      const place = { ...chat, latitude, longitude }
      return accepted(
        address === ''
          ? { method: 'sendLocation', body: place }
          : { method: 'sendVenue', body: { ...place, title, address } },
      )
    }
    case 'askplace': {
      const markup = {
        keyboard: [[{ text: PLACE, request_location: true }]],
        ...{ resize_keyboard: true, one_time_keyboard: true },
      }
      return accepted({ method: 'sendMessage', body: { ...chat, ...worded(message.text), reply_markup: markup } })
    }
    default:
      return undefined
  }
}
