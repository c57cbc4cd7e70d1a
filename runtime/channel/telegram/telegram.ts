import { createHmac, randomUUID } from 'node:crypto'
import { readMarkup, type TextSpan } from '#runtime/channel/degrade.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { coordinates, numberOf, objectOf, objectsOf, scalarText, timeOf, withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  OutgoingOption,
  ProviderAnswer,
  ProviderContent,
  ProviderEvent,
  ProviderMedia,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
} from '../channel-port.ts'
import {
  baseUrl,
  byStatus,
  checked,
  field,
  jsonBody,
  lookupAnswer,
  objectBody,
  reading,
  retryAfter,
} from '../shared/provider-call.ts'
import { isSameSecret, verifiedIf } from '../shared/signature.ts'

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
const telegramCall = async (
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
const messageRef = (message: JsonObject): string => {
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
const pressId = (update: JsonObject): string => scalarText(objectOf(update.callback_query).id)

/** The event of an update; `to`: id of the bot, which an update does not name. */
const telegramEvents = (update: JsonObject, to: string): readonly ProviderEvent[] => {
  if (update.message !== undefined) return [messageEvent(objectOf(update.message), to)]
  if (update.callback_query !== undefined) return [pressEvent(objectOf(update.callback_query), to)]
  const edited = objectOf(update.edited_message)
  const [of, from] = [messageRef(edited), userOf(objectOf(edited.from))]
  if (of !== '' && from.id !== '' && objectOf(edited.chat).type === 'private')
    return [{ kind: 'edit', id: scalarText(update.update_id), to, from, of }]
  const type = Object.keys(update).find(name => name !== 'update_id')
  return [{ kind: 'unknown', type: `update.${type ?? 'none'}`.slice(0, 60), to }]
}

const USUAL_URL = 'https://api.telegram.org'
const SECRET_HEADER = 'x-telegram-bot-api-secret-token'

/** Address of a method without the token, which `authorize` inserts. */
const methodUrl = (fields: JsonObject, method: string): string => `${baseUrl(fields, USUAL_URL)}/bot/${method}`

const calling = (fields: JsonObject, method: string, body: JsonObject): ProviderRequest => ({
  ...{ method: 'POST', url: methodUrl(fields, method), headers: [] },
  body,
})

/** The Bot API has the token in its addresses. */
const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest => {
  const start = methodUrl(fields, '')
  const method = request.url.slice(start.length)
  return { ...request, url: `${baseUrl(fields, USUAL_URL)}/bot${field(fields, 'auth_token')}/${method}` }
}

const asked = (fields: JsonObject, values: ProviderValues, method: string, body: JsonObject = {}) =>
  values.ask(authorized(calling(fields, method, body), fields))

/**
 * The secret that Telegram sends with each call of the webhook: an HMAC of the channel's path under the token. A new
 * token replaces it.
 */
const secretOf = (fields: JsonObject): string => {
  const [token, address] = [field(fields, 'auth_token'), field(fields, 'webhook')]
  const path = URL.canParse(address) ? new URL(address).pathname : address
  return token === '' ? '' : createHmac('sha256', token).update(`parley webhook ${path}`).digest('hex')
}

/** Id of the bot: the part of the token before the colon. */
const botOf = (fields: JsonObject): string => field(fields, 'auth_token').split(':', 1)[0] ?? ''

/** Refusals that concern one person, by Telegram's description. */
const PERSON: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/blocked by the user/iu, 'telegram.blocked'],
  [/user is deactivated/iu, 'telegram.deactivated'],
  [/can't initiate conversation/iu, 'telegram.notstarted'],
  [/chat not found/iu, 'telegram.nochat'],
]
const SECOND_MS = 1_000
const MAX_RETRY_MS = 3_600_000

const classify = (answer: ProviderAnswer): Outcome => {
  const { status, body } = answer
  const { description, parameters, result } = objectOf(body)
  const told = scalarText(description)
  const person = PERSON.find(([pattern]) => pattern.test(told))
  if (status === 429) {
    const seconds = numberOf(objectOf(parameters).retry_after) ?? 0
    return { kind: 'retry', after: Math.min(MAX_RETRY_MS, Math.max(seconds * SECOND_MS, retryAfter(answer))) }
  }
  if (status >= 400 && status < 500 && person !== undefined) return { kind: 'final', code: person[1] }
  // Methods are Parley's own: an unknown address has an unknown token.
  if (status === 401 || status === 404) return { kind: 'unauthorized', code: `http.${status}` }
  if (status === 403) return { kind: 'final', code: 'telegram.forbidden' }
  if (status === 400) return { kind: 'final', code: 'telegram.request' }
  return byStatus(answer, () => messageRef(objectOf(result)))
}

/** A 404 is about the token, as a 401. */
const checkedToken = (found: Result<ProviderAnswer>, nameOf: Parameters<typeof checked>[1]): Result<string> =>
  found.ok && found.value.status === 404
    ? refused('channel.token', { params: { status: 404, error: 'Not Found' } })
    : checked(found, nameOf)

/** Updates that Telegram sends; it keeps all others to itself. */
const UPDATES = ['message', 'edited_message', 'callback_query']
/** Telegram's own errors with the webhook count for this long. */
const RECENT_SECONDS = 600

/** The Bot API of Telegram. */
export const telegram: ChannelAdapter = {
  capabilities: {
    markup: 'markdown',
    text: 4096,
    body: 4096,
    caption: 1024,
    buttons: { count: 30, label: 64, links: 'beside', image: true },
    list: null,
    carousel: null,
    media: ['image', 'audio', 'video', 'document'],
    location: true,
    askplace: true,
    native: [],
  },
  handshake: () => undefined,
  verify: ({ headers }, fields) => verifiedIf(isSameSecret(headers[SECRET_HEADER] ?? '', secretOf(fields))),
  parse(request, fields) {
    const body = objectBody(request, held => numberOf(held.update_id) !== undefined)
    return body.ok ? accepted(telegramEvents(body.value, botOf(fields))) : body
  },
  // The answer of a webhook may hold one call: it ends the waiting sign of the pressed button.
  acknowledge(request) {
    const body = jsonBody(request)
    const press = body.ok ? pressId(objectOf(body.value)) : ''
    const call = press === '' ? {} : { method: 'answerCallbackQuery', callback_query_id: press }
    return { status: 200, type: 'application/json', body: JSON.stringify(call) }
  },
  async render(message, to, fields, _key, values) {
    const call = await telegramCall(message, to.id, values)
    if (call === undefined) return refused('channel.message')
    if (!call.ok) return call
    const { method, body, type } = call.value
    const headers = type === undefined ? [] : [['content-type', type] as const]
    return accepted({ method: 'POST', url: methodUrl(fields, method), headers, body })
  },
  authorize(request, fields, _values, before) {
    // The same token would be refused again at once.
    return before === undefined ? accepted(authorized(request, fields)) : refused('channel.token')
  },
  classify,
  async mediaRequest(ref, fields, values) {
    const found = lookupAnswer(await asked(fields, values, 'getFile', { file_id: ref }))
    if (!found.ok) return found
    const path = scalarText(objectOf(objectOf(found.value.body).result).file_path)
    const parts = path.split('/')
    if (path === '' || parts.includes('..')) return refused('channel.answer', { params: { error: 'getFile' } })
    const at = parts.map(encodeURIComponent).join('/')
    return accepted(reading(`${baseUrl(fields, USUAL_URL)}/file/bot${field(fields, 'auth_token')}/${at}`))
  },
  typing: (to, fields) => authorized(calling(fields, 'sendChatAction', { chat_id: to.id, action: 'typing' }), fields),
  async connect(fields, values) {
    const given = { url: field(fields, 'webhook'), secret_token: secretOf(fields), allowed_updates: UPDATES }
    return checkedToken(await asked(fields, values, 'setWebhook', given), () => given.url)
  },
  async check(fields, values) {
    const me = checkedToken(await asked(fields, values, 'getMe'), body => {
      const { username, first_name: name } = objectOf(objectOf(body).result)
      return scalarText(username) === '' ? scalarText(name) : `@${scalarText(username)}`
    })
    if (!me.ok) return me
    const found = await asked(fields, values, 'getWebhookInfo')
    const info = objectOf(objectOf(found.ok ? found.value.body : undefined).result)
    if (found.ok && scalarText(info.url) !== field(fields, 'webhook')) return refused('channel.unconnected')
    const isFailing = Date.now() / SECOND_MS - (numberOf(info.last_error_date) ?? 0) < RECENT_SECONDS
    const error = scalarText(info.last_error_message)
    return isFailing && error !== '' && (numberOf(info.pending_update_count) ?? 0) > 0
      ? refused('channel.answer', { params: { error } })
      : me
  },
}
