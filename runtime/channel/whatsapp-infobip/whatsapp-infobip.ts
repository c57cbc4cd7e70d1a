import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import { checked } from '../check.ts'
import { byStatus } from '../classify.ts'
import type { ChannelAdapter, Outcome, ProviderAnswer, ProviderRequest, ProviderUser } from '../port.ts'
import { baseUrl, field, filled, group, groups, text } from '../shared/member.ts'
import { objectBody, posting, reading, withBasic, withHeader } from '../shared/sending.ts'
import { verifyToken } from '../shared/signature.ts'
import { CLOUD_CAPABILITIES } from '../whatsapp-cloud/render.ts'
import { infobipEvents } from './read-events.ts'
import { infobipMessage, infobipTemplate } from './render.ts'

/** Each account has its own host; this one forwards requests to it by the key. */
const USUAL_URL = 'https://api.infobip.com'
const MEDIA_HOST = /(?:^|\.)infobip\.com$/u

const url = (fields: JsonObject, path: string) => `${baseUrl(fields, USUAL_URL)}/whatsapp/1/message/${path}`

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest => {
  const key = field(fields, 'auth_token')
  return key === ''
    ? withBasic(request, field(fields, 'username'), field(fields, 'password'))
    : withHeader(request, 'authorization', `App ${key}`)
}

/** Infobip lets us choose ids of up to 50 characters: the same message always gets the same id. */
const messageId = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32)

const envelope = (content: JsonObject, to: ProviderUser, fields: JsonObject, key: string): JsonObject =>
  filled({
    from: field(fields, 'sender_number'),
    to: to.id,
    messageId: messageId(key),
    content,
    callbackData: key,
    notifyUrl: field(fields, 'webhook'),
  })

/** The response to a single message, or to a list with one. */
const sentOf = (body: Json | undefined): JsonObject => groups(group(body).messages)[0] ?? group(body)

const REFUSED_GROUPS: ReadonlySet<string> = new Set(['REJECTED', 'UNDELIVERABLE', 'EXPIRED'])

const classify = (answer: ProviderAnswer): Outcome => {
  const sent = sentOf(answer.body)
  const status = group(sent.status)
  const isRefused = answer.status < 300 && REFUSED_GROUPS.has(text(status.groupName))
  if (isRefused) return { kind: 'final', code: text(status.name) || text(status.groupName) }
  const error = group(group(group(answer.body).requestError).serviceException)
  return byStatus(answer, body => text(sentOf(body).messageId), text(error.messageId) || undefined)
}

/** WhatsApp by Infobip. It does not sign requests. */
export const whatsappInfobip: ChannelAdapter = {
  capabilities: CLOUD_CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request) {
    const body = objectBody(request, ({ results }) => Array.isArray(results))
    return body.ok ? accepted(infobipEvents(body.value)) : body
  },
  render(message, to, fields, key) {
    const made = infobipMessage(message)
    const body = made === undefined ? undefined : envelope(made.content, to, fields, key)
    return posting(url(fields, made?.path ?? ''), body)
  },
  renderTemplate: (template, to, fields, key) =>
    posting(url(fields, 'template'), { messages: [envelope(infobipTemplate(template), to, fields, key)] }),
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify,
  mediaRequest(ref, fields) {
    const at = URL.canParse(ref) ? new URL(ref) : undefined
    const isOurs =
      at !== undefined && (MEDIA_HOST.test(at.hostname) || at.origin === new URL(baseUrl(fields, USUAL_URL)).origin)
    return accepted(isOurs ? authorized(reading(ref), fields) : reading(ref))
  },
  async check(fields, values) {
    const sender = encodeURIComponent(field(fields, 'sender_number'))
    const address = `${baseUrl(fields, USUAL_URL)}/whatsapp/1/senders/${sender}/business-info`
    return checked(await values.ask(authorized(reading(address), fields)), body => text(group(body).displayName))
  },
}
