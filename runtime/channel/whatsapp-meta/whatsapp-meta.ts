import type { JsonObject } from '#schemas/event.ts'
import { objectOf, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ChannelAdapter, ProviderRequest, ProviderValues } from '../channel-port.ts'
import { debugTokenUrl, graphUrl, isMetaMedia, tokenEndOf } from '../shared/graph.ts'
import { checked, field, lookupAnswer, objectBody, posting, reading, withBearer } from '../shared/provider-call.ts'
import { hubHandshake, verifyHub } from '../shared/signature.ts'
import { cloudEvents, isCloudBody } from '../whatsapp-cloud/cloud-events.ts'
import { CLOUD_CAPABILITIES, classifyCloud, cloudBody } from '../whatsapp-cloud/cloud-messages.ts'

const numberUrl = (fields: JsonObject) => `${graphUrl(fields)}/${encodeURIComponent(field(fields, 'account_id'))}`
const messagesUrl = (fields: JsonObject) => `${numberUrl(fields)}/messages`

const authorized = (request: ProviderRequest, fields: JsonObject): ProviderRequest =>
  withBearer(request, field(fields, 'auth_token'))

const READ = { messaging_product: 'whatsapp', status: 'read' } as const
const FILE_ID = /^[\w.-]{1,200}$/u

/** The request for a file: its address is looked up by id and expires within minutes. */
const mediaRequest = async (
  ref: string,
  fields: JsonObject,
  values: ProviderValues,
): Promise<Result<ProviderRequest>> => {
  if (isMetaMedia(ref, fields)) return accepted(authorized(reading(ref), fields))
  if (!FILE_ID.test(ref)) return refused('channel.answer', { params: { error: '—' } })
  const asked = lookupAnswer(await values.ask(authorized(reading(`${graphUrl(fields)}/${ref}`), fields)))
  if (!asked.ok) return asked
  const url = scalarText(objectOf(asked.value.body).url)
  return isMetaMedia(url, fields)
    ? accepted(authorized(reading(url), fields))
    : refused('channel.answer', { params: { error: '—' } })
}

/** WhatsApp by Meta's Cloud API. */
export const whatsappMeta: ChannelAdapter = {
  capabilities: CLOUD_CAPABILITIES,
  handshake: (request, fields) => hubHandshake(request, field(fields, 'channel_verify_token')),
  verify: (request, fields) => verifyHub(request, field(fields, 'app_secret')),
  parse(request) {
    const body = objectBody(request, isCloudBody)
    return body.ok ? accepted(cloudEvents(body.value)) : body
  },
  render: (message, to, fields, key) => posting(messagesUrl(fields), cloudBody(message, to, key)),
  authorize: (request, fields) => accepted(authorized(request, fields)),
  classify: classifyCloud,
  mediaRequest,
  // It marks the message as read as well: Meta has no other call for it.
  typing(_to, fields, answered) {
    if (answered === undefined) return undefined
    const body = { ...READ, message_id: answered, typing_indicator: { type: 'text' } }
    return authorized({ method: 'POST', url: messagesUrl(fields), headers: [], body }, fields)
  },
  async tokenEnds(fields, values) {
    const url = debugTokenUrl(fields, field(fields, 'auth_token'))
    return tokenEndOf(await values.ask(authorized(reading(url), fields)))
  },
  async check(fields, values) {
    const url = `${numberUrl(fields)}?fields=display_phone_number,verified_name`
    return checked(await values.ask(authorized(reading(url), fields)), body => {
      const { display_phone_number: phone, verified_name: name } = objectOf(body)
      return [scalarText(name), scalarText(phone)].filter(part => part !== '').join(' · ')
    })
  },
}
