import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { byStatus, retryAfter } from '../classify.ts'
import type { ChannelAdapter, Outcome, ProviderAnswer, ProviderUser, WebhookAnswer, WebhookRequest } from '../port.ts'
import { baseUrl, field, group, text } from '../shared/member.ts'
import { jsonBody } from '../shared/request-body.ts'
import { objectBody, posting, reading } from '../shared/sending.ts'
import { activityEvents } from './read-events.ts'
import { outgoingActivity } from './render.ts'
import { appToken, withAppToken } from './token.ts'
import { verifyActivity } from './verify.ts'

/** Microsoft documents these as not accepted, unlike the general rule. */
const RETRY_STATUSES: ReadonlySet<number> = new Set([412, 429, 502, 503, 504])

const classify = (answer: ProviderAnswer): Outcome => {
  const { status, body } = answer
  if (RETRY_STATUSES.has(status)) return { kind: 'retry', after: retryAfter(answer) }
  // Some channels accept an activity without returning an id.
  if (status >= 200 && status < 300) return { kind: 'sent', id: text(group(body).id) }
  return byStatus(answer, () => '', text(group(group(body).error).code) || undefined)
}

/** The service of the person's conversation, named by an activity that Bot Framework signed. */
const activitiesUrl = ({ data = {} }: ProviderUser, fields: JsonObject): Result<string> => {
  const [service, conversation] = [text(data.serviceUrl), text(data.conversation)]
  const at = URL.canParse(service) ? new URL(service) : undefined
  const own = field(fields, 'url') === '' ? undefined : new URL(baseUrl(fields, '')).origin
  if (at === undefined || conversation === '' || (at.protocol !== 'https:' && at.origin !== own))
    return refused('channel.message')
  const base = service.endsWith('/') ? service : `${service}/`
  return accepted(`${base}v3/conversations/${encodeURIComponent(conversation)}/activities`)
}

/** An invocation expects its answer in the response. */
const acknowledge = (request: WebhookRequest): WebhookAnswer => {
  const body = jsonBody(request)
  const activity = group(body.ok ? body.value : null)
  if (activity.type !== 'invoke') return { status: 200, type: 'text/plain', body: '' }
  const answer = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: 'OK' }
  const isCard = activity.name === 'adaptiveCard/action'
  return { status: 200, type: 'application/json', body: JSON.stringify(isCard ? answer : {}) }
}

/** Microsoft's channels (Teams, web chat, e-mail and others) by Bot Framework protocol version 3. */
export const microsoft: ChannelAdapter = {
  capabilities: {
    markup: 'markdown',
    text: 20_000,
    body: 4000,
    caption: 4000,
    buttons: { count: 6, label: 80, links: 'beside', image: false },
    list: null,
    carousel: null,
    media: ['image', 'audio', 'video', 'document'],
    location: false,
    askplace: false,
    native: ['card', 'carousel', 'media', 'receipt', 'adaptive'],
  },
  handshake: () => undefined,
  verify: verifyActivity,
  parse(request) {
    const body = objectBody(request, ({ type }) => typeof type === 'string')
    return body.ok ? accepted(activityEvents(body.value)) : body
  },
  acknowledge,
  render(message, to, fields) {
    const url = activitiesUrl(to, fields)
    return url.ok ? posting(url.value, outgoingActivity(message, to)) : url
  },
  authorize: withAppToken,
  classify,
  // Teams files have signed addresses; the bot's token must not be sent to other hosts.
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const token = await appToken(fields, values)
    return token.ok ? accepted(field(fields, 'channel_id')) : token
  },
}
