import type { JsonObject } from '#schemas/event.ts'
import { objectOf, scalarText } from '#schemas/json.ts'
import { accepted } from '#schemas/refusal.ts'
import type { Capabilities, ChannelAdapter, ProviderRequest } from '../channel-port.ts'
import { baseUrl, byStatus, checked, field, formBody, posting, reading, withBasic } from '../shared/provider-call.ts'
import { verifyToken } from '../shared/signature.ts'
import { formEvents } from '../whatsapp-twilio/twilio-events.ts'

const USUAL_URL = 'https://api-us.cpaas.avayacloud.com/v2'
const NAMES = {
  id: ['SmsSid', 'MessageSid'],
  status: ['DlrStatus', 'SmsStatus', 'MessageStatus'],
  errorCode: ['ErrorCode', 'ErrorMessage'],
}

/** Text only: no public document describes other content. */
const CAPABILITIES: Capabilities = {
  markup: 'none',
  text: 1600,
  body: 1600,
  caption: 0,
  buttons: null,
  list: null,
  carousel: null,
  media: [],
  location: false,
  askplace: false,
  native: [],
}

const accountUrl = (fields: JsonObject) =>
  `${baseUrl(fields, USUAL_URL)}/Accounts/${encodeURIComponent(field(fields, 'account_id'))}`

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withBasic(request, field(fields, 'account_id'), field(fields, 'auth_token'))

const digitsOf = (number: string): string => number.replaceAll(/\D/gu, '')

/** WhatsApp by Avaya's CPaaS, through its API for text messages, which does not sign requests. */
export const whatsappAvaya: ChannelAdapter = {
  capabilities: CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request, fields) {
    const body = formBody(request)
    if (!body.ok) return body
    const own = digitsOf(field(fields, 'sender_number'))
    const isOwn = (number: string) => own !== '' && digitsOf(number) === own
    return accepted(formEvents(body.value, { names: NAMES, isOwn, callback: request.query.get('key') ?? '' }))
  },
  render(message, to, fields, key) {
    const webhook = field(fields, 'webhook')
    const body = new URLSearchParams([
      ['From', field(fields, 'sender_number')],
      ['To', to.id],
      ['Body', message.kind === 'text' ? message.text : ''],
      ...(webhook === '' ? [] : [['StatusCallback', `${webhook}${webhook.includes('?') ? '&' : '?'}key=${key}`]]),
    ])
    return posting(`${accountUrl(fields)}/SMS/Messages.json`, message.kind === 'text' ? body : undefined)
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify: answer =>
    byStatus(answer, body => scalarText(objectOf(body).sid), scalarText(objectOf(answer.body).code) || undefined),
  async check(fields, values) {
    return checked(await values.ask(authorized(reading(`${accountUrl(fields)}.json`), fields)), body =>
      scalarText(objectOf(body).friendly_name),
    )
  },
}
