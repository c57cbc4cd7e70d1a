import { createHmac } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import { numberOf, objectOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ChannelAdapter, Outcome, ProviderAnswer, ProviderRequest, ProviderValues } from '../channel-port.ts'
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
import { messageRef, pressId, telegramEvents } from './telegram-events.ts'
import { telegramCall } from './telegram-messages.ts'

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
