import { createHash, createHmac } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import { numberOf, objectOf, scalarText, withoutEmpty } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type {
  Capabilities,
  ChannelAdapter,
  OutgoingMessage,
  ProviderRequest,
  ProviderUser,
  ProviderValues,
  WebhookRequest,
} from '../channel-port.ts'
import {
  baseUrl,
  byStatus,
  checked,
  field,
  formBody,
  posting,
  reading,
  retryAfter,
  withBasic,
} from '../shared/provider-call.ts'
import { isSameSecret, verifiedIf } from '../shared/signature.ts'
import { formEvents } from './twilio-events.ts'
import { listTwilioTemplates, submitTwilioTemplate, twilioVariables } from './twilio-templates.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Names and values of all parameters, sorted by name, without separators. */
const signedForm = (body: Uint8Array): string => {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  return [...new Set(form.keys())]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map(name =>
      [...new Set(form.getAll(name))]
        .toSorted()
        .map(value => `${name}${value}`)
        .join(''),
    )
    .join('')
}

/** The address as called, and with the port that some Twilio services include. */
const addressesOf = (url: string): readonly string[] => {
  const scheme = 'https://'
  if (!url.startsWith(scheme)) return [url]
  const end = url.slice(scheme.length).search(/[/?#]/u)
  const host = end === -1 ? url : url.slice(0, scheme.length + end)
  return host.slice(scheme.length).includes(':') ? [url] : [url, `${host}:443${url.slice(host.length)}`]
}

/**
 * Whether `X-Twilio-Signature` was made with this token: over the public address and a form's parameters, or over the
 * address alone, which then contains the hash of the body.
 */
const isSignedByTwilio = ({ url, query, headers, body }: WebhookRequest, authToken: string): boolean => {
  const given = headers['x-twilio-signature'] ?? ''
  if (authToken === '' || given === '') return false
  const bodyHash = query.get('bodySHA256')
  if (bodyHash !== null && createHash('sha256').update(body).digest('hex') !== bodyHash.toLowerCase()) return false
  const isForm = (headers['content-type'] ?? FORM).startsWith(FORM)
  const signed = bodyHash === null && isForm ? signedForm(body) : ''
  // Without a form, only the hash binds the body to the signature.
  if (bodyHash === null && !isForm && body.length > 0) return false
  return addressesOf(url).some(address => {
    const expected = createHmac('sha1', authToken).update(`${address}${signed}`).digest('base64')
    return isSameSecret(given, expected)
  })
}

const CONTENT_URL = 'https://content.twilio.com/v1/Content'
/** Cache time of a resource's id; the resource itself exists until it is deleted. */
const REMEMBERED_SECONDS = 30 * 86_400

type Choices = Extract<OutgoingMessage, { kind: 'buttons' | 'list' }>

/** A content resource with texts and ids as variables, so that messages of the same form share it. */
interface RichContent {
  readonly types: JsonObject
  readonly variables: Readonly<Record<string, string>>
}

/** Collects values and returns a placeholder for each. */
const collectVariables = () => {
  const variables: Record<string, string> = {}
  const place = (value: string): string => {
    const name = String(Object.keys(variables).length + 1)
    variables[name] = value
    return `{{${name}}}`
  }
  return { variables, place }
}

/** Titles stay in the resource: Twilio accepts variables in the ids and texts of both forms, but not in all titles. */
const richContent = (message: Choices): RichContent => {
  const { variables, place } = collectVariables()
  const body = place(message.text)
  if (message.kind === 'list') {
    const items = message.options.map(({ id, title, description }) =>
      withoutEmpty({ item: title, id: place(id), description: description === undefined ? '' : place(description) }),
    )
    return { types: { 'twilio/list-picker': { body, button: message.button, items } }, variables }
  }
  const actions: Json[] = message.options.map(({ id, title }) => ({ type: 'QUICK_REPLY', title, id: place(id) }))
  return { types: { 'twilio/quick-reply': { body, actions } }, variables }
}

/** The resource id of a message form, created once per form. `authorize` adds the credentials. */
const contentSid = async (
  { types, variables }: RichContent,
  values: ProviderValues,
  authorize: (request: ProviderRequest) => ProviderRequest,
  url = CONTENT_URL,
): Promise<Result<string>> => {
  const hash = createHash('sha256').update(JSON.stringify(types)).digest('hex').slice(0, 32)
  return values.remember(`content ${hash}`, async () => {
    const body: JsonObject = { friendly_name: `parley_${hash}`, language: 'en', variables, types }
    const made = await values.ask(authorize({ method: 'POST', url, headers: [], body }))
    if (!made.ok) return made
    const sid = scalarText(objectOf(made.value.body).sid)
    return sid === ''
      ? refused('channel.answer', { params: { error: '—' } })
      : accepted({ value: sid, seconds: REMEMBERED_SECONDS })
  })
}

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

/** Base of all of Twilio's APIs, where the channel has its own; empty: each has its usual host. */
const ownUrl = (fields: JsonObject): string => (field(fields, 'url') === '' ? '' : baseUrl(fields, USUAL_URL))

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
      const own = ownUrl(fields)
      const url = own === '' ? undefined : `${own}/v1/Content`
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
  templates: {
    render(message, to, fields, key) {
      if (message.id === '') return refused('channel.message')
      const sent = form({ id: to }, fields, key)
      const variables = twilioVariables(message)
      sent.set('ContentSid', message.id)
      if (Object.keys(variables).length > 0) sent.set('ContentVariables', JSON.stringify(variables))
      return posting(`${accountUrl(fields)}/Messages.json`, sent)
    },
    read({ status, body }) {
      const { sid, code, error_code: late } = objectOf(body)
      const told = numberOf(status < 300 ? late : code)
      return { id: told === undefined ? scalarText(sid) : '', code: told === undefined ? '' : String(told) }
    },
    list: (fields, values) => listTwilioTemplates(ownUrl(fields), values, request => authorized(request, fields)),
    submit: (template, fields, values) =>
      submitTwilioTemplate(template, ownUrl(fields), values, request => authorized(request, fields)),
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify(answer) {
    const code = numberOf(objectOf(answer.body).code)
    const isRefused = answer.status >= 400 && answer.status < 500 && code !== undefined
    if (isRefused && RETRY_CODES.has(code)) return { kind: 'retry', after: retryAfter(answer) }
    return byStatus(answer, body => scalarText(objectOf(body).sid), isRefused ? String(code) : undefined)
  },
  mediaRequest(ref, fields) {
    // Files are on Twilio's own host; the token is sent nowhere else.
    const isOurs = URL.canParse(ref) && new URL(ref).origin === new URL(baseUrl(fields, USUAL_URL)).origin
    return accepted(isOurs ? authorized(reading(ref), fields) : reading(ref))
  },
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${accountUrl(fields)}.json`), fields))
    return checked(asked, body => scalarText(objectOf(body).friendly_name))
  },
}
