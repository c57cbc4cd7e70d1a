import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { checked } from '../check.ts'
import { byStatus } from '../classify.ts'
import type { Capabilities, ChannelAdapter, ProviderRequest, ProviderUser } from '../port.ts'
import { baseUrl, field, group, list, text } from '../shared/member.ts'
import { objectBody, posting, reading, withHeader } from '../shared/sending.ts'
import { verifyToken } from '../shared/signature.ts'
import { CLOUD_CAPABILITIES } from '../whatsapp-cloud/render.ts'
import { zenviaEvents } from './read-events.ts'
import { zenviaContent, zenviaTemplate } from './render.ts'

const USUAL_URL = 'https://api.zenvia.com/v2'

const CAPABILITIES: Capabilities = {
  ...CLOUD_CAPABILITIES,
  buttons: { count: 3, label: 20, links: 'none', image: true },
  askplace: false,
}

const sendUrl = (fields: JsonObject) => `${baseUrl(fields, USUAL_URL)}/channels/whatsapp/messages`

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withHeader(request, 'x-api-token', field(fields, 'auth_token'))

const envelope = (content: JsonObject, to: ProviderUser, fields: JsonObject, key: string): JsonObject => ({
  externalId: key,
  from: field(fields, 'sender_number'),
  to: to.id,
  contents: [content],
})

/** WhatsApp by Zenvia. It does not sign requests. */
export const whatsappZenvia: ChannelAdapter = {
  capabilities: CAPABILITIES,
  handshake: () => undefined,
  verify: verifyToken,
  parse(request) {
    const body = objectBody(request, ({ type, message, messageStatus }) => {
      const isTold = [message, messageStatus].some(each => typeof each === 'object' && each !== null)
      return typeof type === 'string' && isTold
    })
    return body.ok ? accepted(zenviaEvents(body.value)) : body
  },
  render(message, to, fields, key) {
    const content = zenviaContent(message)
    return posting(sendUrl(fields), content === undefined ? undefined : envelope(content, to, fields, key))
  },
  renderTemplate(template, to, fields, key) {
    const content = zenviaTemplate(template)
    return content === undefined
      ? refused('channel.message')
      : posting(sendUrl(fields), envelope(content, to, fields, key))
  },
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify: answer => byStatus(answer, body => text(group(body).id), text(group(answer.body).code) || undefined),
  mediaRequest: ref => accepted(reading(ref)),
  async check(fields, values) {
    const asked = await values.ask(authorized(reading(`${baseUrl(fields, USUAL_URL)}/subscriptions`), fields))
    return checked(asked, body => String(list(body).length))
  },
}
