import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { checked } from '../check.ts'
import { byStatus, retryAfter } from '../classify.ts'
import type {
  Capabilities,
  ChannelAdapter,
  OutgoingMessage,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
} from '../port.ts'
import { baseUrl, field, group, number, text } from '../shared/member.ts'
import { formBody } from '../shared/request-body.ts'
import { posting, reading, withBasic } from '../shared/sending.ts'
import { verifiedIf } from '../shared/signature.ts'
import type { TemplateMessage } from '../shared/template-message.ts'
import { contentSid, richContent } from './content.ts'
import { formEvents } from './read-events.ts'
import { isSignedByTwilio } from './signature.ts'

const USUAL_URL = 'https://api.twilio.com'
const NAMES = {
  id: ['MessageSid', 'SmsSid', 'SmsMessageSid'],
  status: ['MessageStatus', 'SmsStatus'],
  errorCode: ['ErrorCode'],
}

const CAPABILITIES: Capabilities = {
  markup: 'whatsapp',
  text: 1600,
  body: 1024,
  caption: 1600,
  buttons: { count: 3, label: 20, links: 'none', image: false },
  list: { count: 10, label: 24, description: 72 },
  carousel: null,
  media: ['image', 'audio', 'video', 'document'],
  location: true,
  askplace: false,
  native: [],
}

const accountUrl = (fields: JsonObject) =>
  `${baseUrl(fields, USUAL_URL)}/2010-04-01/Accounts/${encodeURIComponent(field(fields, 'account_id'))}`

/** An API key (SK…) replaces the account and its token for requests; signatures still use the token. */
const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest => {
  const [user, password] = [field(fields, 'username'), field(fields, 'password')]
  return user === '' || password === ''
    ? withBasic(request, field(fields, 'account_id'), field(fields, 'auth_token'))
    : withBasic(request, user, password)
}

const digitsOf = (number: string): string => number.replaceAll(/\D/gu, '')

/** A number in Twilio's WhatsApp format. */
const address = (number: string): string =>
  number.startsWith('whatsapp:') ? number : `whatsapp:${number.startsWith('+') ? number : `+${digitsOf(number)}`}`

const callbackUrl = (fields: JsonObject, key: string): string => {
  const webhook = field(fields, 'webhook')
  return webhook === '' ? '' : `${webhook}${webhook.includes('?') ? '&' : '?'}key=${encodeURIComponent(key)}`
}

/** Form fields of every message: recipient, sender and the address for receipts. */
const form = (to: ProviderUser, fields: JsonObject, key: string): URLSearchParams => {
  const sender = field(fields, 'sender_number')
  const callback = callbackUrl(fields, key)
  return new URLSearchParams([
    ['To', address(to.id)],
    sender.startsWith('MG') ? ['MessagingServiceSid', sender] : ['From', address(sender)],
    ...(callback === '' ? [] : [['StatusCallback', callback]]),
  ])
}

const messageForm = async (
  message: OutgoingMessage,
  sent: URLSearchParams,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<URLSearchParams>> => {
  switch (message.kind) {
    case 'text':
      sent.set('Body', message.text)
      return accepted(sent)
    case 'media':
      if (message.caption !== '') sent.set('Body', message.caption)
      sent.set('MediaUrl', message.url)
      return accepted(sent)
    case 'location': {
      const { latitude, longitude, name, address: place } = message
      sent.set('Body', place || name || `${latitude}, ${longitude}`)
      sent.set('PersistentAction', `geo:${latitude},${longitude}${name === '' ? '' : `|${name}`}`)
      return accepted(sent)
    }
    case 'buttons':
    case 'list': {
      const content = richContent(message)
      const url = field(fields, 'url') === '' ? undefined : `${baseUrl(fields, USUAL_URL)}/v1/Content`
      const sid = await contentSid(content, values, request => authorized(request, fields), url)
      if (!sid.ok) return sid
      sent.set('ContentSid', sid.value)
      sent.set('ContentVariables', JSON.stringify(content.variables))
      return accepted(sent)
    }
    default:
      return refused('channel.message')
  }
}

const templateForm = ({ id = '', body, buttons }: TemplateMessage, sent: URLSearchParams): URLSearchParams => {
  const values = [...body, ...buttons.map(({ value }) => ({ text: value }))]
  const variables = values.map((value, at) => [
    ('name' in value ? value.name : undefined) ?? String(at + 1),
    value.text,
  ])
  sent.set('ContentSid', id)
  if (variables.length > 0) sent.set('ContentVariables', JSON.stringify(Object.fromEntries(variables)))
  return sent
}

/** Codes that are retried: too many calls, a sender's rate limit, and temporary network errors. */
const RETRY_CODES: ReadonlySet<number> = new Set([20_429, 63_012, 63_018, 63_021])

/** WhatsApp by Twilio's Programmable Messaging. */
export const whatsappTwilio: ChannelAdapter = {
  capabilities: CAPABILITIES,
  handshake: () => undefined,
  verify: (request, fields) => verifiedIf(isSignedByTwilio(request, field(fields, 'auth_token'))),
  parse(request, fields) {
    const body = formBody(request)
    if (!body.ok) return body
    const isService = field(fields, 'sender_number').startsWith('MG')
    const own = isService ? '' : digitsOf(field(fields, 'sender_number'))
    const isOwn = (number: string) => own !== '' && digitsOf(number) === own
    const callback = request.query.get('key') ?? ''
    return accepted(formEvents(body.value, { names: NAMES, isOwn, callback, isService }))
  },
  acknowledge: () => ({ status: 200, type: 'text/xml', body: '<Response/>' }),
  async render(message, to, fields, key, values) {
    const made = await messageForm(message, form(to, fields, key), fields, values)
    return made.ok ? posting(`${accountUrl(fields)}/Messages.json`, made.value) : made
  },
  renderTemplate(template, to, fields, key) {
    if ((template.id ?? '') === '') return refused('channel.message')
    return posting(`${accountUrl(fields)}/Messages.json`, templateForm(template, form(to, fields, key)))
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify(answer) {
    const code = number(group(answer.body).code)
    const isRefused = answer.status >= 400 && answer.status < 500 && code !== undefined
    if (isRefused && RETRY_CODES.has(code)) return { kind: 'retry', after: retryAfter(answer) }
    return byStatus(answer, body => text(group(body).sid), isRefused ? String(code) : undefined)
  },
  mediaRequest(ref, fields) {
    // Files are on Twilio's own host; the token is sent nowhere else.
    const isOurs = URL.canParse(ref) && new URL(ref).origin === new URL(baseUrl(fields, USUAL_URL)).origin
    return accepted(isOurs ? authorized(reading(ref), fields) : reading(ref))
  },
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${accountUrl(fields)}.json`), fields))
    return checked(asked, body => text(group(body).friendly_name))
  },
}
